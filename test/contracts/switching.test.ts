import assert from 'node:assert/strict';
import { runModelTurn } from '../../src/runtime/agent/modelTurn.ts';
import { textMessage, toolCallsOf, type Message } from '../../src/runtime/domain/messages.ts';
import { timingOf } from '../support/timing.ts';
import { RawServer } from '../support/rawServer.ts';
import { assertWireFormat } from '../support/wireFormat.ts';
import { ENCRYPTED, SIGNATURE } from '../support/wireFrames.ts';
import { IMAGE, READ } from './providerContract.ts';
import { ANTHROPIC, CHAT, KEY, RESPONSES, type TestWire } from './wires.ts';

const MARKS: ReadonlyMap<TestWire, string> = new Map([
  [ANTHROPIC, SIGNATURE],
  [RESPONSES, ENCRYPTED],
  [CHAT, '"reasoning_content"'],
]);
const wires = [...MARKS.keys()];

/** One provider after the other: there and back for every pair, and all of them in a row. */
const ROUTES = [...wires.flatMap((a) => wires.filter((b) => b !== a).map((b) => [a, b, a])), [...wires, ...wires], [...wires].reverse()];

describe('a conversation that changes its provider', () => {
  let server: RawServer;

  before(async () => {
    server = await RawServer.start();
  });

  after(() => server.stop());

  afterEach(() => {
    for (const wire of wires) wire.restore();
    server.requests.length = 0;
  });

  for (const route of ROUTES) {
    it(`goes on over ${route.map(({ name }) => name.replace(/^openai /u, '').split(' ')[0]).join(' → ')}`, async () => {
      const messages: Message[] = [textMessage('Read what is here.')];
      const asked = new Set<TestWire>();
      for (const [index, wire] of route.entries()) {
        // Some servers number the calls of each answer anew.
        const calls = [0, 1].map((call) => ({ id: `call:${call}`, name: 'Read', pieces: [`{"file_path":"${index}-${call}"}`] }));
        server.answer = () => ({ chunks: wire.frames({ thinking: `Thinking ${index}`, text: [`Step ${index}.`], calls }) });
        const request = { model: wire.model, reasoningEffort: 'medium' as const, system: 'You help.', messages, tools: [READ], reminder: 'One task is open.', signal: new AbortController().signal };
        const { message } = await runModelTurn(request, { provider: wire.create(server.url, KEY), agent: { kind: 'root', sessionId: 's' }, publish: () => undefined, timing: timingOf() });
        wire.restore();
        assert.equal(message.stop, 'tool_calls');

        assertWireFormat(server.lastRequest);
        const sent = JSON.stringify(server.lastRequest.body);
        for (const [other, mark] of MARKS) assert.equal(sent.includes(mark), other === wire && asked.has(wire), `${other.name}'s thinking in a request to ${wire.name}`);
        for (let before = 0; before < index; before += 1) assert.ok(sent.includes(`Step ${before}.`) && sent.includes(`result ${before}-1`), 'the whole conversation is there');
        asked.add(wire);

        messages.push(JSON.parse(JSON.stringify(message)) as Message, {
          role: 'tool',
          results: toolCallsOf(message).map(({ id, name }, call) => ({
            callId: id,
            name,
            isError: call === 0,
            content: call === 0 ? [{ type: 'text', text: `result ${index}-0` }, IMAGE] : [{ type: 'text', text: `result ${index}-1` }],
          })),
        });
      }
      assert.equal(asked.size, new Set(route).size);
    });
  }
});
