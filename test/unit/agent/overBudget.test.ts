import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { runLoop, type LoopOptions } from '../../../src/runtime/agent/loop.ts';
import type { RunOutcome } from '../../../src/runtime/domain/agents.ts';
import { textMessage, textOf, type Message } from '../../../src/runtime/domain/messages.ts';
import type { Usage } from '../../../src/runtime/domain/usage.ts';
import { EventRecorder } from '../../support/events.ts';
import { ManualClock, runThrough } from '../../support/manualClock.ts';
import { assertWellFormed, ScriptedModel, type ScriptedTurn } from '../../support/scriptedModel.ts';
import { contextOf } from '../../support/context.ts';
import { timingOf } from '../../support/timing.ts';

const OVER = 'Too much was used.';
const call = { name: 'Read', input: {} };

/** A run that may ask its model while `limit` isn't reached by what the model turns so far used as input. */
async function run(script: readonly ScriptedTurn[], limit: number, options: Partial<LoopOptions> = {}) {
  const [model, recorder, clock] = [new ScriptedModel(script), new EventRecorder(), new ManualClock()];
  const conversation: Message[] = [textMessage('Do it.')];
  let ran = 0;
  const used = (): number => recorder.of('model.ended').reduce((sum, { usage }) => sum + usage.input, 0);
  const work = runLoop(conversation, {
    agent: { kind: 'root', sessionId: 's' },
    provider: model,
    timing: timingOf({ clock }),
    model: { provider: 'p', model: 'm' },
    system: '',
    tools: () => [],
    maxTurns: 10,
    signal: new AbortController().signal,
    publish: recorder.publish,
    context: contextOf(conversation),
    overBudget: () => (used() > limit ? OVER : undefined),
    append: async (message) => void conversation.push(message),
    runTools: async (calls) => {
      ran += calls.length;
      return calls.map(({ id, name }) => ({ callId: id, name, isError: false, content: [] }));
    },
    ...options,
  });
  const outcome: RunOutcome = await runThrough(clock, work);
  model.assertClean();
  assertWellFormed({ model: 'm', system: '', tools: [], messages: conversation, signal: new AbortController().signal });
  return { outcome, conversation, model, recorder, ran };
}

describe('a run whose budget is used up', () => {
  it('ends with its turn, whose calls do not run, and keeps its text', async () => {
    const { outcome, conversation, ran } = await run([{ text: 'Half.', calls: [call, call], usage: { input: 100 } }], 99);
    assert.deepEqual(outcome, { status: 'failed', reason: 'budget', message: OVER, partialText: 'Half.' });
    assert.equal(ran, 0);
    const results = conversation.at(-1);
    assert.deepEqual(results?.role === 'tool' && results.results.map(({ content, isError }) => [textOf(content), isError]), [[`Not run. ${OVER}`, true], [`Not run. ${OVER}`, true]]);
  });

  it('goes on at exactly the limit', async () => {
    const { outcome, ran } = await run([{ calls: [call], usage: { input: 100 } }, { text: 'Done.' }], 100);
    assert.deepEqual([outcome.status, ran], ['completed', 1]);
  });

  it('has completed where that turn was its answer, whatever was said to it meanwhile', async () => {
    let told = 0;
    const deliver = async (): Promise<boolean> => told++ > 0;
    const { outcome } = await run([{ text: 'Done.', usage: { input: 100 } }], 99, { deliver });
    assert.deepEqual(outcome, { status: 'completed', text: 'Done.' });
  });

  it('does not go on with a turn that paused', async () => {
    const { outcome } = await run([{ text: 'Searching.', stop: 'paused', usage: { input: 100 } }], 99);
    assert.deepEqual(outcome, { status: 'failed', reason: 'budget', message: OVER, partialText: 'Searching.' });
  });

  it('asks no more after its tools, where others used it up meanwhile', async () => {
    let isOver = false;
    const runTools: LoopOptions['runTools'] = async (calls) => {
      isOver = true;
      return calls.map(({ id, name }) => ({ callId: id, name, isError: false, content: [] }));
    };
    const { outcome, model, recorder } = await run([{ text: 'Half.', calls: [call] }], 0, { runTools, overBudget: () => (isOver ? OVER : undefined) });
    assert.deepEqual(outcome, { status: 'failed', reason: 'budget', message: OVER, partialText: 'Half.' });
    assert.equal(model.requests.length, 1);
    assert.equal(recorder.of('model.ended').length, 1, 'a turn that was not taken');
  });

  it('does not ask again after a failure that passes', async () => {
    let isOver = false;
    const busy: ScriptedTurn = { stop: 'error', error: { failure: 'overloaded', message: 'busy' }, usage: { input: 7 }, check: () => (isOver = true) };
    const { outcome, recorder } = await run([busy], 0, { overBudget: () => (isOver ? OVER : undefined) });
    assert.deepEqual(outcome, { status: 'failed', reason: 'budget', message: OVER });
    assert.deepEqual(recorder.of('model.ended').map(({ usage }) => usage.input), [7], 'what the failed try used counts');
  });

  it('counts what the failed tries of a turn used before it asks again', async () => {
    const half: ScriptedTurn = { text: 'Half', stop: 'error', error: { failure: 'overloaded', message: 'busy' }, usage: { input: 60, output: 0 } };
    const pendings: (Usage | undefined)[] = [];
    const overBudget = (pending?: Usage): string | undefined => {
      pendings.push(pending);
      return (pending?.input ?? 0) > 100 ? OVER : undefined;
    };
    const { outcome, model } = await run([half, half], 0, { overBudget, model: { provider: 'p', model: 'm', price: { input: 1e6, output: 0 } } });
    assert.deepEqual(outcome, { status: 'failed', reason: 'budget', message: OVER });
    assert.equal(model.requests.length, 2);
    assert.deepEqual(pendings.flatMap((pending) => (pending && pending.input > 0 ? [[pending.input, pending.cost]] : [])), [[60, 60], [120, 120]]);
  });
});
