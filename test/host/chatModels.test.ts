import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { fromChatMessages } from '../../src/host/lm/convert.ts';
import { parseArguments } from '../../src/host/lm/toolArguments.ts';
import type { Message } from '../../src/runtime/domain/messages.ts';
import { isYieldRequested } from '../../src/ui/chat/openResponse.ts';
import { readReferences } from '../../src/ui/chat/references.ts';

describe('messages of VS Code', () => {
  it('are taken over with their images, calls and results', () => {
    const Chat = vscode.LanguageModelChatMessage;
    const given = [
      Chat.User([new vscode.LanguageModelTextPart('hi'), vscode.LanguageModelDataPart.image(Buffer.from([1, 2, 3]), 'image/png')]),
      Chat.Assistant([new vscode.LanguageModelTextPart('I look'), new vscode.LanguageModelToolCallPart('c1', 'Read', { path: 'a' })]),
      Chat.User([new vscode.LanguageModelToolResultPart('c1', [new vscode.LanguageModelTextPart('file')])]),
      Chat.Assistant('done'),
    ];
    const messages: Message[] = [
      { role: 'user', source: 'user', content: [{ type: 'text', text: 'hi' }, { type: 'image', mimeType: 'image/png', data: 'AQID' }] },
      { role: 'assistant', stop: 'tool_calls', content: [{ type: 'text', text: 'I look' }, { type: 'tool_call', id: 'c1', name: 'Read', arguments: '{"path":"a"}' }] },
      { role: 'tool', results: [{ callId: 'c1', name: 'Read', content: [{ type: 'text', text: 'file' }], isError: false }] },
      { role: 'assistant', stop: 'stop', content: [{ type: 'text', text: 'done' }] },
    ];
    assert.deepEqual(fromChatMessages(given), { system: '', messages });
  });

  it('take arguments that are no object as they are', () => {
    assert.deepEqual(['', '{"a":1}', '[1]', '{oops'].map(parseArguments), [{}, { a: 1 }, { raw: '[1]' }, { raw: '{oops' }]);
  });
});

describe('what a chat request carries', () => {
  it('is read as paths and line ranges; the rest is counted as ignored', () => {
    const uri = vscode.Uri.file('/w/a.ts');
    const given = [uri, new vscode.Location(uri, new vscode.Range(2, 0, 5, 0)), new vscode.Location(uri, new vscode.Position(7, 3)), 'some text', { mimeType: 'image/png' }].map((value, index) => ({ id: `id${index}`, value }));
    // VS Code attaches what it found of agent files by itself.
    given.push({ id: 'vscode.customizations.index', value: 'an agent that nobody approved' });
    assert.deepEqual(readReferences(given), {
      ignored: 1,
      references: [
        { kind: 'file', path: '/w/a.ts' },
        { kind: 'range', path: '/w/a.ts', from: 3, to: 5 },
        { kind: 'range', path: '/w/a.ts', from: 8, to: 8 },
        { kind: 'text', label: 'id3', text: 'some text' },
      ],
    });
  });

  it('asks to yield only where the undeclared property says so', () => {
    const context = (extra: object): vscode.ChatContext => ({ history: [], ...extra });
    assert.equal(isYieldRequested(context({})), false);
    assert.equal(isYieldRequested(context({ yieldRequested: 1 })), false);
    assert.equal(isYieldRequested(context({ yieldRequested: true })), true);
    const throwing = Object.defineProperty(context({}), 'yieldRequested', { get: () => assert.fail('not allowed') });
    assert.equal(isYieldRequested(throwing), false);
  });
});
