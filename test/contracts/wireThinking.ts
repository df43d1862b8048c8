import assert from 'node:assert/strict';
import { textMessage, type AssistantMessage, type Message } from '../../src/runtime/domain/messages.ts';
import { runModelTurn } from '../../src/runtime/agent/modelTurn.ts';
import { timingOf } from '../support/timing.ts';
import { ENCRYPTED, SIGNATURE } from '../support/wireFrames.ts';
import { assertWireFormat } from '../support/wireFormat.ts';
import type { WireTest } from './wireTest.ts';
import { KEY } from './wires.ts';

const THINKING = 'The file "a" \u{1F914} first.';

/** Thinking goes back unchanged, in its place, to the model that thought. */
export function describeThinking(test: WireTest): void {
  const { wire } = test;
  if (!wire.showsThinking) return;
  const answered = async (): Promise<AssistantMessage> => {
    test.server.answer = () => ({ chunks: wire.frames({ thinking: THINKING, text: ['Read', 'ing.'], calls: [{ id: 'call_1', name: 'Read', pieces: ['{"file_path":"a"}'] }] }) });
    const turn = await runModelTurn(test.request({ reasoningEffort: 'high' }), { provider: wire.create(test.server.url, KEY), agent: { kind: 'root', sessionId: 's1' }, publish: () => undefined, timing: timingOf() });
    return turn.message;
  };
  const conversation = (answer: AssistantMessage): readonly Message[] => [
    textMessage('Read a.'),
    answer,
    { role: 'tool', results: [{ callId: 'call_1', name: 'Read', isError: false, content: [{ type: 'text', text: 'A' }] }] },
  ];
  const isSentBack = (body: object): boolean => [SIGNATURE, ENCRYPTED, '"reasoning_content"'].some((mark) => JSON.stringify(body).includes(mark));

  it('shows thinking and sends it back unchanged, before the call that it led to', async () => {
    const answer = await answered();
    assert.deepEqual(answer.content[0], { type: 'thinking', text: THINKING });
    const body = await test.sent(conversation(JSON.parse(JSON.stringify(answer)) as AssistantMessage), { reasoningEffort: 'high' });
    assertWireFormat(test.server.lastRequest);
    const sent = JSON.stringify(body);
    assert.ok(isSentBack(body) && sent.includes(JSON.stringify(THINKING).slice(1, -1)));
    if (wire.path !== '/v1/chat/completions') assert.ok(sent.indexOf(THINKING.slice(10)) < sent.indexOf('Reading.'), 'in its place');
  });

  it('sends no thinking to another model, nor to the same one at another address', async () => {
    const answer = await answered();
    assert.ok(!isSentBack(await test.sent(conversation(answer), { model: 'another' })));
    assertWireFormat(test.server.lastRequest);
    const moved = { ...answer, verbatim: { ...answer.verbatim!, data: { ...(answer.verbatim!.data as object), address: 'https://elsewhere.example' } } };
    assert.ok(!isSentBack(await test.sent(conversation(moved))));
    assertWireFormat(test.server.lastRequest);
  });

  it('builds the answer anew where what was kept does not match it', async () => {
    const answer = await answered();
    const damaged: unknown[] = [null, 'x', { pieces: [] }, { ...(answer.verbatim!.data as object), pieces: [{ type: 'call' }] }, { ...(answer.verbatim!.data as object), pieces: [{ type: 'kept', block: 1 }] }];
    for (const data of damaged) {
      assert.ok(!isSentBack(await test.sent(conversation({ ...answer, verbatim: { ...answer.verbatim!, data } }))));
      assertWireFormat(test.server.lastRequest);
      assert.ok(JSON.stringify(test.server.lastRequest.body).includes('Reading.'));
    }
  });
}
