import assert from 'node:assert/strict';
import { deferred } from '../../../src/runtime/base/async.ts';
import { SILENT_LOG } from '../../../src/runtime/domain/ports.ts';
import type { Choice } from '../../../src/ui/models/dialog.ts';
import { QuickDialog, type QuickDialogDeps } from '../../../src/ui/models/quickDialog.ts';
import { quiet } from '../../support/manualClock.ts';
import { FakeQuickWindow } from '../../support/quickWindow.ts';

const PLACE = { step: 2, total: 5, canGoBack: true };
const BACK = { tooltip: 'Back' } as QuickDialogDeps['backButton'];
const choices: readonly Choice<number>[] = [{ label: 'One', value: 1 }, { label: 'Two', description: 'second', detail: 'more', value: 2 }];

describe('questions in VS Code’s quick input', () => {
  let window: FakeQuickWindow;
  let dialog: QuickDialog;
  let warned: string[];

  beforeEach(() => {
    window = new FakeQuickWindow();
    warned = [];
    dialog = new QuickDialog({ window: window.asWindow(), backButton: BACK, title: 'Configure', log: { ...SILENT_LOG, warn: (message) => warned.push(message) } });
  });
  afterEach(() => assert.equal(window.open, 0, 'nothing stays open'));

  it('list choices, beginning at the active one, and answer with what is picked', async () => {
    const answer = dialog.choose({ placeholder: 'Which?', choices, active: choices[1] }, PLACE);
    const [pick] = window.picks;
    assert.ok(pick);
    assert.deepEqual([pick.title, pick.step, pick.totalSteps, pick.placeholder, pick.ignoreFocusOut, pick.busy], ['Configure', 2, 5, 'Which?', true, false]);
    assert.deepEqual(pick.items.map(({ label, description, detail }) => [label, description, detail]), [['One', undefined, undefined], ['Two', 'second', 'more']]);
    assert.deepEqual(pick.activeItems.map(({ label }) => label), ['Two']);
    pick.enter();
    pick.pick('One');
    assert.deepEqual(await answer, { kind: 'answer', value: 1 });
  });

  it('keep a choice in sight that stays, whatever is typed to filter', async () => {
    const answer = dialog.choose({ placeholder: '', choices: [...choices, { label: 'Another', value: 3, stays: true }] }, PLACE);
    assert.deepEqual(window.picks[0]?.items.map(({ alwaysShow }) => alwaysShow), [false, false, true]);
    window.picks[0]?.pick('Another');
    assert.deepEqual(await answer, { kind: 'answer', value: 3 });
  });

  it('list what can be ticked under titles, and answer in the order of the list, also with nothing', async () => {
    const ticks = [{ label: 'Read', value: 1, group: 'Look' }, { label: 'Grep', value: 2, group: 'Look' }, { label: 'Edit', value: 3, group: 'Change' }];
    const answer = dialog.tick({ placeholder: 'Which?', choices: ticks, ticked: [2] }, PLACE);
    const [pick] = window.picks;
    assert.ok(pick?.canSelectMany);
    assert.deepEqual(pick.items.map(({ label, kind }) => [label, kind]), [['Look', -1], ['Read', undefined], ['Grep', undefined], ['Change', -1], ['Edit', undefined]]);
    assert.deepEqual(pick.selectedItems.map(({ label }) => label), ['Grep']);
    pick.tick('Edit', 'Read');
    assert.deepEqual(await answer, { kind: 'answer', value: [1, 3] });
    const none = dialog.tick({ placeholder: '', choices: ticks, ticked: [] }, PLACE);
    window.picks[1]?.tick();
    assert.deepEqual(await none, { kind: 'answer', value: [] });
  });

  it('lead back by the button where there is a way back, and out by Escape', async () => {
    const back = dialog.choose({ placeholder: '', choices }, PLACE);
    window.picks[0]?.press(BACK);
    assert.deepEqual(await back, { kind: 'back' });
    const left = dialog.enter({ prompt: '', problem: () => undefined }, { ...PLACE, canGoBack: false });
    assert.deepEqual(window.boxes[0]?.buttons, []);
    window.boxes[0]?.escape();
    assert.deepEqual(await left, { kind: 'leave' });
  });

  it('add what is found later, and leave the cursor where the person has put it', async () => {
    const found = deferred<readonly Choice<number>[]>();
    let signal: AbortSignal | undefined;
    const answer = dialog.choose({ placeholder: '', choices, more: (given) => ((signal = given), found.promise) }, PLACE);
    const [pick] = window.picks;
    assert.ok(pick?.busy);
    pick.activeItems = pick.items.slice(1);
    found.resolve([{ label: 'Three', value: 3 }]);
    await quiet();
    assert.deepEqual([pick.busy, pick.items.map(({ label }) => label), pick.activeItems.map(({ label }) => label), signal?.aborted], [false, ['Three', 'One', 'Two'], ['Two'], false]);
    pick.pick('Three');
    assert.deepEqual(await answer, { kind: 'answer', value: 3 });
    assert.equal(signal?.aborted, true);
  });

  it('look for more no longer than they are open, and go on without what can’t be found', async () => {
    const late = deferred<readonly Choice<number>[]>();
    const answer = dialog.choose({ placeholder: '', choices, more: () => late.promise }, PLACE);
    window.picks[0]?.pick('One');
    await answer;
    late.resolve([{ label: 'Three', value: 3 }]);
    await quiet();
    assert.equal(window.picks[0]?.items.length, 2);
    const failing = dialog.choose({ placeholder: '', choices, more: () => Promise.reject(new Error('broken')) }, PLACE);
    await quiet();
    assert.deepEqual([window.picks[1]?.busy, warned], [false, ['models: nothing further was found: broken']]);
    window.picks[1]?.pick('Two');
    assert.deepEqual(await failing, { kind: 'answer', value: 2 });
  });

  it('take a text without white space around it once nothing is wrong with it', async () => {
    const answer = dialog.enter({ prompt: 'Key?', isSecret: true, value: 'old', problem: (text) => (text.length < 3 ? 'Too short' : undefined) }, PLACE);
    const [box] = window.boxes;
    assert.ok(box);
    assert.deepEqual([box.prompt, box.password, box.value, box.ignoreFocusOut], ['Key?', true, 'old', true]);
    box.type(' a ');
    assert.equal(box.validationMessage, 'Too short');
    box.type('  ');
    assert.equal(box.validationMessage, '', 'nothing typed is nothing wrong yet');
    box.enter();
    assert.equal(box.validationMessage, 'Too short');
    box.type(' good ');
    assert.equal(box.validationMessage, '');
    box.enter();
    assert.deepEqual(await answer, { kind: 'answer', value: 'good' });
  });

  it('wait for work, which ends with the wait', async () => {
    assert.deepEqual(await dialog.wait('Asking', async () => 7, PLACE), { kind: 'answer', value: 7 });
    await assert.rejects(dialog.wait('Asking', () => Promise.reject(new Error('broken')), PLACE), /broken/);
    for (const [leave, kind] of [[() => window.picks.at(-1)?.press(BACK), 'back'], [() => window.picks.at(-1)?.escape(), 'leave']] as const) {
      const aborted = deferred<void>();
      const waiting = dialog.wait('Asking', (signal) => new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => (aborted.resolve(), reject(new Error('late'))))), PLACE);
      assert.deepEqual([window.picks.at(-1)?.busy, window.picks.at(-1)?.placeholder], [true, 'Asking']);
      leave();
      assert.deepEqual(await waiting, { kind });
      await aborted.promise;
    }
  });

  it('ask about trouble in a dialog that must be answered', async () => {
    window.press = 'Again';
    const question = { message: 'No answer.', detail: 'Why', actions: [{ label: 'Again', value: 'again' }, { label: 'Save', value: 'save' }] };
    assert.equal(await dialog.trouble(question), 'again');
    assert.deepEqual(window.warnings, [{ message: 'No answer.', options: { modal: true, detail: 'Why' }, titles: ['Again', 'Save'] }]);
    window.press = undefined;
    assert.equal(await dialog.trouble(question), undefined);
  });
});
