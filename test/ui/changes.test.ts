import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitFor } from '../../scripts/lib/wait.ts';
import { startProduct } from '../support/product.ts';
import { Subagents, task } from '../support/subagents.ts';
import type { Workbench } from '../support/workbench.ts';

/** Orders that edit a file as a model does: first a look, then the lines. */
function edit(path: string, ...replacements: readonly (readonly [string, string])[]): readonly string[] {
  return [
    `call Read ${JSON.stringify({ file_path: path })}`,
    ...replacements.map(([before, after]) => `call Edit ${JSON.stringify({ file_path: path, old_string: before, new_string: after })}`),
  ];
}

/** A sibling with nothing to review, so that the group's row has another name than the child's. */
const NOTHING = task('Sibling', 'fail: on purpose');

describe('changes of subagents', () => {
  let subagents: Subagents;
  let workbench: Workbench;

  before(async () => {
    subagents = new Subagents(await startProduct({ machineSettings: { 'subagents.permissions.allow': ['Write', 'Edit', 'Bash(sleep:*)'] } }));
    workbench = subagents.product.workbench;
  });

  after(() => subagents.product.stop());

  beforeEach(() => subagents.begin());

  const path = (name: string): string => join(subagents.product.workspaceDir, name);
  const content = (name: string): Promise<string> => readFile(path(name), 'utf8');

  it('are opened by Review and decided file by file, after which the task is completed and the files hold exactly that', async () => {
    const [tax, shipping] = [await content('src/tax.ts'), await content('src/shipping.ts')];
    await subagents.delegate(task('Rates', ...edit('src/tax.ts', ['reduced: 5.5', 'reduced: 10'], ['// TODO: books', '// Note: books']), ...edit('src/shipping.ts', ['= 5000', '= 6000']), 'write docs/rates.md: Rates of 2026'), NOTHING);
    await workbench.notifications.waitFor('Rates');
    await workbench.notifications.clickButton('Rates', 'Review');
    assert.deepEqual([...(await workbench.diff.waitForFiles(3))].sort(), ['rates.md', 'shipping.ts', 'tax.ts']);
    await workbench.waitForEditorTitle('Rates (changes)');

    // Their rows stand under the child, in the order in which they were changed.
    await subagents.waitForFile('rates.md', 'docs');
    assert.deepEqual((await subagents.files()).map(({ label, description }) => [label, description]), [['tax.ts', 'src · +2 −2'], ['shipping.ts', 'src · +1 −1'], ['rates.md', 'docs · +1']]);
    await subagents.tree.click('tax.ts');
    await workbench.waitForEditorTitle('tax.ts (Rates)');
    await workbench.diff.waitFor('reduced: 5.5', 'reduced: 10');

    await subagents.pressFileUntil('tax.ts', 'Accept File', 'accepted');
    await subagents.pressFileUntil('shipping.ts', 'Undo Changes in File', 'undone');
    await subagents.waitForChild('Rates', 'review');
    await subagents.pressFileUntil('rates.md', 'Accept File', 'accepted');
    await subagents.waitForChild('Rates', 'completed');
    await subagents.waitForBadge(0);
    assert.equal(await content('src/tax.ts'), tax.replace('reduced: 5.5', 'reduced: 10').replace('// TODO: books', '// Note: books'));
    assert.equal(await content('src/shipping.ts'), shipping);
    assert.equal(await content('docs/rates.md'), 'Rates of 2026');

    // What was decided is there after a reload, and the diffs are, too.
    await subagents.product.reload();
    await workbench.openContainer('Subagents');
    // As long as a window may take to start.
    await workbench.diff.waitFor('reduced: 5.5', 'reduced: 10', 60_000);
    await subagents.tree.expand('Rates and 1 more');
    await subagents.tree.expand('Rates');
    await subagents.waitForFile('shipping.ts', 'undone');
  });

  it('are decided by the piece (case 88), and Escape decides nothing', async () => {
    const before = await content('src/shipping.ts');
    await subagents.delegate(task('Prices', ...edit('src/shipping.ts', ['= 5000', '= 7000'], ['* 75', '* 80'])), NOTHING);
    await subagents.waitForChild('Prices', 'review');
    await workbench.chat.waitForEnd();
    await subagents.tree.expand('Prices');
    await subagents.waitForFile('shipping.ts', '+2 −2');

    await subagents.tree.contextAction('shipping.ts', 'Review Changes…');
    assert.deepEqual((await workbench.quickPick.items()).map(({ label, checked }) => [label, checked]), [['Line 3: const freeFrom: Cents = 7000;', false], ['Line 14: return step?.price ?? Math.ceil(grams / 1000) * 80;', false]]);
    await workbench.quickPick.cancel();
    await subagents.waitForFile('shipping.ts', /^(?!.*(?:accepted|undone))/);

    await subagents.tree.contextAction('shipping.ts', 'Review Changes…');
    await workbench.quickPick.pickMany(['Line 3: const freeFrom: Cents = 7000;']);
    await waitFor('one piece to be left', 10_000, async () => {
      await subagents.tree.contextAction('shipping.ts', 'Review Changes…');
      const items = await workbench.quickPick.items();
      if (items.length === 1) return true;
      await workbench.quickPick.cancel();
      return undefined;
    });
    await workbench.quickPick.row('Line 14: return step?.price ?? Math.ceil(grams / 1000) * 80;').click();
    await workbench.quickPick.pressButton('Undo What Is Ticked');
    await subagents.waitForChild('Prices', 'completed');
    assert.equal(await content('src/shipping.ts'), before.replace('= 5000', '= 7000'));
    await subagents.waitForFile('shipping.ts', 'partly undone');
  });

  it('of one who failed can be undone as a whole, which asks once, and spares what others changed since', async () => {
    const before = await content('src/tax.ts');
    await subagents.delegate(task('Half done', ...edit('src/tax.ts', ['standard: 19', 'standard: 21'], ['GB: {', 'UK: {']), 'write docs/half.md: Half of it', 'fail: the well is dry'), NOTHING);
    await subagents.waitForChild('Half done', 'failed');
    await workbench.chat.waitForEnd();
    await writeFile(path('src/tax.ts'), (await content('src/tax.ts')).replace('UK: {', 'IE: {'));

    await subagents.tree.contextAction('Half done', 'Undo Changes…');
    assert.match(await workbench.dialog.text(), /Undo what “Half done” changed in 2 files\?\s+tax\.ts\s+half\.md/);
    await workbench.dialog.press('Cancel');
    assert.ok(existsSync(path('docs/half.md')));

    await subagents.tree.contextAction('Half done', 'Undo Changes…');
    await workbench.dialog.press('Undo Changes');
    const toast = await workbench.notifications.waitFor('Not undone in tax.ts');
    assert.match(toast.text, /^Undone: .*half\.md/);
    assert.equal(await content('src/tax.ts'), before.replace('GB: {', 'IE: {'));
    assert.ok(!existsSync(path('docs/half.md')));
    await workbench.notifications.clickButton('Not undone', 'Show');
    await workbench.diff.waitFor('GB: {', 'IE: {');
    await subagents.tree.expand('Half done');
    await subagents.waitForFile('tax.ts', 'conflict');
    await subagents.waitForFile('half.md', 'undone');
  });
});
