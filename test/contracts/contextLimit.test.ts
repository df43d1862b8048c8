import assert from 'node:assert/strict';
import { runLoop } from '../../src/runtime/agent/loop.ts';
import { textMessage, type Compaction, type Message } from '../../src/runtime/domain/messages.ts';
import { contextOf } from '../support/context.ts';
import { RawServer, type RawAnswer, type RecordedRequest } from '../support/rawServer.ts';
import { timingOf } from '../support/timing.ts';
import { assertWireFormat } from '../support/wireFormat.ts';
import { IMAGE, READ } from './providerContract.ts';
import { KEY, WIRES, type TestWire } from './wires.ts';

const WINDOW = 12_000;
const TURNS = 18;
const LINE = 'const value = compute(input, options);\n';
const WORDS = ['prompt is too long: {0} tokens > {1} maximum', "This model's maximum context length is {1} tokens. However, your messages resulted in {0} tokens.", 'Your input exceeds the context window of this model. Please adjust your input and try again.'];

/** A vendor whose model has a small window: it counts each body, and refuses those that are too long. */
class SmallVendor {
  readonly #wire: TestWire;
  readonly #words: string;
  #turns = 0;
  refused = 0;
  summaries = 0;

  constructor(wire: TestWire, words: string) {
    this.#wire = wire;
    this.#words = words;
  }

  answer({ body }: RecordedRequest): RawAnswer {
    const sent = JSON.stringify(body);
    const tokens = Math.ceil(sent.length / 3.5);
    if (tokens + 500 > WINDOW) {
      this.refused += 1;
      const message = this.#words.replace('{0}', String(tokens)).replace('{1}', String(WINDOW));
      return { status: 400, headers: { 'content-type': 'application/json' }, chunks: [JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } })] };
    }
    if (sent.includes('You sum up the record')) {
      this.summaries += 1;
      assert.ok(!('tools' in body), 'a summary has no tools');
      return { chunks: this.#wire.frames({ thinking: 'Hm.', text: ['Parts were read.'] }) };
    }
    this.#turns += 1;
    if (this.#turns > TURNS) return { chunks: this.#wire.frames({ text: ['All read.'] }) };
    const calls = ['a', 'b'].map((part) => ({ id: `call_${part}`, name: 'Read', pieces: [JSON.stringify({ file_path: `${this.#turns}${part}` })] }));
    return { chunks: this.#wire.frames({ thinking: `Hm ${this.#turns}.`, text: [LINE.repeat(30)], calls }) };
  }
}

describe('a conversation that grows longer than the window', () => {
  let server: RawServer;
  before(async () => {
    server = await RawServer.start();
  });
  after(() => server.stop());
  afterEach(() => {
    for (const wire of WIRES) wire.restore();
    server.requests.length = 0;
  });

  for (const wire of WIRES) {
    for (const [name, words, contextWindow] of [['known', WORDS[0], WINDOW], ...WORDS.map((said) => ['told by a refusal', said, undefined] as const)] as const) {
      it(`is one that ${wire.name} takes to its end, the window being ${name} (${words?.slice(0, 20)}…)`, async () => {
        const vendor = new SmallVendor(wire, words ?? '');
        server.answer = (request) => vendor.answer(request);
        const conversation: Message[] = [textMessage('Read all parts.')];
        const compactions: Compaction[] = [];
        const outcome = await runLoop(conversation, {
          agent: { kind: 'root', sessionId: 's' },
          provider: wire.create(server.url, KEY),
          timing: timingOf(),
          model: { provider: 'p', model: wire.model, reasoningEffort: 'low', maxOutputTokens: 500, ...(contextWindow !== undefined && { contextWindow }) },
          system: 'You read.',
          tools: () => [READ],
          maxTurns: 20,
          reminder: () => 'One task is open.',
          signal: new AbortController().signal,
          publish: () => undefined,
          append: async (message) => void conversation.push(message),
          context: contextOf(conversation, {
            replace: async (view, compaction) => {
              compactions.push(compaction);
              conversation.splice(0, conversation.length, ...view);
            },
          }),
          runTools: async (calls) => calls.map(({ id, name: tool }, index) => ({ callId: id, name: tool, isError: false, content: [{ type: 'text', text: LINE.repeat(80) }, ...(index === 0 ? [IMAGE] : [])] })),
        });
        assert.deepEqual(outcome, { status: 'completed', text: 'All read.' });
        for (const request of server.requests) assertWireFormat(request);
        assert.ok(compactions.length > 0 && vendor.summaries > 0);
        assert.ok(contextWindow === undefined ? vendor.refused >= 1 && vendor.refused <= 3 : vendor.refused === 0, `${vendor.refused} refusals`);
      });
    }
  }
});
