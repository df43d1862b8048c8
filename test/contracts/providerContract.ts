import assert from 'node:assert/strict';
import { textMessage, type Message } from '../../src/runtime/domain/messages.ts';
import type { ModelEvent, ModelProvider, ModelRequest, ToolSchema } from '../../src/runtime/domain/models.ts';

/** A request without its signal, which the suite adds. */
export type ContractRequest = Omit<ModelRequest, 'signal'>;

export const READ: ToolSchema = {
  name: 'Read',
  description: 'Reads a file.',
  inputSchema: { type: 'object', properties: { file_path: { type: 'string' } }, required: ['file_path'], additionalProperties: false },
};
/** One pixel. */
export const IMAGE = { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==' } as const;

const called: readonly Message[] = [
  textMessage('Read src/a.ts and say what it does.'),
  { role: 'assistant', stop: 'tool_calls', content: [{ type: 'text', text: 'Reading.' }, { type: 'tool_call', id: 'call_a', name: 'Read', arguments: '{"file_path":"src/a.ts"}' }] },
  { role: 'tool', results: [{ callId: 'call_a', name: 'Read', isError: false, content: [{ type: 'text', text: '1\texport const a = 1;' }] }] },
];
const calledTwice: readonly Message[] = [
  textMessage('Read both files.'),
  {
    role: 'assistant',
    stop: 'tool_calls',
    content: [
      { type: 'thinking', text: 'Two files.' },
      { type: 'tool_call', id: 'call.1', name: 'Read', arguments: '{"file_path":"a"}' },
      { type: 'tool_call', id: 'call.2', name: 'Read', arguments: '{"file_path":' },
    ],
  },
  {
    role: 'tool',
    results: [
      { callId: 'call.1', name: 'Read', isError: false, content: [{ type: 'text', text: 'A picture:' }, IMAGE] },
      { callId: 'call.2', name: 'Read', isError: true, content: [{ type: 'text', text: 'The arguments are no JSON.' }] },
    ],
  },
  textMessage('Go on.', 'steering'),
];
const empty: readonly Message[] = [
  textMessage('One.'),
  { role: 'assistant', stop: 'stop', content: [{ type: 'thinking', text: 'Nothing to say.' }] },
  textMessage(''),
  { role: 'assistant', stop: 'stop', content: [] },
  { role: 'user', source: 'user', content: [{ type: 'text', text: ' ' }, { type: 'text', text: 'Two.' }] },
];

/** Requests that every provider must take. */
export const CONTRACT_REQUESTS: Readonly<Record<string, ContractRequest>> = {
  'a plain question': { model: 'm', system: 'You help.', messages: [textMessage('Say something about "contracts".')], tools: [] },
  'a question with a tool': { model: 'm', system: 'You help.', messages: [textMessage('Read src/a.ts and say what it does.')], tools: [READ] },
  'a tool result': { model: 'm', system: 'You help.', messages: called, tools: [READ] },
  'a failed tool call': { model: 'm', system: '', messages: [...called.slice(0, 2), { role: 'tool', results: [{ callId: 'call_a', name: 'Read', isError: true, content: [{ type: 'text', text: 'Denied.' }] }] }], tools: [READ] },
  'parallel calls with an image and an error': { model: 'm', system: 'You help.', messages: calledTwice, tools: [READ] },
  'an image': { model: 'm', system: 'You help.', messages: [{ role: 'user', source: 'user', content: [{ type: 'text', text: 'What is in `it`?' }, IMAGE] }], tools: [] },
  'answers with nothing in them': { model: 'm', system: 'You help.', messages: empty, tools: [] },
  'a reminder': { model: 'm', system: 'You help.', messages: called, tools: [READ], reminder: 'Two tasks are open.' },
  'reasoning effort and a limit': { model: 'm', system: 'You help.', messages: [textMessage('Think about "this".')], tools: [], reasoningEffort: 'low', maxOutputTokens: 1000 },
  'unicode': { model: 'm', system: '🧪', messages: [textMessage('Größe 数据 \u{1F469}\u200D\u{1F4BB} \uD800 end')], tools: [] },
};

/** Reads a stream to its end. Fails if it throws. `onEvent` is told of what says something, with its number. */
export async function collect(stream: AsyncIterable<ModelEvent>, onEvent: (event: ModelEvent, count: number) => void = () => {}): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of stream) {
    // How many signs of life there are depends on how the network cut the answer.
    if (event.type === 'alive') continue;
    events.push(event);
    onEvent(event, events.length);
  }
  return events;
}

/** What holds for the events of any stream. */
export function assertWellFormed(events: readonly ModelEvent[], request: ContractRequest): void {
  const last = events.at(-1);
  assert.equal(last?.type, 'end', 'the last event is the end');
  assert.equal(events.filter(({ type }) => type === 'end').length, 1, 'there is one end');
  assert.equal(last.error !== undefined, last.stop === 'error', 'an error comes with the stop reason that says so');

  const calls = events.filter((event) => event.type === 'tool_call');
  if (last.stop !== 'aborted' && last.stop !== 'error') assert.equal(last.stop === 'tool_calls', calls.length > 0, 'tool calls and the stop reason agree');
  const earlier = request.messages.flatMap((message) => (message.role === 'assistant' ? message.content.flatMap((part) => (part.type === 'tool_call' ? [part.id] : [])) : []));
  const ids = [...earlier, ...calls.map(({ id }) => id)];
  assert.equal(new Set(ids).size, ids.length, 'ids of tool calls are unique in the conversation');
  for (const call of calls) {
    assert.ok(call.id !== '' && call.name !== '');
    assert.doesNotThrow(() => void JSON.parse(call.arguments), 'arguments are JSON text');
  }
  for (const event of events) {
    if (event.type === 'text' || event.type === 'thinking') assert.notEqual(event.text, '', 'no empty deltas');
    if (event.type === 'usage') assert.ok(Object.values(event.usage).every((count) => Number.isSafeInteger(count) && Number(count) >= 0), 'usage is counts');
  }
}

/**
 * Declares the tests that every provider must pass. `makeProvider` is called for each test and gives a provider
 * that answers any of the requests, each time it is asked.
 */
export function describeProviderContract(name: string, makeProvider: () => ModelProvider | Promise<ModelProvider>, requests: Readonly<Record<string, ContractRequest>> = CONTRACT_REQUESTS): void {
  describe(`provider contract: ${name}`, () => {
    const run = async (request: ContractRequest, signal: AbortSignal, onEvent?: (event: ModelEvent, count: number) => void): Promise<ModelEvent[]> =>
      collect((await makeProvider()).stream({ ...request, signal }), onEvent);

    it('has an id', async () => {
      assert.match((await makeProvider()).id, /^[a-z][a-z0-9-]*$/);
    });

    for (const [title, request] of Object.entries(requests)) {
      it(`answers ${title}`, async () => {
        const events = await run(request, new AbortController().signal);
        assertWellFormed(events, request);
        assert.ok(events.some(({ type }) => type === 'usage'), 'says what it used');
      });

      it(`ends at once for ${title} when it was aborted before`, async () => {
        assert.deepEqual(await run(request, AbortSignal.abort()), [{ type: 'end', stop: 'aborted' }]);
      });

      it(`ends with the abort at each event of ${title}`, async () => {
        const { length } = await run(request, new AbortController().signal);
        for (let stopAt = 1; stopAt < length; stopAt += 1) {
          const controller = new AbortController();
          const events = await run(request, controller.signal, (_event, count) => {
            if (count === stopAt) controller.abort();
          });
          assertWellFormed(events, request);
          assert.equal(events.length, stopAt + 1, 'nothing but the end comes after the abort');
          assert.deepEqual(events.at(-1), { type: 'end', stop: 'aborted' });
        }
      });
    }

    it('serves several streams at once', async () => {
      const provider = await makeProvider();
      const all = Object.values(requests);
      const streams = await Promise.all(all.map((request) => collect(provider.stream({ ...request, signal: new AbortController().signal }))));
      streams.forEach((events, index) => assertWellFormed(events, all[index]!));
    });

    it('can be left in the middle', async () => {
      const [request] = Object.values(requests);
      for await (const event of (await makeProvider()).stream({ ...request!, signal: new AbortController().signal })) {
        assert.ok(event);
        break;
      }
    });
  });
}
