import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { runLoop, type LoopOptions } from '../../../src/runtime/agent/loop.ts';
import { deferred } from '../../../src/runtime/base/async.ts';
import type { RunOutcome } from '../../../src/runtime/domain/agents.ts';
import { textMessage, type Message } from '../../../src/runtime/domain/messages.ts';
import type { ModelRequest } from '../../../src/runtime/domain/models.ts';
import { contextOf } from '../../support/context.ts';
import { EventRecorder } from '../../support/events.ts';
import { assertWellFormed, ScriptedModel, type ScriptedTurn } from '../../support/scriptedModel.ts';
import { timingOf } from '../../support/timing.ts';

interface Run {
  readonly outcome: RunOutcome;
  readonly conversation: Message[];
  readonly model: ScriptedModel;
  readonly recorder: EventRecorder;
  readonly ran: string[];
}

async function run(script: readonly ScriptedTurn[], options: Partial<LoopOptions> = {}): Promise<Run> {
  const model = new ScriptedModel(script);
  const recorder = new EventRecorder();
  const conversation: Message[] = [textMessage('Do it.')];
  const ran: string[] = [];
  const outcome = await runLoop(conversation, {
    agent: { kind: 'root', sessionId: 's' },
    provider: model,
    timing: timingOf(),
    model: { provider: 'p', model: 'm', reasoningEffort: 'high', maxOutputTokens: 99 },
    system: '',
    tools: () => [],
    maxTurns: 10,
    signal: new AbortController().signal,
    publish: recorder.publish,
    append: async (message) => void conversation.push(message),
    context: contextOf(conversation),
    runTools: async (calls) => {
      ran.push(...calls.map((call) => call.id));
      return calls.map((call) => ({ callId: call.id, name: call.name, isError: false, content: [{ type: 'text', text: 'ok' }] }));
    },
    ...options,
  });
  assertWellFormed({ model: '', system: '', tools: [], signal: new AbortController().signal, messages: conversation });
  return { outcome, conversation, model, recorder, ran };
}

const call = { name: 'Read', input: { file_path: 'a' } };

describe('agent loop', () => {
  it('runs tool calls until the model answers, and returns its last text', async () => {
    const { outcome, model, ran } = await run([{ text: 'Looking.', calls: [call, call] }, { text: ' Done. ' }]);
    assert.deepEqual(outcome, { status: 'completed', text: 'Done.' });
    assert.deepEqual(ran, ['call_1', 'call_2']);
    assert.deepEqual(model.requests.map(({ reasoningEffort, maxOutputTokens }) => [reasoningEffort, maxOutputTokens]), [['high', 99], ['high', 99]]);
    model.assertClean();
  });

  it('sends the settings of its model, and nothing that is for people', async () => {
    const model = { provider: 'p', model: 'm', temperature: 0, topP: 0.5, contextWindow: 50_000, displayName: 'The model', price: { input: 3, output: 15 }, tier: 'simple' } as const;
    const { model: { requests } } = await run([{ text: 'Done.' }], { model });
    const [{ messages: _messages, signal: _signal, ...sent }] = requests as [ModelRequest];
    assert.deepEqual(sent, { model: 'm', temperature: 0, topP: 0.5, system: '', tools: [] });
  });

  it('makes exactly maxTurns model turns, runs no call of the last one, and fails as max_turns', async () => {
    const { outcome, model, ran } = await run([{ calls: [call] }, { text: 'Half way.', calls: [call] }], { maxTurns: 2 });
    assert.deepEqual(outcome, { status: 'failed', reason: 'max_turns', message: 'Subagent reached max turns', partialText: 'Half way.' });
    assert.deepEqual(ran, ['call_1']);
    model.assertClean();
  });

  it('completes when the last allowed turn is the answer', async () => {
    const { outcome } = await run([{ calls: [call] }, { text: 'Done.' }], { maxTurns: 2 });
    assert.equal(outcome.status, 'completed');
  });

  for (const [name, text] of [['no text', ''], ['white space only', ' \n\t ']] as const) {
    it(`fails as no_text after ${name}, keeping the last text there was`, async () => {
      const { outcome } = await run([{ text: 'First.', calls: [call] }, { text }]);
      assert.equal(outcome.status, 'failed');
      assert.deepEqual(outcome, { status: 'failed', reason: 'no_text', message: 'The model stopped without a final text.', partialText: 'First.' });
    });
  }

  for (const stop of ['max_tokens', 'refusal', 'filtered', 'context'] as const) {
    it(`never takes an answer that stopped with ${stop} as complete, and runs none of its calls`, async () => {
      const { outcome, ran } = await run([{ text: 'Partly', calls: [call], stop }]);
      assert.equal(outcome.status, 'failed');
      assert.equal(outcome.status === 'failed' && outcome.reason, stop);
      assert.equal(outcome.status === 'failed' && outcome.partialText, 'Partly');
      assert.deepEqual(ran, []);
    });
  }

  it('goes on after a paused turn', async () => {
    const { outcome, model } = await run([{ text: 'One. ', stop: 'paused' }, { text: 'Two.' }]);
    assert.deepEqual(outcome, { status: 'completed', text: 'Two.' });
    model.assertClean();
  });

  it('gives a provider failure its reason', async () => {
    const { outcome } = await run([{ stop: 'error', error: { failure: 'quota', message: 'No credit.' } }]);
    assert.deepEqual(outcome, { status: 'failed', reason: 'quota', message: 'No credit.' });
  });

  it('counts a provider that throws, or ends without an end event, as failed', async () => {
    for (const stream of [async function* () { throw new Error('boom'); }, async function* () {}]) {
      const { outcome } = await run([], { provider: { id: 'bad', stream } });
      assert.equal(outcome.status === 'failed' && outcome.reason, 'error');
    }
  });

  it('makes no request once aborted', async () => {
    const { outcome, model } = await run([], { signal: AbortSignal.abort() });
    assert.deepEqual(outcome, { status: 'cancelled' });
    assert.equal(model.requests.length, 0);
  });

  it('is cancelled while the model is silent', async () => {
    const abort = new AbortController();
    const running = run([{ wait: deferred().promise }], { signal: abort.signal });
    abort.abort();
    assert.deepEqual((await running).outcome, { status: 'cancelled' });
  });

  it('is cancelled during the tool phase after every call got its result', async () => {
    const abort = new AbortController();
    const { outcome, model } = await run([{ calls: [call, call, call] }], {
      signal: abort.signal,
      runTools: async (calls) => {
        abort.abort();
        return calls.map(({ id, name }) => ({ callId: id, name, isError: true, content: [] }));
      },
    });
    assert.equal(outcome.status, 'cancelled');
    model.assertClean();
  });

  it('rejects when a message cannot be kept, and acts on nothing of it', async () => {
    const ran: string[] = [];
    await assert.rejects(
      run([{ calls: [call] }], {
        append: () => Promise.reject(new Error('disk full')),
        runTools: async (calls) => {
          ran.push(...calls.map(({ id }) => id));
          return [];
        },
      }),
      /disk full/,
    );
    assert.deepEqual(ran, []);
  });

  it('publishes text, thinking and the usage of each turn in order', async () => {
    const { recorder } = await run([{ thinking: 'hm', text: 'Hi', usage: { input: 3 } }]);
    assert.deepEqual(recorder.events.map(({ type }) => type), ['thinking.delta', 'text.delta', 'model.ended']);
    assert.equal(recorder.of('model.ended')[0]?.usage.input, 3);
  });
});
