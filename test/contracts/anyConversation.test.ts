import fc from 'fast-check';
import { toEditorRequest } from '../../src/host/lm/toChatTurns.ts';
import type { AssistantMessage, ContentPart, Message, ToolResultPart } from '../../src/runtime/domain/messages.ts';
import type { ModelRequest } from '../../src/runtime/domain/models.ts';
import { anthropicBody } from '../../src/runtime/providers/anthropic/request.ts';
import { chatBody } from '../../src/runtime/providers/openai/chatRequest.ts';
import { responsesBody } from '../../src/runtime/providers/openai/responsesRequest.ts';
import type { KeptAnswer, Piece, Reader } from '../../src/runtime/providers/verbatim.ts';
import { assertEditorRequest } from '../support/editorRequest.ts';
import { assertWireFormat } from '../support/wireFormat.ts';
import { IMAGE, READ } from './providerContract.ts';

/** Any text that a person, a file or a model may produce: empty, blank, with halves of pairs, with escapes. */
const text = fc.oneof(fc.constantFrom('', ' ', '\n', 'Hi.', '\uD83D', 'a\uDE00b', '\\ud83d', '"'), fc.string({ unit: 'binary', maxLength: 20 }));
const json = fc.oneof(fc.constantFrom('', ' ', 'null', '[1]', '"x"', '{"a":', '{"a":"\\ud83d"}', '{"\\udc00":[{"b":"\\ud800x"}]}'), fc.dictionary(text, fc.jsonValue()).map((value) => JSON.stringify(value)), text);
const contentPart: fc.Arbitrary<ContentPart> = fc.oneof({ weight: 4, arbitrary: text.map((value) => ({ type: 'text' as const, text: value })) }, { weight: 1, arbitrary: fc.constantFrom(IMAGE, { ...IMAGE, mimeType: 'image/bmp' }) });
const content = fc.array(contentPart, { maxLength: 3 });

const kept = [
  { wire: 'messages', block: { type: 'thinking', thinking: '', signature: 'c2ln' } },
  { wire: 'messages', block: { type: 'redacted_thinking', data: 'ZGF0YQ==' } },
  { wire: 'responses', block: { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'ZW5j' } },
  { wire: 'chat', block: { field: 'reasoning_content' } },
] as const;

const part = fc.oneof(
  text.map((value) => ({ type: 'text' as const, text: value })),
  text.map((value) => ({ type: 'thinking' as const, text: value })),
  fc.record({ type: fc.constant('tool_call' as const), name: fc.constantFrom('Read', 'Grep'), arguments: json }),
);

/** An answer and its results, with ids that are unique in the conversation but may have any form. */
const turn = fc.record({ parts: fc.array(part, { maxLength: 4 }), kept: fc.array(fc.tuple(fc.constantFrom(...kept), fc.nat(4)), { maxLength: 3 }), idForm: fc.constantFrom('call_', 'functions.Read:', 'é', 'x'.repeat(70)), results: fc.array(fc.tuple(content, fc.boolean()), { minLength: 4, maxLength: 4 }), says: fc.option(content) });

const conversation = fc.array(turn, { minLength: 1, maxLength: 4 }).map((turns) => [{ role: 'user', source: 'user', content: [{ type: 'text', text: 'Go.' }] } as const, ...turns.flatMap(messagesOfTurn)]);

function messagesOfTurn({ parts, kept: blocks, idForm, results, says }: typeof turn extends fc.Arbitrary<infer T> ? T : never, index: number): Message[] {
  const answer = parts.map((given, at) => (given.type === 'tool_call' ? { ...given, id: `${idForm}${index}-${at}` } : given));
  const calls = answer.filter((given) => given.type === 'tool_call');
  const [first] = blocks;
  const pieces: Piece<unknown>[] = answer.flatMap((given): Piece<unknown>[] => (given.type === 'text' ? [{ type: 'text', length: given.text.length }] : given.type === 'tool_call' ? [{ type: 'call' }] : []));
  for (const [{ block, wire }, at] of blocks) if (wire === first?.[0].wire) pieces.splice(at, 0, { type: 'kept', block });
  const data: KeptAnswer<unknown> | undefined = first && { wire: first[0].wire, address: 'a', pieces };
  const message: AssistantMessage = { role: 'assistant', stop: calls.length > 0 ? 'tool_calls' : 'stop', content: answer, ...(data && { verbatim: { provider: 'p', model: 'm', data } }) };
  const answered: ToolResultPart[] = calls.map(({ id, name }, at) => ({ callId: id, name, content: results[at]?.[0] ?? [], isError: results[at]?.[1] ?? false }));
  // The loop asks again after results, and otherwise only when the user says something.
  const next: Message[] = says || calls.length === 0 ? [{ role: 'user', source: 'user', content: says ?? [] }] : [];
  return [message, ...(calls.length > 0 ? [{ role: 'tool', results: answered } as const] : []), ...next];
}

const request: fc.Arbitrary<ModelRequest> = fc.record({
  model: fc.constant('m'),
  system: text,
  messages: conversation,
  tools: fc.constantFrom([], [READ]),
  reminder: text,
  reasoningEffort: fc.constantFrom('low' as const, 'high' as const),
  signal: fc.constant(new AbortController().signal),
});

const reader = (wire: string): Reader => ({ provider: 'p', model: 'm', wire, address: 'a' });
/** As the body looks after it went over the wire. */
const sent = (body: object): Readonly<Record<string, unknown>> => JSON.parse(JSON.stringify(body)) as Readonly<Record<string, unknown>>;

describe('any conversation', () => {
  it('makes a request that Anthropic takes', () => {
    fc.assert(fc.property(request, (given) => assertWireFormat({ path: '/v1/messages', body: sent(anthropicBody(given, reader('messages'))) })), { numRuns: 500 });
  });

  it('makes a request that OpenAI Responses takes', () => {
    fc.assert(fc.property(request, (given) => assertWireFormat({ path: '/v1/responses', body: sent(responsesBody(given, reader('responses'))) })), { numRuns: 500 });
  });

  it('makes a request that Chat Completions takes', () => {
    fc.assert(fc.property(request, fc.boolean(), (given, isOwn) => assertWireFormat({ path: '/v1/chat/completions', body: sent(chatBody(given, reader('chat'), isOwn)) })), { numRuns: 500 });
  });

  it('makes a request that the models of the editor take, with its images and without', () => {
    fc.assert(
      fc.property(request, fc.boolean(), (given, takesImages) => {
        const made = toEditorRequest(given, takesImages);
        assertEditorRequest(made, given.system.trim() === '' ? 0 : 1);
        if (!takesImages && JSON.stringify(made.turns).includes('"type":"image"')) throw new Error('There is an image.');
      }),
      { numRuns: 500 },
    );
  });

  it('leaves the messages as they are', () => {
    fc.assert(
      fc.property(request, (given) => {
        const before = JSON.stringify(given.messages);
        anthropicBody(given, reader('messages'));
        responsesBody(given, reader('responses'));
        chatBody(given, reader('chat'), true);
        toEditorRequest(given, true);
        if (JSON.stringify(given.messages) !== before) throw new Error('The conversation was changed.');
      }),
      { numRuns: 100 },
    );
  });
});
