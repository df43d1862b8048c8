import assert from 'node:assert/strict';
import { waitFor } from '../../scripts/lib/wait.ts';
import { startProduct } from '../support/product.ts';
import { Subagents, task } from '../support/subagents.ts';
import type { TreeView } from '../support/treeView.ts';
import type { Workbench } from '../support/workbench.ts';

describe('the Tasks view', () => {
  let subagents: Subagents;
  let workbench: Workbench;
  let tasks: TreeView;

  before(async () => {
    subagents = new Subagents(await startProduct());
    workbench = subagents.product.workbench;
    tasks = workbench.tree('Tasks');
    await subagents.begin();
  });

  after(() => subagents.product.stop());

  /** The labels of the tasks under each status that is folded out. */
  const shown = async (): Promise<Record<string, readonly string[]>> => {
    const sections: Record<string, string[]> = {};
    let current: string[] = [];
    for (const { level, label } of await tasks.rows()) {
      if (level === 1) sections[label] = current = [];
      else current.push(label);
    }
    return sections;
  };

  const waitForTasks = (wanted: Record<string, readonly string[]>): Promise<true> =>
    waitFor(`tasks as in ${JSON.stringify(wanted)}`, 20_000, async () => (JSON.stringify(await shown()) === JSON.stringify(wanted) ? true : undefined));

  it('shows tasks by status as they go, lets them be accepted, and tells of those that are completed without asking anything', async () => {
    await subagents.delegate(task('Quick one', 'sleep 0'), task('Slow one', 'sleep 20'), task('Broken one', 'fail: on purpose'));
    await waitForTasks({ 'In review': ['Quick one'], 'In progress': ['Slow one'], 'Failed': ['Broken one'] });
    await tasks.inlineAction('Slow one', 'Cancel Subagent');
    await subagents.waitForChild('Slow one', 'cancelled');
    await waitForTasks({ 'In review': ['Quick one'], 'Failed': ['Broken one'], 'Cancelled': [] });
    await workbench.notifications.waitFor('Quick one');

    await waitFor('the task to be accepted', 20_000, async () => {
      await tasks.inlineAction('Quick one', 'Accept');
      return subagents.waitForChild('Quick one', 'completed', 3000).catch(() => undefined);
    });
    await waitForTasks({ 'Failed': ['Broken one'], 'Cancelled': [], 'Completed': [] });
    await waitFor('the status bar to tell of it', 5000, async () => ((await subagents.product.page.locator('.statusbar').innerText()).includes('Completed: Quick one') ? true : undefined));
    assert.ok(!(await workbench.notifications.list()).some(({ text }) => text.includes('Completed')));
    await subagents.waitForBadge(0);
  });
});
