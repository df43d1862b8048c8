import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProduct } from '../support/product.ts';
import { Subagents, task } from '../support/subagents.ts';

describe('a subagent in a worktree', () => {
  let subagents: Subagents;
  let agents: string;

  before(async () => {
    agents = await mkdtemp(join(tmpdir(), 'agents-'));
    await writeFile(join(agents, 'general-purpose.md'), '---\nname: general-purpose\ndescription: Codes.\nisolation: worktree\n---\nYou code.\n');
    subagents = new Subagents(await startProduct({ machineSettings: { 'subagents.permissions.allow': ['Write', 'Edit'], 'subagents.agents.directory': agents } }));
  });

  after(async () => {
    await subagents.product.stop();
    await rm(agents, { recursive: true, force: true });
  });

  const path = (name: string): string => join(subagents.product.workspaceDir, name);
  const content = (name: string): Promise<string> => readFile(path(name), 'utf8');
  const git = (...args: readonly string[]): string => execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: subagents.product.workspaceDir, encoding: 'utf8' }).trim();
  const edit = (file: string, before: string, after: string): readonly string[] => [
    `call Read ${JSON.stringify({ file_path: file })}`,
    `call Edit ${JSON.stringify({ file_path: file, old_string: before, new_string: after })}`,
  ];

  it('shows its base; accepting merges what fits, shows the conflict of the rest and leaves it (case 91)', async () => {
    const { workbench } = subagents.product;
    await subagents.begin();
    const [tax, shipping] = [await content('src/tax.ts'), await content('src/shipping.ts')];
    await subagents.delegate(task('Rates', ...edit('src/tax.ts', 'reduced: 5.5', 'reduced: 10'), ...edit('src/shipping.ts', '= 5000', '= 6000'), 'write docs/rates.md: Rates of 2026'), task('Sibling', 'fail: on purpose'));
    const row = await subagents.waitForChild('Rates', 'review');
    assert.match(row.description, new RegExp(`worktree ${git('rev-parse', '--short=7', 'HEAD')}`));
    await workbench.chat.waitForEnd();
    assert.deepEqual([await content('src/tax.ts'), await content('src/shipping.ts'), existsSync(path('docs/rates.md'))], [tax, shipping, false]);

    // Meanwhile its user changes one of them on another line, and the other on the same.
    await writeFile(path('src/tax.ts'), tax.replace('// TODO: books', '// Note: books'));
    await writeFile(path('src/shipping.ts'), shipping.replace('= 5000', '= 4000'));
    await subagents.tree.expand('Rates');
    await subagents.waitForFile('shipping.ts', 'conflict');
    await subagents.tree.inlineAction('Rates', 'Accept');
    await workbench.notifications.waitFor('1 file was not merged: shipping.ts.');
    await subagents.tree.waitForRow('Rates with its conflict', ({ label, description }) => label === 'Rates' && description.includes('1 conflict'));
    await workbench.notifications.clickButton('1 file was not merged', 'Show Conflicts');
    await workbench.waitForEditorTitle('shipping.ts (Rates ↔ your file)');
    assert.equal(await content('src/tax.ts'), tax.replace('// TODO: books', '// Note: books').replace('reduced: 5.5', 'reduced: 10'));
    assert.equal(await content('src/shipping.ts'), shipping.replace('= 5000', '= 4000'));
    assert.equal(await content('docs/rates.md'), 'Rates of 2026');
    await subagents.waitForFile('tax.ts', 'accepted');
    await subagents.waitForFile('shipping.ts', 'conflict');
    await subagents.waitForChild('Rates', 'review');
    await subagents.pressFileUntil('shipping.ts', 'Undo Changes in File', 'undone');
    await subagents.waitForChild('Rates', 'completed');
    assert.equal(await content('src/shipping.ts'), shipping.replace('= 5000', '= 4000'));
  });

  it('has its worktree removed after a question that names what would be lost', async () => {
    const { workbench } = subagents.product;
    await subagents.begin();
    await subagents.delegate(task('Draft', 'write docs/draft.md: A draft'), task('Sibling', 'fail: on purpose'));
    await subagents.waitForChild('Draft', 'review');
    await workbench.chat.waitForEnd();
    await subagents.tree.contextAction('Draft', 'Remove Worktree…');
    assert.match(await workbench.dialog.text(), /Remove the worktree of “Draft”\?\s+These would be lost:\s+draft\.md/);
    await workbench.dialog.press('Remove Worktree');
    const row = await subagents.waitForChild('Draft', 'completed');
    assert.doesNotMatch(row.description, /worktree/);
    await subagents.tree.expand('Draft');
    await subagents.waitForFile('draft.md', 'undone');
    assert.equal(existsSync(path('docs/draft.md')), false);
    assert.equal(git('worktree', 'list').split('\n').length, 1);
  });
});
