import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { costOf } from '../../../src/runtime/agent/cost.ts';
import { runModelTurn } from '../../../src/runtime/agent/modelTurn.ts';
import { textMessage } from '../../../src/runtime/domain/messages.ts';
import type { ModelEvent, ModelPrice } from '../../../src/runtime/domain/models.ts';
import { addUsage, NO_USAGE, type Usage } from '../../../src/runtime/domain/usage.ts';
import { EventRecorder } from '../../support/events.ts';
import { ManualClock, runThrough } from '../../support/manualClock.ts';
import { timingOf } from '../../support/timing.ts';

const PRICE: ModelPrice = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
const MILLION: Usage = { input: 1e6, output: 1e6, cacheRead: 1e6, cacheWrite: 1e6, reasoning: 1e6 };
const text = (words: string): ModelEvent => ({ type: 'text', text: words });
const used = (usage: Partial<Usage>): ModelEvent => ({ type: 'usage', usage: { ...NO_USAGE, ...usage } });
const STOP: ModelEvent = { type: 'end', stop: 'stop' };
const BROKEN: ModelEvent = { type: 'end', stop: 'error', error: { failure: 'network', message: 'gone' } };

/** The usage of a turn whose tries bring these events, as its end tells it. */
async function usageOf(tries: readonly (readonly ModelEvent[])[], price?: ModelPrice): Promise<Usage | undefined> {
  const [clock, recorder, left] = [new ManualClock(), new EventRecorder(), [...tries]];
  const provider = {
    id: 'test',
    stream: async function* (): AsyncIterable<ModelEvent> {
      yield* left.shift() ?? assert.fail('a try too many');
    },
  };
  const request = { model: 'm', system: '', messages: [textMessage('Do it.')], tools: [], signal: new AbortController().signal };
  const turn = await runThrough(clock, runModelTurn(request, { provider, agent: { kind: 'root', sessionId: 's' }, publish: recorder.publish, timing: timingOf({ clock }), model: price ? { price } : {} }));
  const [ended, ...others] = recorder.of('model.ended');
  assert.deepEqual(others, []);
  assert.deepEqual(turn.usage, ended?.usage);
  return ended?.usage;
}

describe('the cost of tokens', () => {
  it('is that of each kind at its own price, thinking as part of the output', () => {
    assert.equal(costOf(MILLION, PRICE), 3 + 15 + 0.3 + 3.75);
    assert.equal(costOf({ ...MILLION, reasoning: 0 }, PRICE), costOf(MILLION, PRICE));
  });

  it('is that of other input for cached tokens without a price of their own', () => {
    assert.equal(costOf(MILLION, { input: 3, output: 15 }), 3 + 15 + 3 + 3);
  });

  it('adds up over turns, of which some have none', () => {
    assert.equal(addUsage(NO_USAGE, NO_USAGE).cost, undefined);
    assert.equal(addUsage({ ...NO_USAGE, cost: 2 }, NO_USAGE).cost, 2);
    assert.equal(addUsage({ ...NO_USAGE, cost: 2 }, { ...NO_USAGE, cost: 0.5 }).cost, 2.5);
  });
});

describe('what a model turn used', () => {
  it('has its cost where the model has a price', async () => {
    assert.deepEqual(await usageOf([[text('Hi'), used({ input: 1000, output: 100 }), STOP]], PRICE), { ...NO_USAGE, input: 1000, output: 100, cost: 0.0045 });
    assert.deepEqual(await usageOf([[text('Hi'), used({ input: 1000 }), STOP]]), { ...NO_USAGE, input: 1000 });
  });

  it('counts each try once', async () => {
    const usage = await usageOf([[text('Ha'), used({ input: 1e6 }), BROKEN], [text('Hi'), used({ input: 1e6, output: 1e6 }), STOP]], PRICE);
    assert.deepEqual([usage?.input, usage?.output, usage?.cost], [2e6, 1e6, 21]);
  });

  it('is not known, and costs nothing that could be told, where the provider says nothing of it', async () => {
    for (const said of [[], [used({})]]) assert.deepEqual(await usageOf([[text('Hi'), ...said, STOP]], PRICE), { ...NO_USAGE, isPartial: true });
    const usage = await usageOf([[text('Ha'), BROKEN], [text('Hi'), used({ input: 1e6 }), STOP]], PRICE);
    assert.deepEqual([usage?.input, usage?.cost, usage?.isPartial], [1e6, 3, true]);
  });

  it('is nothing where no answer came', async () => {
    const refused: ModelEvent = { type: 'end', stop: 'error', error: { failure: 'auth', message: 'no' } };
    assert.deepEqual(await usageOf([[refused]], PRICE), NO_USAGE);
  });

  it('stays known to be incomplete in a sum', () => {
    assert.deepEqual(addUsage({ ...NO_USAGE, isPartial: true }, { ...NO_USAGE, input: 5 }), { ...NO_USAGE, input: 5, isPartial: true });
  });
});
