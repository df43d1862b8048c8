import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { runModelTurn, type ModelTurn } from '../../../src/runtime/agent/modelTurn.ts';
import { deferred } from '../../../src/runtime/base/async.ts';
import { textMessage, toolCallsOf, type Message } from '../../../src/runtime/domain/messages.ts';
import type { ModelEvent, ModelRequest } from '../../../src/runtime/domain/models.ts';
import { isMessage } from '../../../src/runtime/store/shapes.ts';
import { ManualClock, runThrough } from '../../support/manualClock.ts';
import { timingOf } from '../../support/timing.ts';

const text = (words: string): ModelEvent => ({ type: 'text', text: words });
const toolCall = (id: string): ModelEvent => ({ type: 'tool_call', id, name: 'Read', arguments: '{}' });
const STOP: ModelEvent = { type: 'end', stop: 'stop' };

function turnOf(stream: (request: ModelRequest) => AsyncIterable<ModelEvent>, { messages = [textMessage('Do it.')], signal = new AbortController().signal, clock = new ManualClock() }: { messages?: readonly Message[]; signal?: AbortSignal; clock?: ManualClock } = {}): Promise<ModelTurn> {
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

  it('is made of texts, whatever its provider yields', async () => {
    const odd = [
      { type: 'text', text: undefined }, { type: 'text', text: 'Hm.' }, { type: 'thinking', text: 5 }, { type: 'of a new kind' },
      { type: 'tool_call', id: undefined, name: 'Read', arguments: undefined }, { type: 'tool_call', id: 7, name: null, arguments: { file_path: 'a' } },
      { type: 'tool_call', id: 'c', name: 'Read', arguments: 1n },
    ] as unknown as readonly ModelEvent[];
    const { message, error } = await turnOf(() => streamOf([...odd, { type: 'end', stop: 'tool_calls' }]));
    assert.equal(error, undefined);
    assert.ok(isMessage(message), JSON.stringify(message));
    assert.deepEqual(message.content.map((part) => (part.type === 'tool_call' ? [part.name, part.arguments.slice(0, 15)] : part.text)), ['Hm.', ['Read', '{}'], ['', '{"file_path":"a'], ['Read', '(arguments that']]);
    assert.ok(toolCallsOf(message).every(({ id }) => id !== ''));
    const failed = await turnOf(() => streamOf([{ type: 'end', stop: 'error', error: { failure: 'bad_request', message: undefined } } as unknown as ModelEvent]));
    assert.equal(typeof failed.error?.message, 'string');
  });

  it('counts no tokens that are no number, and says that it was more', async () => {
    const told = (usage: unknown): ModelEvent => ({ type: 'usage', usage } as ModelEvent);
    const some = { input: 10, output: 5, cacheRead: 1, cacheWrite: 0, reasoning: 2 };
    const { usage } = await turnOf(() => streamOf([text('a'), told(some), told({ input: NaN, output: -1, cacheRead: Infinity, cacheWrite: '9', reasoning: 1 }), told(undefined), STOP]));
    assert.deepEqual(usage, { ...some, reasoning: 3, isPartial: true });
    assert.deepEqual((await turnOf(() => streamOf([text('a'), told(some), STOP]))).usage, some);
  });

  it('is given up where its answer has no end, and tells its provider', async () => {
    const endless: Readonly<Record<string, ModelEvent>> = { text: text('x'.repeat(1024 * 1024)), calls: { type: 'tool_call', id: 'x'.repeat(1024 * 1024), name: '', arguments: '' } };
    for (const [what, event] of Object.entries(endless)) {
      let [sent, wasTold] = [0, false];
      const { message, error } = await turnOf(async function* ({ signal }) {
        signal.addEventListener('abort', () => (wasTold = true));
        for (; sent < 64; sent += 1) yield event;
      });
      assert.ok(sent < 20, `${what}: ${sent} MB were read`);
      assert.deepEqual([message.stop, error?.failure, wasTold], ['error', 'error', true], what);
      assert.match(error?.message ?? '', /^test \(m\) sent more than 16 MB of text for one answer/);
    }
  });
});
