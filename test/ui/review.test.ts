import assert from 'node:assert/strict';
import { waitFor } from '../../scripts/lib/wait.ts';
import { startProduct } from '../support/product.ts';
import { Subagents, task } from '../support/subagents.ts';
import type { Workbench } from '../support/workbench.ts';

describe('review', () => {
  let subagents: Subagents;
  let workbench: Workbench;

  before(async () => {
    subagents = new Subagents(await startProduct({ machineSettings: { 'subagents.permissions.allow': ['Bash(seq:*)'] } }));
    workbench = subagents.product.workbench;
  });

  after(() => subagents.product.stop());

  beforeEach(() => subagents.begin());

  it('is asked for once a group, and what is ticked is accepted', async () => {
    await subagents.delegate(task('Pick me', 'sleep 1'), task('Me too', 'sleep 0'), task('Not me', 'sleep 0'), task('Broken', 'fail: on purpose'));
    const toast = await workbench.notifications.waitFor('Pick me');
    assert.deepEqual([...toast.buttons].sort(), ['Accept All', 'Later', 'Review']);
    assert.equal((await workbench.notifications.list()).filter(({ buttons }) => buttons.includes('Review')).length, 1);
    await subagents.waitForBadge(3);

    await workbench.notifications.clickButton('Pick me', 'Review');
    const items = await workbench.quickPick.items();
    assert.deepEqual(items.map(({ label }) => label), ['Pick me', 'Me too', 'Not me']);
    await workbench.quickPick.pickMany(['Pick me', 'Me too']);
    await subagents.waitForChild('Pick me', 'completed');
    await subagents.waitForChild('Me too', 'completed');
    await subagents.waitForBadge(1);
    assert.deepEqual(await subagents.states(), { 'Pick me': 'completed', 'Me too': 'completed', 'Not me': 'review', 'Broken': 'failed' });

    await subagents.tree.inlineAction('Not me', 'Accept');
    await subagents.waitForChild('Not me', 'completed');
    await subagents.waitForBadge(0);
  });

  it('accepts all at once from the notification, and nothing with Later', async () => {
    await subagents.delegate(task('Put off', 'sleep 1'), task('Put off too', 'sleep 0'));
    await workbench.notifications.waitFor('Put off');
    await workbench.notifications.clickButton('Put off', 'Later');
    await workbench.notifications.waitForGone('Put off');
    await subagents.waitForBadge(2);
    await workbench.chat.waitForEnd();

    await subagents.delegate(task('Wholesale', 'sleep 1'), task('Wholesale too', 'sleep 0'));
    await workbench.notifications.waitFor('Wholesale');
    await subagents.waitForBadge(4);
    await workbench.notifications.clickButton('Wholesale', 'Accept All');
    await subagents.waitForChild('Wholesale', 'completed');
    await subagents.waitForChild('Wholesale too', 'completed');
    await subagents.waitForBadge(2);
    await subagents.waitForChild('Put off', 'review');

    // From the group's row, too.
    await subagents.tree.inlineAction('Put off and 1 more', 'Accept Group');
    await subagents.waitForChild('Put off', 'completed');
    await subagents.waitForBadge(0);
  });

  it('looks at the final text in the result, and at the calls in the transcript', async () => {
    await subagents.delegate(task('Counts', 'run seq 8101 8104', 'sleep 1'), task('Slow one', 'sleep 1'));
    await subagents.waitForChild('Counts', 'review');
    await workbench.chat.waitForEnd();
    await subagents.tree.inlineAction('Counts', 'Open Result');
    const result = await workbench.waitForPreview('8103');
    assert.match(result, /\breview\b/);
    assert.match(result, /Bash/, 'what it did');

    // Accepting shows in the open document.
    await subagents.tree.inlineAction('Counts', 'Accept');
    await waitFor('the accepted result', 10_000, async () => (/\breview\b/.test(await workbench.waitForPreview('8103')) ? undefined : true));

    await subagents.tree.contextAction('Counts', 'Open Transcript');
    await workbench.waitForEditorText('# Counts');
    assert.ok((await workbench.editorTitles()).some((title) => title.startsWith('Counts')));
    await subagents.product.page.keyboard.press('ControlOrMeta+End');
    await workbench.waitForEditorText('8103');
  });

  it('shows why a child failed, and that nothing of it is finished', async () => {
    await subagents.delegate(task('Doomed', 'run seq 8201 8202', 'fail: the well is dry'), task('Fine', 'sleep 1'));
    await subagents.waitForChild('Doomed', 'failed');
    await workbench.chat.waitForEnd();
    await subagents.tree.inlineAction('Doomed', 'Open Result');
    const result = await workbench.waitForPreview('the well is dry');
    assert.match(result, /failed/);
    assert.doesNotMatch(result, /completed|\breview\b/);
    assert.ok(!(await subagents.tree.inlineActions('Doomed')).includes('Accept'));
  });
});
