import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { runModelTurn, type ModelTurn } from '../../../src/runtime/agent/modelTurn.ts';
import { deferred } from '../../../src/runtime/base/async.ts';
import { textMessage, toolCallsOf, type Message } from '../../../src/runtime/domain/messages.ts';
import type { ModelEvent } from '../../../src/runtime/domain/models.ts';
import { ManualClock, runThrough } from '../../support/manualClock.ts';
import { timingOf } from '../../support/timing.ts';

const text = (words: string): ModelEvent => ({ type: 'text', text: words });
const toolCall = (id: string): ModelEvent => ({ type: 'tool_call', id, name: 'Read', arguments: '{}' });
const STOP: ModelEvent = { type: 'end', stop: 'stop' };

function turnOf(stream: () => AsyncIterable<ModelEvent>, { messages = [textMessage('Do it.')], signal = new AbortController().signal, clock = new ManualClock() }: { messages?: readonly Message[]; signal?: AbortSignal; clock?: ManualClock } = {}): Promise<ModelTurn> {
  return runModelTurn({ model: 'm', system: '', messages, tools: [], signal }, { provider: { id: 'test', stream }, agent: { kind: 'root', sessionId: 's' }, publish: () => undefined, timing: timingOf({ clock }) });
}

async function* streamOf(events: readonly ModelEvent[]): AsyncIterable<ModelEvent> {
  yield* events;
}

describe('a model turn', () => {
  it('ends with the first end, so that nothing after it makes a cut answer whole', async () => {
    const { message } = await turnOf(() => streamOf([text('half'), { type: 'end', stop: 'max_tokens' }, text(' more'), STOP]));
    assert.equal(message.stop, 'max_tokens');
    assert.deepEqual(message.content, [{ type: 'text', text: 'half' }]);
  });

  it('lets the stream clean up after its end', async () => {
    let cleaned = false;
    await turnOf(async function* () {
      try {
        yield STOP;
        yield text('never read');
      } finally {
        cleaned = true;
      }
    });
    assert.ok(cleaned);
  });

  it('is an error when it stops in a way that nobody knows', async () => {
    for (const stop of ['weird', '__proto__', undefined]) {
      const { message, error } = await turnOf(() => streamOf([text('a'), { type: 'end', stop } as unknown as ModelEvent]));
      assert.equal(message.stop, 'error');
      assert.match(error?.message ?? '', /test/);
    }
  });

  it('ends soon after the abort although the provider is silent for ever', async () => {
    const stop = new AbortController();
    const asked = deferred<void>();
    const clock = new ManualClock();
    const turn = turnOf(
      async function* () {
        yield text('half');
        asked.resolve();
        await new Promise(() => undefined);
      },
      { signal: stop.signal, clock },
    );
    await asked.promise;
    stop.abort();
    assert.deepEqual((await runThrough(clock, turn)).message, { role: 'assistant', content: [{ type: 'text', text: 'half' }], stop: 'aborted' });
  });

  it('ends soon after the abort although the provider talks on for ever', async () => {
    const stop = new AbortController();
    const clock = new ManualClock();
    const turn = turnOf(
      async function* () {
        for (;;) {
          yield text('.');
          stop.abort();
          await new Promise((next) => setImmediate(next));
        }
      },
      { signal: stop.signal, clock },
    );
    assert.equal((await runThrough(clock, turn)).message.stop, 'aborted');
  });

  it('waits for a provider that needs a moment to stop', async () => {
    const stop = new AbortController();
    const turn = turnOf(
      async function* () {
        stop.abort();
        await new Promise((next) => setImmediate(next));
        yield text('last words');
        yield { type: 'end', stop: 'aborted' };
      },
      { signal: stop.signal },
    );
    assert.deepEqual((await turn).message.content, [{ type: 'text', text: 'last words' }]);
  });

  it('gives each call an id that its conversation does not have yet', async () => {
    const earlier: Message[] = [
      textMessage('Do it.'),
      { role: 'assistant', stop: 'tool_calls', content: [{ type: 'tool_call', id: 'call_0', name: 'Read', arguments: '{}' }] },
      { role: 'tool', results: [{ callId: 'call_0', name: 'Read', isError: false, content: [] }] },
    ];
    const { message } = await turnOf(() => streamOf([toolCall('call_0'), toolCall('a'), toolCall('a'), toolCall(''), toolCall(''), STOP]), { messages: earlier });
    const ids = toolCallsOf(message).map(({ id }) => id);
    assert.equal(new Set([...ids, 'call_0', '']).size, 7);
    assert.equal(ids[1], 'a', 'an id that is unique stays');
  });
});
