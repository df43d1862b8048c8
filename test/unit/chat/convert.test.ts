import assert from 'node:assert/strict';
import { estimateTokens, fromChatMessages } from '../../../src/host/lm/convert.ts';

const text = (value: string) => ({ value });

describe('messages from VS Code', () => {
  it('keep text, calls, results with the name of their call, and images', () => {
    const given = [
      { role: 3, content: [text('be brief')] },
      { role: 1, content: [text('hi'), { mimeType: 'image/png', data: new Uint8Array([1, 2, 3]) }] },
      { role: 2, content: [text('I look'), { callId: 'c1', name: 'Read', input: { path: 'a' } }] },
      { role: 1, content: [text('and?'), { callId: 'c1', content: [text('file'), { unknown: true }] }] },
    ];
    assert.deepEqual(fromChatMessages(given), {
      system: 'be brief',
      messages: [
        { role: 'user', source: 'user', content: [{ type: 'text', text: 'hi' }, { type: 'image', mimeType: 'image/png', data: 'AQID' }] },
        { role: 'assistant', stop: 'tool_calls', content: [{ type: 'text', text: 'I look' }, { type: 'tool_call', id: 'c1', name: 'Read', arguments: '{"path":"a"}' }] },
        { role: 'tool', results: [{ callId: 'c1', name: 'Read', content: [{ type: 'text', text: 'file' }], isError: false }] },
        { role: 'user', source: 'user', content: [{ type: 'text', text: 'and?' }] },
      ],
    });
  });

  it('leave out messages of which nothing is known', () => {
    assert.deepEqual(fromChatMessages([{ role: 1, content: [null, 7, { mimeType: 'audio/x', data: new Uint8Array() }] }, { role: 2, content: [] }]), { system: '', messages: [] });
  });

  it('are counted roughly', () => {
    assert.equal(estimateTokens('12345678'), 2);
    assert.ok(estimateTokens({ role: 1, content: [text('12345678'), { callId: 'a', content: [text('1234')] }] }) > 2);
  });
});
