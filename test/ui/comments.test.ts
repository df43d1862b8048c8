import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startProduct } from '../support/product.ts';
import { Subagents, task } from '../support/subagents.ts';
import type { Workbench } from '../support/workbench.ts';

const READ_TAX = 'call Read {"file_path": "src/tax.ts"}';

describe('a reviewer who wants changes', () => {
  let subagents: Subagents;
  let workbench: Workbench;

  before(async () => {
    subagents = new Subagents(await startProduct({ machineSettings: { 'subagents.permissions.allow': ['Write', 'Edit'] } }));
    workbench = subagents.product.workbench;
    await subagents.begin();
  });

  after(() => subagents.product.stop());

  const content = (name: string): Promise<string> => readFile(join(subagents.product.workspaceDir, name), 'utf8');

  it('comments on a line of the diff, sends that, reads the answer there, and decides on each file', async () => {
    const [tax, shipping] = [await content('src/tax.ts'), await content('src/shipping.ts')];
    await subagents.delegate(task(
      'Rates',
      READ_TAX, 'call Edit {"file_path": "src/tax.ts", "old_string": "reduced: 5.5", "new_string": "reduced: 10"}',
      'call Read {"file_path": "src/shipping.ts"}', 'call Edit {"file_path": "src/shipping.ts", "old_string": "= 5000", "new_string": "= 6000"}',
      'write docs/rates.md: Rates of 2026',
    ), task('Sibling', 'fail: on purpose'));
    await workbench.notifications.waitFor('Rates');
    await workbench.notifications.clickButton('Rates', 'Review');
    await workbench.diff.waitForFiles(3);
    await subagents.waitForFile('tax.ts', '+1 −1');
    await subagents.tree.click('tax.ts');
    await workbench.diff.waitFor('reduced: 5.5', 'reduced: 10');

    await workbench.comments.begin('GB: {');
    await workbench.comments.write(READ_TAX, 'call Edit {"file_path": "src/tax.ts", "old_string": "reduced: 10", "new_string": "reduced: 6"}');
    await workbench.comments.waitFor('Comment for Rates, not sent yet', 'Draft');
    await subagents.tree.inlineAction('Rates', 'Accept');
    assert.match(await workbench.dialog.text(), /your comments for it were not sent/);
    await workbench.dialog.press('Cancel');
    await workbench.comments.press('Comment for Rates, not sent yet', 'Send to Subagent…');
    assert.match(await workbench.quickPick.title(), /Request Changes from .*Rates/);
    assert.match(await workbench.quickPick.message(), /Sends 1 comment along/);
    await workbench.quickPick.type('One digit is enough.');
    await workbench.quickPick.press('Enter');

    // The same child goes on, and its task with it, until there is something to review again.
    await workbench.diff.waitFor('reduced: 5.5', 'reduced: 6');
    await workbench.comments.waitFor('Sent to Rates', 'Handled 2 instructions');
    assert.equal(await content('src/tax.ts'), tax.replace('reduced: 5.5', 'reduced: 6'));
    await subagents.tree.waitForRow('the row in round 2', ({ label, description }) => label === 'Rates' && /review.*round 2/.test(description));

    await subagents.pressFileUntil('tax.ts', 'Accept File', 'accepted');
    await subagents.pressFileUntil('shipping.ts', 'Undo Changes in File', 'undone');
    await subagents.pressFileUntil('rates.md', 'Accept File', 'accepted');
    await subagents.waitForChild('Rates', 'completed');
    assert.equal(await content('src/tax.ts'), tax.replace('reduced: 5.5', 'reduced: 6'));
    assert.equal(await content('src/shipping.ts'), shipping);
    assert.equal(await content('docs/rates.md'), 'Rates of 2026');
    const row = await workbench.tree('Tasks').waitForRow('the completed task', ({ label, level }) => level === 1 && label === 'Completed');
    assert.equal(row.description, '1');
  });
});
