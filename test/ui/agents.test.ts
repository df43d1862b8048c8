import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitFor } from '../../scripts/lib/wait.ts';
import { startProduct } from '../support/product.ts';
import { Subagents } from '../support/subagents.ts';
import type { TreeView } from '../support/treeView.ts';
import type { Workbench } from '../support/workbench.ts';

describe('the Agents view', () => {
  let subagents: Subagents;
  let workbench: Workbench;
  let agents: TreeView;

  before(async () => {
    subagents = new Subagents(await startProduct());
    workbench = subagents.product.workbench;
    agents = workbench.tree('Agents');
    await subagents.begin();
    await agents.open();
  });

  after(() => subagents.product.stop());

  /** Answers the input box that asks with these words. */
  const enter = async (question: string, answer: string): Promise<void> => {
    await waitFor(`the question ${question}`, 15_000, async () => ((await workbench.quickPick.message()).includes(question) ? true : undefined));
    await workbench.quickPick.type(answer);
    await workbench.quickPick.press('Enter');
  };

  it('makes an agent step by step, which then is there, opens, and runs without further ado', async () => {
    await agents.waitForRow('a bundled agent', ({ label, level }) => label === 'bug-hunter' && level === 2);
    await agents.titleAction('New Agent…');
    await workbench.quickPick.pick('Project');
    await enter('by which the chat and you pick', 'API Reader');
    await enter('when to use it', 'Reads the API: and says what it does');
    await workbench.quickPick.pick('Read only');
    await workbench.waitForEditorText('You do one kind of work', 30_000);
    const text = await readFile(join(subagents.product.workspaceDir, '.lite-agent', 'agents', 'api-reader.md'), 'utf8');
    assert.match(text, /^---\nname: API Reader\ndescription: "Reads the API: and says what it does"\ntools: \[Read, Glob, Grep\]\nreadOnly: true\n---\n/);

    const row = await agents.waitForRow('the new agent', ({ label }) => label === 'API Reader');
    assert.equal(row.description, 'Reads the API: and says what it does', 'it waits for no approval');
    await agents.inlineAction('API Reader', 'Run…');
    await workbench.quickPick.pressButton('Write Several Tasks in Chat');
    const chatInput = subagents.product.page.locator('.interactive-input-part');
    await waitFor('the chat to take the tasks', 15_000, async () => ((await chatInput.innerText()).replaceAll('\u00a0', ' ').includes('@API Reader') ? true : undefined));
    // The chat takes the focus late, which closes a question; its user asks again.
    await waitFor('the task to be taken', 90_000, async () => {
      await agents.inlineAction('API Reader', 'Run…');
      return enter('what it is to do', 'sleep 0').then(() => true, () => undefined);
    });
    await subagents.waitForChild('sleep 0', 'review');
    await workbench.tree('Tasks').waitForRow('the task of the new agent', ({ label, description }) => label === 'sleep 0' && description === 'API Reader');
  });
});
