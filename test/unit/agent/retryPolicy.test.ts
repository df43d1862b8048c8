import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import fc from 'fast-check';
import { DEFAULT_RETRY, judgeFailure } from '../../../src/runtime/agent/retryPolicy.ts';
import type { ModelError, ModelFailure } from '../../../src/runtime/domain/models.ts';

const middle = { ...DEFAULT_RETRY, random: () => 0.5 };
const failed = (failure: ModelFailure, retryAfterMs?: number): ModelError => ({ failure, message: 'test (m) 500: no', ...(retryAfterMs !== undefined && { retryAfterMs }) });

describe('the retry policy', () => {
  it('doubles the wait after each failed try, and gives up after the sixth', () => {
    const waits = [1, 2, 3, 4, 5, 6].map((tries) => {
      const verdict = judgeFailure(failed('server'), tries, middle);
      return verdict.kind === 'again' ? verdict.delayMs : verdict.kind;
    });
    assert.deepEqual(waits, [1000, 2000, 4000, 8000, 16_000, 'give_up']);
  });

  it('tells how often it tried, and in the words of the provider why it failed', () => {
    const verdict = judgeFailure(failed('overloaded'), 6, middle);
    assert.match(verdict.kind === 'give_up' ? verdict.error.message : '', /6 tries.*test \(m\) 500: no/);
  });

  for (const failure of ['rate_limited', 'overloaded', 'server', 'timeout', 'network'] satisfies ModelFailure[]) {
    it(`asks again after ${failure}`, () => assert.equal(judgeFailure(failed(failure), 1, middle).kind, 'again'));
  }
  for (const failure of ['auth', 'quota', 'bad_request', 'context', 'error'] satisfies ModelFailure[]) {
    it(`takes ${failure} as final, even where the provider names a time`, () => {
      const error = failed(failure, 1000);
      assert.deepEqual(judgeFailure(error, 1, middle), { kind: 'give_up', error, coolMs: 0 });
    });
  }

  it('makes everybody wait only where the provider has too much to do', () => {
    const cools = (failure: ModelFailure): boolean => judgeFailure(failed(failure), 1, middle).coolMs > 0;
    assert.deepEqual([cools('rate_limited'), cools('overloaded'), cools('server'), cools('network'), cools('timeout')], [true, true, false, false, false]);
    assert.ok(judgeFailure(failed('rate_limited'), 6, middle).coolMs > 0, 'also when this agent gives up');
  });

  it('does not wait for a provider that asks for more than five minutes', () => {
    assert.equal(judgeFailure(failed('rate_limited', 300_000), 1, middle).kind, 'again');
    const verdict = judgeFailure(failed('rate_limited', 300_001), 1, middle);
    assert.equal(verdict.kind, 'give_up');
    assert.equal(verdict.coolMs, 0);
    assert.match(verdict.kind === 'give_up' ? verdict.error.message : '', /test \(m\) 500: no.*6 minutes/);
  });

  it('never asks earlier than the provider wants, nor than the back-off less a quarter', () => {
    fc.assert(
      fc.property(fc.nat(300_000), fc.integer({ min: 1, max: 5 }), fc.double({ min: 0, max: 0.999, noNaN: true }), (wanted, tries, random) => {
        const verdict = judgeFailure(failed('rate_limited', wanted), tries, { ...DEFAULT_RETRY, random: () => random });
        assert.ok(verdict.kind === 'again' && verdict.delayMs >= wanted && verdict.delayMs >= 750 * 2 ** (tries - 1) && verdict.coolMs === verdict.delayMs);
      }),
    );
  });
});
