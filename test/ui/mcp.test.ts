import assert from 'node:assert/strict';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '../../scripts/lib/temporary.ts';
import { waitFor } from '../../scripts/lib/wait.ts';
import { copyWorkspace } from '../../scripts/lib/workspaceCopy.ts';
import { writeFiles } from '../support/files.ts';
import { fixtureServer, installedServer, living, startsIn } from '../support/mcpServers.ts';
import { ProblemsView } from '../support/problemsView.ts';
import { startProduct } from '../support/product.ts';
import { Subagents, task } from '../support/subagents.ts';
import type { QuickPickItem } from '../support/quickPick.ts';
import type { Workbench } from '../support/workbench.ts';

const SHOW_SERVERS = 'Subagents: Show MCP Servers';
const TOKEN = 's3cret-word';
const { command: node, args: everything } = installedServer('everything');
const [fixture] = fixtureServer().args ?? [];

/** The server of the fixtures, which notes its starts in a file that only the right token names. */
const vault = (folder: string) => ({ command: node, args: [fixture, JSON.stringify({ starts: join(folder, '${input:token}') })], env: { VAULT_TOKEN: '${input:token}' } });
const mcpJson = (servers: Readonly<Record<string, unknown>>) => ({
  '.vscode/mcp.json': { inputs: [{ type: 'promptString', id: 'token', description: 'Token of the vault', password: true }], servers },
});

const FORECASTER = `---
name: forecaster
description: Looks at the weather with a server of its own
tools: [Read]
skills: [house-style]
mcpServers:
  forecast:
    command: ${JSON.stringify(node)}
    args: ${JSON.stringify(everything)}
---
You look at the weather.
`;

const SKILL = `---
name: house-style
description: How texts are written here
---
Write short sentences, said the house.
`;

describe('MCP servers and skills', () => {
  let folder: TemporaryFolder;
  let subagents: Subagents;
  let workbench: Workbench;
  let problems: ProblemsView;

  before(async () => {
    folder = await temporaryFolder('mcp');
    const workspace = await copyWorkspace(join(folder.path, 'workspace'));
    await writeFiles(workspace, {
      ...mcpJson({ vault: vault(folder.path) }),
      '.lite-agent/agents/forecaster.md': FORECASTER,
      '.lite-agent/skills/house-style/SKILL.md': SKILL,
      '.lite-agent/skills/unfinished/SKILL.md': '---\nname: unfinished\n---\nTo be written.\n',
    });
    // VS Code's own chat would start the servers of the file as well.
    const product = await startProduct({ workspace, settings: { 'chat.mcp.autostart': 'never' } });
    subagents = new Subagents(product);
    workbench = product.workbench;
    problems = new ProblemsView(product.page, (title) => workbench.runCommand(title));
  });

  after(async () => {
    await subagents.product.stop();
    await folder.remove();
  });

  /** Lets the root take a turn, which starts its servers. */
  async function takeTurn(): Promise<void> {
    await workbench.chat.open();
    await workbench.chat.startNew();
    await subagents.say('hello');
  }

  async function giveToken(): Promise<void> {
    await workbench.quickPick.type(TOKEN);
    await workbench.quickPick.press('Enter');
    await workbench.chat.waitForEnd();
  }

  /** The row of a server in the list, which stays open. */
  async function serverRow(name: string, description: RegExp): Promise<QuickPickItem> {
    await workbench.runCommand(SHOW_SERVERS);
    return waitForRow(name, description);
  }

  async function waitForRow(name: string, description: RegExp): Promise<QuickPickItem> {
    return waitFor(`${name}: ${String(description)}`, 20_000, async () => (await workbench.quickPick.items()).find((item) => item.label.endsWith(name) && description.test(item.description)));
  }

  async function pickAction(label: string): Promise<void> {
    const item = await waitFor(`the action ${label}`, 10_000, async () => (await workbench.quickPick.items()).find((candidate) => candidate.label.endsWith(label)));
    await workbench.quickPick.pick(item.label);
  }

  it('of the project start with what they ask for, hidden while it is typed, and are listed with their tools', async () => {
    await takeTurn();
    assert.equal(await workbench.quickPick.title(), 'MCP server vault');
    assert.match(await workbench.quickPick.message(), /^Token of the vault/);
    assert.equal(await workbench.quickPick.input.getAttribute('type'), 'password');
    await giveToken();
    await waitFor('the start of the server', 10_000, async () => (await startsIn(join(folder.path, TOKEN))).length === 1 || undefined);

    const row = await serverRow('vault', /^ready · \d+ tools · stdio$/);
    assert.equal(row.detail, 'from .vscode/mcp.json');
    await workbench.quickPick.pick(row.label);
    await pickAction('Show Tools');
    await waitFor('the tools', 10_000, async () => (await workbench.quickPick.items()).some(({ label }) => label === 'whoami') || undefined);
    await workbench.quickPick.cancel();
  });

  it('leave no process behind when the window closes, and work again after a reload', async () => {
    const [before] = await startsIn(join(folder.path, TOKEN));
    assert.deepEqual(await living([before ?? 0]), [before]);
    await subagents.product.reload();
    await waitFor('the end of the server', 5_000, async () => (await living([before ?? 0])).length === 0 || undefined);
    await takeTurn();
    // In a browser, VS Code keeps secrets no longer than the window.
    await giveToken();
    const [, again] = await waitFor('another start', 10_000, async () => ((starts) => (starts.length === 2 ? starts : undefined))(await startsIn(join(folder.path, TOKEN))));
    assert.deepEqual(await living([again ?? 0]), [again]);
    await serverRow('vault', /^ready/);
    await workbench.quickPick.cancel();
  });

  it('are asked about again when the file sends the answer elsewhere, with what has changed', async () => {
    const elsewhere = vault(join(folder.path, 'elsewhere'));
    await writeFiles(subagents.product.workspaceDir, mcpJson({ vault: elsewhere }));
    await waitFor('another question', 30_000, async () => {
      await takeTurn();
      return workbench.quickPick.input.waitFor({ timeout: 3_000 }).then(() => true, () => undefined);
    });
    const message = await workbench.quickPick.message();
    assert.match(message, /^Asked again, because “args” of this server changed\. It goes to: .*server\.mjs.*elsewhere/);
    await workbench.quickPick.cancel();
    const row = await serverRow('vault', /^failed/);
    assert.match(row.detail, /“token” was not given/);
    await workbench.quickPick.cancel();
    await workbench.chat.waitForEnd();
    assert.deepEqual(await startsIn(join(folder.path, 'elsewhere', TOKEN)), []);
  });

  it('that a definition brings are its own: its subagent asks before it calls a tool, with server and input in words', async () => {
    const order = [task('@forecaster Weather', 'call mcp__forecast__echo {"message": "sunny in Oslo"}', 'call Skill {"name": "house-style"}'), task('Bystander', 'sleep 1')];
    await subagents.begin();
    await subagents.delegate(...order);
    const refused = await workbench.notifications.waitFor('nobody has approved them yet');
    assert.match(refused.text, /forecaster/);
    await workbench.notifications.clickButton('nobody has approved', 'Review…');
    await workbench.quickPick.pickMany(['forecaster']);
    await workbench.notifications.waitFor('Approved: forecaster');
    await workbench.chat.waitForEnd();

    await subagents.begin();
    await subagents.delegate(...order);
    await subagents.waitForChild('Weather', 'waiting', 30_000);
    const toast = await workbench.notifications.waitFor('sunny in Oslo');
    assert.match(toast.text, /Weather wants to use forecast: echo: “\{"message":"sunny in Oslo"\}”/);
    assert.doesNotMatch(toast.text, /mcp__/);
    await workbench.runCommand(SHOW_SERVERS);
    assert.equal((await waitForRow('forecast', /^ready/)).detail, 'brought by a subagent');
    await workbench.quickPick.cancel();

    await workbench.notifications.clickLink('sunny in Oslo', 'Allow');
    await subagents.waitForChild('Weather', 'review');
    const result = await subagents.openResult('Weather', 'Echo: sunny in Oslo');
    assert.match(result, /Called: Skill[^]*Write short sentences, said the house\./);
    await workbench.chat.waitForEnd();
  });

  it('that fail are warned of once, listed with the reason, and started again from there once they are mended', async () => {
    const { workspaceDir } = subagents.product;
    const script = join(workspaceDir, 'tools', 'server.mjs');
    await subagents.begin();
    await writeFiles(workspaceDir, { 'tools/server.mjs': 'process.exit(3);\n', ...mcpJson({ mended: { command: node, args: [script, '{}'] } }) });
    await waitFor('the warning', 30_000, async () => {
      await takeTurn();
      await workbench.chat.waitForEnd();
      return (await workbench.notifications.list()).some(({ text }) => text.includes('mended')) || undefined;
    });
    await takeTurn();
    await workbench.chat.waitForEnd();
    const warnings = (await workbench.notifications.list()).filter(({ text }) => text.includes('mended'));
    assert.deepEqual(warnings.map(({ severity }) => severity), ['warning']);
    assert.equal(warnings[0]?.text.match(/isn.t available/g)?.length, 1, warnings[0]?.text);

    await workbench.notifications.clickButton('mended', 'Show Details');
    const row = await waitForRow('mended', /^failed · stdio$/);
    assert.match(row.detail, /It ended before it was ready/);
    await workbench.quickPick.pick(row.label);
    await copyFile(fixture ?? '', script);
    await pickAction('Restart');
    await waitForRow('mended', /^ready · \d+ tools · stdio$/);
    await workbench.quickPick.cancel();
  });

  it('that are skills are no problem where they are good, and one in the Problems view where they aren’t', async () => {
    await problems.open();
    await problems.waitForRow(/`?description`?.*Subagent Panel/);
    const rows = await problems.rows();
    assert.ok(rows.some((row) => row.includes('unfinished')), rows.join('\n'));
    assert.ok(rows.every((row) => !row.includes('house-style')), rows.join('\n'));
  });
});
