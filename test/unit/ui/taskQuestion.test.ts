import assert from 'node:assert/strict';
import { askTask } from '../../../src/ui/agents/taskQuestion.ts';
import { FakeQuickWindow, type FakeInputBox } from '../../support/quickWindow.ts';
import { english } from './fakes.ts';

const CHAT = { tooltip: 'Chat' } as Parameters<typeof askTask>[1];

describe('what an agent is to do', () => {
  const ask = (): { readonly answer: ReturnType<typeof askTask>; readonly box: FakeInputBox; readonly window: FakeQuickWindow } => {
    const window = new FakeQuickWindow();
    const answer = askTask(window.asWindow(), CHAT, 'the $(bug) one', english);
    const [box] = window.boxes;
    assert.ok(box);
    return { answer, box, window };
  };

  it('is asked in a box that stays, and that takes no empty words', async () => {
    const { answer, box, window } = ask();
    assert.deepEqual([box.title?.includes('$('), box.ignoreFocusOut], [false, true]);
    box.type('  ');
    box.enter();
    assert.ok(box.validationMessage);
    box.type(' Look around ');
    assert.equal(box.validationMessage, '');
    box.enter();
    assert.deepEqual([await answer, window.open], [{ kind: 'task', prompt: 'Look around' }, 0]);
  });

  it('is written in the chat instead where it is more than one, or left', async () => {
    const chat = ask();
    chat.box.press(CHAT);
    assert.deepEqual([await chat.answer, chat.window.open], [{ kind: 'chat' }, 0]);
    const left = ask();
    left.box.escape();
    assert.deepEqual([await left.answer, left.window.open], [{ kind: 'leave' }, 0]);
  });
});
