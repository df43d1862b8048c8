import assert from 'node:assert/strict';
import { waitFor } from '../../scripts/lib/wait.ts';
import { startProduct } from '../support/product.ts';
import { Subagents, task } from '../support/subagents.ts';
import type { Workbench } from '../support/workbench.ts';

describe('questions', () => {
  let subagents: Subagents;
  let workbench: Workbench;

  before(async () => {
    subagents = new Subagents(await startProduct());
    workbench = subagents.product.workbench;
  });

  after(() => subagents.product.stop());

  beforeEach(() => subagents.begin());

  it('of two children at once each carry the name of theirs and get their own answer, from notification and tree', async () => {
    await subagents.delegate(task('Painter', 'ask Which colour? [red | blue]'), task('Namer', 'ask Which name?'));
    const painter = await subagents.waitForChild('Painter', 'asking');
    await subagents.waitForChild('Namer', 'asking');
    assert.ok(painter.icon.includes('codicon-question'), painter.icon.join());
    const row = await subagents.waitForRequestRow('Which name?');
    assert.equal(row.label, 'asks: Which name?');
    assert.deepEqual(await subagents.tree.inlineActions(row.label), ['Answer…', 'Don’t Answer', 'More Decisions…']);
    const items = await workbench.statusBarItems();
    assert.ok(items.some((text) => text.split(/\s+/).includes('2')), items.join(' | '));

    const first = await workbench.notifications.waitFor('asks:');
    assert.match(first.text, /(?:Painter asks: “Which colour\?”|Namer asks: “Which name\?”) \(1 more waits\)/);
    if (first.text.includes('Painter')) {
      await answerInNotification();
      await answerInTree();
    } else {
      await answerInTree();
      await answerInNotification();
    }
    for (const name of ['Painter', 'Namer']) await subagents.waitForChild(name, 'review');
    await workbench.notifications.waitForGone('asks:');
    assert.match(await subagents.openResult('Painter', 'Which colour'), /Which colour.*Answer: blue/);
    assert.match(await subagents.openResult('Namer', 'Which name'), /Which name.*Answer: Ada/);
  });

  it('are left pending by Escape, withdrawn with their child, and declined by Cancel', async () => {
    await subagents.delegate(task('Gone', 'ask What first?'), task('Stays', 'sleep 1', 'ask What second?'));
    await workbench.notifications.waitFor('What first?');
    await subagents.waitForChild('Stays', 'asking');
    await workbench.notifications.clickLink('What first?', 'Answer…');
    await workbench.quickPick.waitForOpen();
    assert.equal(await workbench.quickPick.title(), 'Gone asks: What first?');
    await workbench.quickPick.cancel();
    await subagents.waitForChild('Gone', 'asking');

    await workbench.notifications.clickLink('What first?', 'Answer…');
    await workbench.quickPick.waitForOpen();
    await subagents.tree.contextAction('Gone', 'Cancel Subagent');
    await workbench.quickPick.waitForClosed();
    await subagents.waitForChild('Gone', 'cancelled');
    await subagents.waitForNoRequestRow('What first?');
    assert.deepEqual(await subagents.decisions('What first?'), [], 'taken back, not answered');

    await workbench.notifications.waitFor('What second?');
    await workbench.notifications.clickButton('What second?', 'Cancel');
    await subagents.waitForChild('Stays', 'review');
    assert.deepEqual(await subagents.decisions('What second?'), ['deny']);
    assert.match(await subagents.openResult('Stays', 'What second'), /No answer/);
  });

  async function answerInNotification(): Promise<void> {
    await workbench.notifications.waitFor('Which colour?');
    await workbench.notifications.clickLink('Which colour?', 'Answer…');
    assert.equal(await workbench.quickPick.title(), 'Painter asks: Which colour?');
    assert.deepEqual((await workbench.quickPick.items()).map(({ label }) => label.trim()), ['red', 'blue', 'Write another answer…']);
    await workbench.quickPick.pick('blue');
    await subagents.waitForNoRequestRow('Which colour?');
  }

  async function answerInTree(): Promise<void> {
    const { label } = await subagents.waitForRequestRow('Which name?');
    // A row that is drawn anew under the button loses the press, and its user presses again.
    await waitFor('the box for an answer', 20_000, async () => {
      await subagents.tree.inlineAction(label, 'Answer…');
      return workbench.quickPick.waitForOpen().then(() => true, () => undefined);
    });
    assert.equal(await workbench.quickPick.title(), 'Namer asks: Which name?');
    await workbench.quickPick.type('Ada');
    await workbench.quickPick.press('Enter');
    await subagents.waitForNoRequestRow('Which name?');
  }
});
