import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PROMPT_FILE, type StoredPrompt } from '../../src/runtime/cron/storedPrompt.ts';
import { killExtensionHosts } from '../support/extensionHost.ts';
import { startProduct } from '../support/product.ts';
import { storedTranscripts } from '../support/storedTranscripts.ts';
import { Subagents } from '../support/subagents.ts';
import type { Workbench } from '../support/workbench.ts';

describe('a scheduled prompt', () => {
  let subagents: Subagents;
  let workbench: Workbench;

  before(async () => {
    subagents = new Subagents(await startProduct());
    workbench = subagents.product.workbench;
  });

  after(() => subagents.product.stop());

  beforeEach(() => subagents.begin());

  /** Ids of the conversations in which something was said, each with how many scheduled prompts it holds. */
  async function conversations(): Promise<ReadonlyMap<string, number>> {
    const transcripts = await storedTranscripts(subagents.product.dataDir);
    return new Map([...transcripts].filter(([, entries]) => entries.some(({ type }) => type === 'message')).map(([id, entries]) => [id, entries.filter((entry) => entry.type === 'turn' && entry.cause.kind === 'scheduled').length]));
  }

  async function schedule(prompts: readonly StoredPrompt[]): Promise<void> {
    const { dataDir } = subagents.product;
    const transcripts = (await readdir(dataDir, { recursive: true })).find((path) => /subagent-panel[/\\]transcripts$/.test(path)) ?? assert.fail('nothing is stored');
    const dir = join(dataDir, dirname(transcripts), 'cron');
    await mkdir(dir, { recursive: true });
    await writeFile(join(dir, 'scheduled.json'), PROMPT_FILE.format(prompts));
  }

  it('that was missed is answered after the reload, once, opens the next answer, and others can be looked at and deleted', async () => {
    await subagents.say('good morning');
    await workbench.chat.waitForEnd();
    const [sessionId = ''] = (await conversations()).keys();
    // In a browser, VS Code keeps for certain only the conversations that were left.
    await workbench.chat.startNew();
    await killExtensionHosts(subagents.product.dataDir);
    const made = { sessionId, createdAt: Date.UTC(2026, 0, 1), countedFrom: Date.UTC(2026, 0, 1) };
    await schedule([
      { ...made, id: 'cron-missed', schedule: '2026-01-02T09:00', once: true, prompt: 'help' },
      { ...made, id: 'cron-daily', schedule: '0 9 1 1 *', countedFrom: Date.now(), prompt: 'Look at the build' },
    ]);
    await subagents.product.reload();
    await workbench.notifications.waitFor('The scheduled prompt “help” was answered.', 30_000);
    await workbench.notifications.clickButton('The scheduled prompt “help” was answered.', 'Show Answer');
    await workbench.waitForEditorTitle('help (answer)');
    await workbench.waitForPreview('I turn a request into subagents');

    await workbench.runCommand('Subagents: Show Scheduled Prompts');
    const [item, ...others] = await workbench.quickPick.items();
    assert.deepEqual([item?.label, others], ['Look at the build', []]);
    assert.match(item?.description ?? '', /^next .*Jan/);
    assert.match(item?.detail ?? '', /In the conversation “good morning”.*0 9 1 1 \*/);
    await workbench.quickPick.press('Enter');
    assert.match(await workbench.dialog.text(), /Delete this scheduled prompt\?\s*Look at the build/);
    await workbench.dialog.press('Delete');
    await workbench.notifications.waitFor('No prompt is scheduled.');

    await workbench.chat.openSession('good morning');
    await subagents.say('hello');
    await workbench.chat.waitForEnd();
    assert.match(await workbench.chat.wholeResponse(), /Scheduled prompt: help/);
    await subagents.say('thanks');
    await workbench.chat.waitForEnd();
    assert.doesNotMatch(await workbench.chat.wholeResponse(), /Scheduled prompt/, 'once only');
    await subagents.product.reload();
    await workbench.openContainer('Subagents');
    assert.deepEqual([...(await conversations())], [[sessionId, 1]]);
  });
});
