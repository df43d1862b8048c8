import assert from 'node:assert/strict';
import { checkModel, type CheckResult } from '../../../src/host/liveCheck.ts';
import { deferred } from '../../../src/runtime/base/async.ts';
import { SYSTEM_CLOCK } from '../../../src/runtime/base/clock.ts';
import type { ModelEvent, ModelProvider, ModelRef, ModelRequest } from '../../../src/runtime/domain/models.ts';
import { createOpenAiProvider } from '../../../src/runtime/providers/openai/client.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { RawServer } from '../../support/rawServer.ts';

const MODEL: ModelRef = { provider: 'p', model: 'm', reasoningEffort: 'low', maxOutputTokens: 5, contextWindow: 4096 };

function providing(...events: readonly ModelEvent[]) {
  const requests: ModelRequest[] = [];
  let isEnded = false;
  const provider: ModelProvider = {
    id: 'p',
    async *stream(request) {
      requests.push(request);
      try {
        yield* events;
        assert.fail('more was read than there is');
      } finally {
        isEnded = true;
      }
    },
  };
  return { provider, requests, isEnded: () => isEnded };
}

const check = (provider: ModelProvider): Promise<CheckResult> => checkModel(provider, MODEL, SYSTEM_CLOCK, new AbortController().signal);

describe('trying a model out', () => {
  it('takes the first sign of an answer, and reads no further', async () => {
    for (const event of [{ type: 'text', text: 'r' }, { type: 'thinking', text: 'h' }, { type: 'tool_call', id: '1', name: 'wait', arguments: '{}' }, { type: 'end', stop: 'max_tokens' }] as const) {
      const { provider, isEnded } = providing({ type: 'alive' }, event);
      assert.deepEqual(await check(provider), { ok: true });
      assert.ok(isEnded(), event.type);
    }
  });

  it('asks as real work would: with a tool, and with the effort', async () => {
    const { provider, requests } = providing({ type: 'text', text: 'ready' });
    await check(provider);
    assert.deepEqual(requests.map(({ model, reasoningEffort, tools, maxOutputTokens }) => [model, reasoningEffort, tools.length, maxOutputTokens]), [['m', 'low', 1, 1024]]);
  });

  it('fails in the provider’s own words', async () => {
    const error = { failure: 'auth', message: 'p (m) failed with status 401: No.' } as const;
    assert.deepEqual(await check(providing({ type: 'end', stop: 'error', error }).provider), { ok: false, error });
  });

  it('gives up a model that is silent, also one that heeds nothing', async () => {
    const clock = new ManualClock();
    const started = deferred<void>();
    const provider: ModelProvider = {
      id: 'p',
      async *stream() {
        started.resolve();
        await new Promise<void>(() => undefined);
        yield { type: 'text', text: 'too late' };
      },
    };
    const checking = checkModel(provider, MODEL, clock, new AbortController().signal);
    await started.promise;
    clock.advance(90_000);
    const result = await checking;
    assert.ok(!result.ok && result.error.failure === 'timeout');
    assert.equal(clock.pending, 0);
  });

  it('ends with the abort, and closes the connection', async () => {
    const server = await RawServer.start();
    try {
      const leaving = new AbortController();
      server.answer = () => ({ end: 'silent' });
      const provider = createOpenAiProvider({ baseUrl: server.url, apiKey: async () => undefined });
      const checking = assert.rejects(checkModel(provider, MODEL, new ManualClock(), leaving.signal), { reason: 'aborted' });
      while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
      leaving.abort();
      await checking;
      assert.equal(await server.lastRequest.closed, false);
    } finally {
      await server.stop();
    }
  });
});
