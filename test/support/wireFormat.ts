import assert from 'node:assert/strict';

type Json = Readonly<Record<string, unknown>>;

/** A request of a provider, as it was recorded on the wire. */
export interface WireRequest {
  readonly path: string;
  readonly body: Json;
}

/**
 * Fails for a request that its vendor would refuse: each call needs one result, in order, right after it; turns
 * alternate; nothing is empty. The path says whose wire it is.
 */
export function assertWireFormat({ path, body }: WireRequest): void {
  assertNoLoneSurrogates(body);
  assert.ok(typeof body['model'] === 'string' && body['model'] !== '', 'names a model');
  assert.equal(body['stream'], true, 'asks for a stream');
  if (path.endsWith('/v1/messages')) assertMessages(body);
  else if (path.endsWith('/responses')) assertResponses(body);
  else if (path.endsWith('/chat/completions')) assertChat(body);
  else assert.fail(`a request to the unknown path ${path}`);
}

function assertMessages(body: Json): void {
  assert.deepEqual(unknownKeys(body, ['model', 'max_tokens', 'stream', 'system', 'messages', 'tools', 'tool_choice', 'thinking', 'output_config', 'temperature', 'top_p']), []);
  assert.ok(Number(body['max_tokens']) > 0, 'limits the answer');
  if ('system' in body) for (const block of list(body['system'])) assertText(block['text']);
  const breakpoints = JSON.stringify(body).match(/"cache_control":/gu)?.length ?? 0;
  assert.ok(breakpoints <= 4, `${breakpoints} cache breakpoints; four are allowed`);
  for (const tool of list(body['tools'] ?? [])) {
    assert.match(String(tool['name']), /^[A-Za-z0-9_-]{1,128}$/u);
    assert.equal(object(tool['input_schema'])['type'], 'object');
  }
  const turns = list(body['messages']);
  if (/"type":"tool_(?:use|result)"/u.test(JSON.stringify(turns))) assert.notEqual(list(body['tools'] ?? []).length, 0, 'a conversation with calls has tools');
  assert.equal(turns[0]?.['role'], 'user', 'begins with the user');
  assert.equal(turns.at(-1)?.['role'], 'user', 'ends with the user');
  const ids = new Set<unknown>();
  turns.forEach((turn, index) => {
    assert.equal(turn['role'], index % 2 === 0 ? 'user' : 'assistant', `turn ${index} alternates`);
    const blocks = list(turn['content']);
    assert.notEqual(blocks.length, 0, `turn ${index} has content`);
    const calls = blocks.filter(({ type }) => type === 'tool_use');
    for (const { id } of calls) {
      assert.ok(!ids.has(id), `the id ${String(id)} stands twice`);
      ids.add(id);
    }
    const next = list(turns[index + 1]?.['content'] ?? []);
    const results = next.slice(0, calls.length).map((block) => block['tool_use_id']);
    assert.deepEqual(results, calls.map(({ id }) => id), `turn ${index}: its calls and the results that begin the next turn`);
    const before = turns[index - 1];
    const expected = before?.['role'] === 'assistant' ? list(before['content']).filter(({ type }) => type === 'tool_use').length : 0;
    assert.equal(blocks.filter(({ type }) => type === 'tool_result').length, expected, `turn ${index}: results without a call`);
    for (const block of blocks) assertBlock(block, String(turn['role']));
    if (turn['role'] === 'assistant') assert.doesNotMatch(String(blocks.at(-1)?.['type']), /thinking/u, 'an answer does not end with thinking');
  });
}

function assertBlock(block: Json, role: string): void {
  switch (block['type']) {
    case 'text':
      return assertText(block['text']);
    case 'image': {
      const source = object(block['source']);
      assert.equal(role, 'user');
      assert.match(String(source['media_type']), /^image\/(?:jpeg|png|gif|webp)$/u);
      return assert.match(String(source['data']), /^[A-Za-z0-9+/]+=*$/u);
    }
    case 'thinking':
      assert.equal(role, 'assistant');
      assert.ok(typeof block['thinking'] === 'string');
      return assert.notEqual(block['signature'] ?? '', '', 'thinking has its signature');
    case 'redacted_thinking':
      assert.equal(role, 'assistant');
      return assert.notEqual(block['data'] ?? '', '');
    case 'tool_use':
      assert.equal(role, 'assistant');
      assert.match(String(block['id']), /^[A-Za-z0-9_-]+$/u);
      assertText(block['name']);
      return void object(block['input']);
    case 'tool_result':
      assert.equal(role, 'user');
      for (const inner of list(block['content'])) assertBlock(inner, role);
      return assert.notEqual(list(block['content']).length, 0);
    default:
      return assert.fail(`an unknown block ${String(block['type'])}`);
  }
}

function assertResponses(body: Json): void {
  const known = ['model', 'max_output_tokens', 'stream', 'store', 'instructions', 'input', 'tools', 'reasoning', 'include', 'temperature', 'top_p'];
  assert.deepEqual(unknownKeys(body, known), []);
  assert.equal(body['store'], false, 'nothing is stored');
  assert.ok(Number(body['max_output_tokens']) > 0, 'limits the answer');
  assert.equal('reasoning' in body, 'include' in body, 'reasoning is asked for encrypted');
  for (const tool of list(body['tools'] ?? [])) assert.ok(tool['type'] === 'function' && tool['strict'] === false && typeof tool['name'] === 'string');
  const items = list(body['input']);
  assert.notEqual(items.length, 0, 'has input');
  const open: unknown[] = [];
  items.forEach((item, index) => {
    const type = item['type'];
    if (type === 'function_call_output') {
      assert.equal(item['call_id'], open.shift(), `item ${index}: results come in the order of their calls`);
      if (typeof item['output'] === 'string') return assertText(item['output']);
      return list(item['output']).forEach(assertInputPart);
    }
    // A model may say something after a call; its answer ends where the results begin.
    const isAnswer = type !== 'message' || item['role'] === 'assistant';
    if (!isAnswer || items[index - 1]?.['type'] === 'function_call_output') assert.deepEqual(open, [], `item ${index}: calls before it have no result`);
    if (type === 'function_call') {
      assert.match(String(item['call_id']), /^[A-Za-z0-9_-]{1,64}$/u);
      assertArguments(item['arguments']);
      return void open.push(item['call_id']);
    }
    if (type === 'reasoning') {
      assert.notEqual(item['encrypted_content'] ?? '', '');
      assert.ok(!('status' in item), 'reasoning goes back without its status');
      const next = items[index + 1];
      return assert.ok(next?.['type'] === 'function_call' || next?.['type'] === 'reasoning' || next?.['role'] === 'assistant', 'reasoning has the item that it led to');
    }
    assert.equal(type, 'message');
    if (item['role'] === 'assistant') return assertText(item['content']);
    assert.equal(item['role'], 'user');
    assert.notEqual(list(item['content']).length, 0);
    list(item['content']).forEach(assertInputPart);
  });
  assert.deepEqual(open, [], 'calls have no result');
}

function assertInputPart(part: Json): void {
  if (part['type'] === 'input_text') return assertText(part['text']);
  assert.equal(part['type'], 'input_image');
  assert.match(String(part['image_url']), /^data:image\/[a-z]+;base64,./u);
}

function assertChat(body: Json): void {
  const known = ['model', 'max_tokens', 'max_completion_tokens', 'stream', 'stream_options', 'messages', 'tools', 'reasoning_effort', 'temperature', 'top_p'];
  assert.deepEqual(unknownKeys(body, known), []);
  assert.equal(['max_tokens', 'max_completion_tokens'].filter((key) => Number(body[key]) > 0).length, 1, 'limits the answer in one way');
  assert.deepEqual(body['stream_options'], { include_usage: true });
  const messages = list(body['messages']);
  const turns = messages[0]?.['role'] === 'system' ? messages.slice(1) : messages;
  if (turns !== messages) assertText(messages[0]?.['content']);
  assert.equal(turns[0]?.['role'], 'user', 'begins with the user');
  let open: unknown[] = [];
  turns.forEach((message, index) => {
    const role = message['role'];
    const previous = turns[index - 1]?.['role'];
    if (role === 'tool') {
      assert.equal(message['tool_call_id'], open.shift(), `message ${index}: results come in the order of their calls`);
      return assertText(message['content']);
    }
    assert.deepEqual(open, [], `message ${index}: calls before it have no result`);
    assert.notEqual(role, previous, `message ${index} alternates`);
    if (role === 'user') {
      if (typeof message['content'] === 'string') return assertText(message['content']);
      assert.notEqual(list(message['content']).length, 0);
      return list(message['content']).forEach(assertChatPart);
    }
    assert.equal(role, 'assistant', `message ${index} has a known role`);
    const calls = list(message['tool_calls'] ?? []);
    if (message['content'] !== null) assertText(message['content']);
    else assert.notEqual(calls.length, 0, `message ${index} says something`);
    for (const call of calls) {
      assert.match(String(call['id']), /^[A-Za-z0-9_-]{1,40}$/u);
      assertArguments(object(call['function'])['arguments']);
    }
    open = calls.map(({ id }) => id);
  });
  assert.deepEqual(open, [], 'calls have no result');
}

function assertChatPart(part: Json): void {
  if (part['type'] === 'text') return assertText(part['text']);
  assert.equal(part['type'], 'image_url');
  assert.match(String(object(part['image_url'])['url']), /^data:image\/[a-z]+;base64,./u);
}

function assertArguments(text: unknown): void {
  object(JSON.parse(String(text)));
}

function assertText(text: unknown): void {
  assert.ok(typeof text === 'string' && text.trim() !== '', `text that is not empty, got ${JSON.stringify(text)}`);
}

function assertNoLoneSurrogates(body: Json): void {
  JSON.stringify(body, (_key, value: unknown) => {
    if (typeof value === 'string') assert.ok(value.isWellFormed(), 'text without lone surrogates');
    return value;
  });
}

function unknownKeys(body: Json, known: readonly string[]): readonly string[] {
  return Object.keys(body).filter((key) => !known.includes(key));
}

function list(value: unknown): readonly Json[] {
  assert.ok(Array.isArray(value), `a list, got ${JSON.stringify(value)}`);
  return value as readonly Json[];
}

function object(value: unknown): Json {
  assert.ok(typeof value === 'object' && value !== null && !Array.isArray(value), `an object, got ${JSON.stringify(value)}`);
  return value as Json;
}
