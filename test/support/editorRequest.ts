import assert from 'node:assert/strict';
import type { ChatPart, ChatTurn, EditorRequest } from '../../src/host/lm/editorModel.ts';

/**
 * Fails for a request to a model of the editor that some vendor behind it would refuse. `system`: how many turns the
 * instructions take at its start; after them, turns alternate.
 */
export function assertEditorRequest({ turns, tools }: EditorRequest, system: 0 | 1): void {
  for (const { content } of turns) {
    assert.notEqual(content.length, 0, 'a turn without content');
    content.forEach(assertPart);
  }
  if (system === 1) assert.deepEqual(turns[0] && [turns[0].role, turns[0].content.map(({ type }) => type)], ['user', ['text']], 'the instructions');
  const ids = new Set<string>();
  turns.slice(system).forEach((turn, index, rest) => {
    assert.equal(turn.role, index % 2 === 0 ? 'user' : 'assistant', `turn ${index} alternates`);
    const calls = turn.content.flatMap((part) => (part.type === 'tool_call' ? [part.id] : []));
    for (const id of calls) {
      assert.ok(!ids.has(id), `the id ${id} stands twice`);
      ids.add(id);
    }
    assert.deepEqual(resultsOf(rest[index + 1]).first, calls, `turn ${index}: its calls, and the results with which the next begins`);
    if (index === 0) assert.equal(resultsOf(turn).count, 0, 'results without a call');
    if (turn.role === 'assistant') for (const { type } of turn.content) assert.ok(type === 'text' || type === 'tool_call', `${type} in an answer`);
    else for (const { type } of turn.content) assert.notEqual(type, 'tool_call', 'a call by the user');
  });
  assert.equal(turns.at(-1)?.role, 'user', 'ends with the user');
  if (ids.size > 0) assert.notEqual(tools.length, 0, 'a conversation with calls has tools');
}

/** `first`: ids of the results that begin the turn, which must be all that it has. */
function resultsOf(turn: ChatTurn | undefined): { readonly first: readonly string[]; readonly count: number } {
  const content = turn?.content ?? [];
  const count = content.filter(({ type }) => type === 'tool_result').length;
  const first = content.slice(0, count).flatMap((part) => (part.type === 'tool_result' ? [part.callId] : []));
  assert.equal(first.length, count, 'results come before anything else');
  return { first, count };
}

function assertPart(part: ChatPart): void {
  switch (part.type) {
    case 'text':
      assert.ok(part.text.trim() !== '' && part.text.isWellFormed(), `a text that can't be sent: ${JSON.stringify(part.text)}`);
      return;
    case 'image':
      assert.match(part.mimeType, /^image\/(?:png|jpeg|gif|webp)$/u);
      assert.notEqual(part.data.length, 0);
      return;
    case 'tool_call':
      assert.match(part.id, /^[A-Za-z0-9_-]{1,40}$/u);
      assert.ok(typeof part.input === 'object' && part.input !== null && !Array.isArray(part.input), 'the input is an object');
      assert.doesNotMatch(JSON.stringify(part.input), /(?<!\\)(?:\\\\)*\\ud[89a-f]/iu, 'half of a pair');
      return;
    case 'tool_result':
      assert.match(part.callId, /^[A-Za-z0-9_-]{1,40}$/u);
      assert.notEqual(part.content.length, 0, 'a result without content');
      part.content.forEach(assertPart);
      return;
  }
}
