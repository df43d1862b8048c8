import assert from 'node:assert/strict';
import { hasImages, toEditorRequest } from '../../../src/host/lm/toChatTurns.ts';
import { textMessage, type Message } from '../../../src/runtime/domain/messages.ts';

const IMAGE = { type: 'image', mimeType: 'image/png', data: 'AQID' } as const;
const READ = { name: 'Read', description: 'Reads.', inputSchema: { type: 'object' } } as const;
const text = (value: string) => ({ type: 'text', text: value }) as const;

const messages: readonly Message[] = [
  textMessage('Look at both.'),
  { role: 'assistant', stop: 'tool_calls', content: [{ type: 'thinking', text: 'Two.' }, text('I look.'), { type: 'tool_call', id: 'a', name: 'Read', arguments: '{"file_path":"a.png"}' }, { type: 'tool_call', id: 'functions.Read:2', name: 'Read', arguments: '{oops' }] },
  { role: 'tool', results: [{ callId: 'a', name: 'Read', content: [IMAGE], isError: false }, { callId: 'functions.Read:2', name: 'Read', content: [], isError: true }] },
  textMessage('Hurry.', 'steering'),
];

describe('a request to a model of the editor', () => {
  it('begins with the instructions, and pairs calls with results that come before what is said', () => {
    const { turns, tools } = toEditorRequest({ system: 'Be brief.', messages, tools: [READ], reminder: 'One task is open.' }, true);
    const second = turns[2]?.content.find((part) => part.type === 'tool_call' && part.id !== 'a');
    assert.ok(second?.type === 'tool_call');
    assert.deepEqual(turns, [
      { role: 'user', content: [text('Be brief.')] },
      { role: 'user', content: [text('Look at both.')] },
      { role: 'assistant', content: [text('I look.'), { type: 'tool_call', id: 'a', name: 'Read', input: { file_path: 'a.png' } }, { type: 'tool_call', id: second.id, name: 'Read', input: { invalid_arguments: '{oops' } }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', callId: 'a', content: [{ type: 'image', mimeType: 'image/png', data: Buffer.from([1, 2, 3]) }] },
          { type: 'tool_result', callId: second.id, content: [text('Error: '), text('(no output)')] },
          text('Hurry.'),
          text('One task is open.'),
        ],
      },
    ]);
    assert.deepEqual(tools, [READ]);
  });

  it('has a note where the model takes no images', () => {
    const { turns } = toEditorRequest({ system: '', messages: [{ role: 'user', source: 'user', content: [text('What is it?'), IMAGE] }], tools: [] }, false);
    assert.deepEqual(turns.map(({ content }) => content.map(({ type }) => type)), [['text', 'text']]);
    assert.match(JSON.stringify(turns), /image\/png/);
    assert.deepEqual([hasImages(messages), hasImages([textMessage('none')])], [true, false]);
  });

  it('offers what was called where nothing else is offered, since a conversation with calls needs tools', () => {
    assert.deepEqual(toEditorRequest({ system: '', messages, tools: [] }, true).tools.map(({ name }) => name), ['Read']);
    assert.deepEqual(toEditorRequest({ system: '', messages: [textMessage('Hi.')], tools: [] }, true).tools, []);
  });
});
