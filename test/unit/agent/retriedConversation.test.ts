import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import fc from 'fast-check';
import { runLoop } from '../../../src/runtime/agent/loop.ts';
import { textMessage, textOf, toolCallsOf, type Message } from '../../../src/runtime/domain/messages.ts';
import type { ModelFailure } from '../../../src/runtime/domain/models.ts';
import { contextOf } from '../../support/context.ts';
import { EventRecorder } from '../../support/events.ts';
import { ManualClock, runThrough } from '../../support/manualClock.ts';
import { assertWellFormed, ScriptedModel, type ScriptedTurn } from '../../support/scriptedModel.ts';
import { timingOf } from '../../support/timing.ts';

const PASSING: readonly ModelFailure[] = ['rate_limited', 'overloaded', 'server', 'timeout', 'network'];
const MAX_TRIES = 4;

/** A model turn: failed tries, each perhaps after some words and calls, and what the last one says. */
interface PlannedTurn {
  readonly failures: readonly { readonly failure: ModelFailure; readonly says: boolean; readonly calls: number; readonly retryAfterMs: number }[];
  readonly calls: number;
}

const turns: fc.Arbitrary<readonly PlannedTurn[]> = fc.array(
  fc.record({
    failures: fc.array(fc.record({ failure: fc.constantFrom(...PASSING), says: fc.boolean(), calls: fc.nat(2), retryAfterMs: fc.nat(400_000) }), { maxLength: MAX_TRIES }),
    calls: fc.integer({ min: 1, max: 3 }),
  }),
  { minLength: 1, maxLength: 5 },
);

const callsOf = (count: number): ScriptedTurn['calls'] => Array.from({ length: count }, () => ({ name: 'Read', input: {} }));

/** The script of the turns up to the one whose tries are used up, and how many turns succeed. */
function scriptOf(plan: readonly PlannedTurn[]): { script: ScriptedTurn[]; good: number; fails: boolean } {
  const script: ScriptedTurn[] = [];
  for (const [index, { failures, calls }] of plan.entries()) {
    for (const [at, { failure, says, calls: broken, retryAfterMs }] of failures.entries()) {
      script.push({ ...(says && { text: `broken ${index}` }), calls: callsOf(broken) ?? [], stop: 'error', error: { failure, message: failure, retryAfterMs } });
      if (retryAfterMs > 300_000 || at + 1 === MAX_TRIES) return { script, good: index, fails: true };
    }
    script.push(index === plan.length - 1 ? { text: `good ${index}` } : { text: `good ${index}`, calls: callsOf(calls) ?? [] });
  }
  return { script, good: plan.length, fails: false };
}

describe('a conversation whose turns were asked several times', () => {
  it('holds what the successful tries said and nothing else, each call with one result, whatever failed when', async () => {
    await fc.assert(
      fc.asyncProperty(turns, async (plan) => {
        const { script, good, fails } = scriptOf(plan);
        const clock = new ManualClock();
        const recorder = new EventRecorder();
        const model = new ScriptedModel(script);
        const conversation: Message[] = [textMessage('Do it.')];
        const ran: string[] = [];
        const outcome = await runThrough(
          clock,
          runLoop(conversation, {
            agent: { kind: 'root', sessionId: 's' },
            provider: model,
            timing: timingOf({ clock, publish: recorder.publish, retry: { maxTries: MAX_TRIES, spreadMs: 1000 } }),
            model: { provider: 'p', model: 'm' },
            system: '',
            tools: () => [],
            maxTurns: 10,
            signal: new AbortController().signal,
            publish: recorder.publish,
            append: async (message) => void conversation.push(message),
            context: contextOf(conversation),
            runTools: async (calls) => calls.map(({ id, name }) => (ran.push(id), { callId: id, name, isError: false, content: [] })),
          }),
        );
        model.assertClean();
        assertWellFormed({ model: '', system: '', tools: [], signal: new AbortController().signal, messages: conversation });
        const answers = conversation.flatMap((message) => (message.role === 'assistant' ? [message] : []));
        const whole = answers.filter(({ stop }) => stop !== 'error');
        assert.deepEqual(whole.map(({ content }) => textOf(content)), Array.from({ length: good }, (_, index) => `good ${index}`));
        assert.deepEqual(ran, whole.flatMap((message) => toolCallsOf(message).map(({ id }) => id)), 'exactly the calls of successful tries ran');
        // Of a turn that failed in the end, what its last try said is kept, and no other.
        assert.ok(answers.length - whole.length <= (fails ? 1 : 0));
        assert.equal(outcome.status, fails ? 'failed' : 'completed');
        assert.equal(recorder.of('model.ended').length, good + (fails ? 1 : 0));
        assert.equal(clock.pending, 0);
      }),
      { numRuns: 150 },
    );
  });
});
