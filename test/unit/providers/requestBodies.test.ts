import assert from 'node:assert/strict';
import { toEditorRequest } from '../../../src/host/lm/toChatTurns.ts';
import { textMessage, type Message } from '../../../src/runtime/domain/messages.ts';
import type { ModelRequest } from '../../../src/runtime/domain/models.ts';
import { anthropicBody } from '../../../src/runtime/providers/anthropic/request.ts';
import { chatBody } from '../../../src/runtime/providers/openai/chatRequest.ts';
import { responsesBody } from '../../../src/runtime/providers/openai/responsesRequest.ts';

const reader = (wire: string): Parameters<typeof anthropicBody>[1] => ({ provider: 'p', model: 'm', wire, address: 'a' });
const schema = { type: 'object', properties: { file_path: { type: 'string' } } };
const tools = [{ name: 'Read', description: 'Reads.', inputSchema: schema }, { name: 'Grep', description: 'Searches.', inputSchema: schema }];
const image = { type: 'image', mimeType: 'image/png', data: 'iVBORw0=' } as const;
const messages: readonly Message[] = [
  textMessage('First.'),
  { role: 'assistant', stop: 'stop', content: [{ type: 'text', text: 'Yes?' }] },
  textMessage('Read both.'),
  {
    role: 'assistant',
    stop: 'tool_calls',
    content: [
      { type: 'tool_call', id: 'functions.Read:0', name: 'Read', arguments: '{ "file_path": "a" }' },
      { type: 'tool_call', id: 'x'.repeat(60), name: 'Read', arguments: 'not json' },
    ],
  },
  {
    role: 'tool',
    results: [
      { callId: 'functions.Read:0', name: 'Read', isError: false, content: [{ type: 'text', text: 'See:' }, image] },
      { callId: 'x'.repeat(60), name: 'Read', isError: true, content: [{ type: 'text', text: 'No JSON.' }] },
    ],
  },
];
const request: ModelRequest = { model: 'm', system: 'You help.', messages, tools, reminder: 'Two tasks are open.', signal: new AbortController().signal };

/** Zero is a temperature like any other. */
function assertSampling(bodyOf: (more: Partial<ModelRequest>) => object): void {
  const sampling = (more: Partial<ModelRequest>): object => Object.fromEntries(Object.entries(bodyOf(more)).filter(([name]) => name === 'temperature' || name === 'top_p'));
  assert.deepEqual(sampling({}), {});
  assert.deepEqual(sampling({ temperature: 0 }), { temperature: 0 });
  assert.deepEqual(sampling({ temperature: 0.7, topP: 0.9 }), { temperature: 0.7, top_p: 0.9 });
}

describe('a call under a name that no provider takes', () => {
  it('goes back under one that each takes, so that the conversation can go on', () => {
    for (const name of ['', 'functions.Read', 'x'.repeat(70)]) {
      const odd = { ...request, tools: [], messages: [textMessage('Go.'), { role: 'assistant', stop: 'tool_calls', content: [{ type: 'tool_call', id: 'c', name, arguments: '{}' }] }, { role: 'tool', results: [{ callId: 'c', name, isError: true, content: [] }] }] } as const;
      const editor = toEditorRequest(odd, true);
      const sent = [anthropicBody(odd, reader('messages')), responsesBody(odd, reader('responses')), chatBody(odd, reader('chat'), false), editor].flatMap((body) => [...JSON.stringify(body).matchAll(/"name":"([^"]*)"/gu)].map(([, found]) => found));
      assert.ok(sent.length >= 4);
      for (const found of sent) assert.match(found ?? '', /^[A-Za-z0-9_-]{1,64}$/u);
    }
  });
});

describe('a Messages request', () => {
  const body = anthropicBody(request, reader('messages'));

  it('marks the system prompt, the last tool and the last two turns of the user for the cache', () => {
    const marked = (value: unknown): boolean => JSON.stringify(value).includes('cache_control');
    assert.deepEqual([marked(body.system), body.tools?.map(marked), body.messages.map(marked)], [true, [false, true], [false, false, true, false, true]]);
  });

  it('ends with the reminder, which no breakpoint covers', () => {
    const last = body.messages.at(-1);
    assert.deepEqual(Array.isArray(last?.content) && last.content.at(-1), { type: 'text', text: 'Two tasks are open.' });
    assert.deepEqual(Array.isArray(last?.content) && last.content.map(({ type }) => type), ['tool_result', 'tool_result', 'text']);
  });

  it('gives arguments as objects, and errors and images in their result', () => {
    const [, , , answer, results] = body.messages;
    const inputs = Array.isArray(answer?.content) ? answer.content.flatMap((block) => (block.type === 'tool_use' ? [block.input] : [])) : [];
    assert.deepEqual(inputs, [{ file_path: 'a' }, { invalid_arguments: 'not json' }]);
    const [first, second] = Array.isArray(results?.content) ? results.content : [];
    assert.ok(first?.type === 'tool_result' && second?.type === 'tool_result');
    assert.deepEqual([first.is_error, second.is_error], [undefined, true]);
    assert.deepEqual(Array.isArray(first.content) && first.content.map(({ type }) => type), ['text', 'image']);
  });

  it('names the tools of earlier calls where none is offered, so that they can stand there', () => {
    const { tools: past, tool_choice } = anthropicBody({ ...request, tools: [] }, reader('messages'));
    assert.deepEqual([past?.map((tool) => 'name' in tool && tool.name), tool_choice], [['Read'], { type: 'none' }]);
    const plain = anthropicBody({ ...request, tools: [], messages: [textMessage('Hi.')] }, reader('messages'));
    assert.ok(!('tools' in plain) && !('tool_choice' in plain));
  });

  it('thinks adaptively, with a summary to show, where an effort is set', () => {
    assert.ok(!('thinking' in body) && !('output_config' in body));
    const { thinking, output_config } = anthropicBody({ ...request, reasoningEffort: 'high' }, reader('messages'));
    assert.deepEqual([thinking, output_config], [{ type: 'adaptive', display: 'summarized' }, { effort: 'high' }]);
  });

  it('says nothing of temperature and top-p unless they are set', () => assertSampling((more) => anthropicBody({ ...request, ...more }, reader('messages'))));

  it('limits the answer to 8192 tokens, or what is set', () => {
    assert.equal(body.max_tokens, 8192);
    assert.equal(anthropicBody({ ...request, maxOutputTokens: 100 }, reader('messages')).max_tokens, 100);
  });
});

describe('a Responses request', () => {
  const body = responsesBody(request, reader('responses'));
  const items = Array.isArray(body.input) ? body.input : [];

  it('stores nothing, and asks for encrypted reasoning where an effort is set', () => {
    assert.deepEqual([body.store, body.include, body.reasoning], [false, undefined, undefined]);
    const thinking = responsesBody({ ...request, reasoningEffort: 'low' }, reader('responses'));
    assert.deepEqual([thinking.include, thinking.reasoning], [['reasoning.encrypted_content'], { effort: 'low', summary: 'auto' }]);
  });

  it('says nothing of temperature and top-p unless they are set', () => assertSampling((more) => responsesBody({ ...request, ...more }, reader('responses'))));

  it('gives arguments as they were written, unless they are no JSON', () => {
    assert.deepEqual(items.flatMap((item) => (item.type === 'function_call' ? [item.arguments] : [])), ['{ "file_path": "a" }', '{"invalid_arguments":"not json"}']);
  });

  it('says which result is an error, shows images in a result, and ends with the reminder', () => {
    const outputs = items.flatMap((item) => (item.type === 'function_call_output' ? [item.output] : []));
    assert.deepEqual(outputs, [[{ type: 'input_text', text: 'See:' }, { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0=', detail: 'auto' }], 'Error: No JSON.']);
    assert.deepEqual(items.at(-1), { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Two tasks are open.' }] });
  });
});

describe('a Chat Completions request', () => {
  const body = chatBody(request, reader('chat'), false);

  it('puts images of results behind the last result, with the reminder in the same message', () => {
    assert.deepEqual(body.messages.map(({ role }) => role), ['system', 'user', 'assistant', 'user', 'assistant', 'tool', 'tool', 'user']);
    const last = body.messages.at(-1);
    assert.deepEqual(Array.isArray(last?.content) && last.content.map(({ type }) => type), ['text', 'image_url', 'text']);
    assert.equal(body.messages.at(-2)?.content, 'Error: No JSON.');
  });

  it('says nothing of temperature and top-p unless they are set', () => assertSampling((more) => chatBody({ ...request, ...more }, reader('chat'), false)));

  it('sends plain text as text, which every server can read', () => {
    assert.equal(body.messages[1]?.content, 'First.');
  });

  it('joins messages of one role that follow each other', () => {
    const two = chatBody({ ...request, reminder: '', messages: [textMessage('One.'), { role: 'assistant', stop: 'aborted', content: [] }, textMessage('Two.')] }, reader('chat'), false);
    assert.deepEqual(two.messages.slice(1), [{ role: 'user', content: 'One.\n\nTwo.' }]);
  });

  it('gives a call and its result the same id, in the form that every server takes', () => {
    const calls = body.messages.flatMap((message) => (message.role === 'assistant' ? (message.tool_calls ?? []).map(({ id }) => id) : []));
    const results = body.messages.flatMap((message) => (message.role === 'tool' ? [message.tool_call_id] : []));
    assert.deepEqual(results, calls);
    for (const id of calls) assert.match(id, /^[A-Za-z0-9_-]{1,40}$/u);
    assert.equal(new Set(calls).size, 2);
  });
});
