import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { storedApprovals } from '../../src/host/definitionApprovals.ts';
import { runtimePieces } from '../../src/host/runtimePieces.ts';
import { COMMANDS, SCHEMES } from '../../src/ids.ts';
import type { FoundDefinition } from '../../src/runtime/domain/definitions.ts';
import type { LiteAgent } from '../../src/runtime/domain/liteAgent.ts';
import { SILENT_LOG } from '../../src/runtime/domain/ports.ts';
import type { AgentNode } from '../../src/ui/agents/agentNodes.ts';
import { AgentsTree } from '../../src/ui/agents/agentsTree.ts';
import { copyToWorkspace } from '../../src/ui/agents/copyDefinition.ts';
import { deleteDefinitions } from '../../src/ui/agents/deleteDefinitions.ts';
import { definitionText } from '../../src/ui/agents/definitionText.ts';
import { writeAgent } from '../../src/ui/agents/newAgent/createAgent.ts';
import type { UiContext } from '../../src/ui/context.ts';
import { until } from '../support/hostEvents.ts';
import { fakeState } from '../support/state.ts';

const window = vscode.window as unknown as Record<'showWarningMessage', unknown>;
const { showWarningMessage } = vscode.window;
const EXTENSION = 'subagent-panel.subagent-panel';
const text = (name: string): string => definitionText({ name, description: `About ${name}`, tools: 'inherit', body: `Prompt of ${name}.` });

const labelOf = ({ label }: vscode.TreeItem): string => (typeof label === 'string' ? label : assert.fail('a label is a text'));

describe('the Agents view', () => {
  let home: string;
  let agent: LiteAgent;
  let tree: AgentsTree;
  let changes: vscode.EventEmitter<void>;
  /** What was asked, and which button is pressed; none closes it. */
  let asked: string[];
  let press: readonly string[];

  beforeEach(async () => {
    home = await realpath(await mkdtemp(join(tmpdir(), 'agents-')));
    await write('bundled/clerk.md', text('clerk'));
    await write('user/mine.md', text('mine'));
    agent = await runtimePieces.createLiteAgent({
      cwd: home,
      storageDir: join(home, 'storage'),
      provider: { id: 'none', stream: () => assert.fail('nothing is sent') },
      model: { provider: 'none', model: 'none' },
      agents: { bundled: join(home, 'bundled'), user: join(home, 'user'), claude_project: join(home, 'claude'), project: join(home, 'project') },
      definitionApprovals: storedApprovals(fakeState(), home),
    });
    const access = { agent: async () => agent, current: agent, onDidCreate: () => new vscode.Disposable(() => undefined) };
    tree = new AgentsTree({ access, log: SILENT_LOG } as Partial<UiContext> as UiContext);
    changes = new vscode.EventEmitter();
    tree.onDidChangeTreeData(() => changes.fire());
    asked = [];
    press = [];
    window.showWarningMessage = async (message: string, _options: vscode.MessageOptions, ...buttons: readonly string[]) => {
      asked.push(message);
      return buttons.find((button) => press.includes(button));
    };
  });

  afterEach(async () => {
    window.showWarningMessage = showWarningMessage;
    tree.dispose();
    changes.dispose();
    await agent.close();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(home, { recursive: true, force: true });
  });

  async function write(path: string, content: string): Promise<void> {
    await mkdir(join(home, path, '..'), { recursive: true });
    await writeFile(join(home, path), content);
  }

  async function rows(): Promise<Record<string, readonly string[]>> {
    const shown: Record<string, readonly string[]> = {};
    for (const source of await tree.getChildren()) {
      const items = (await tree.getChildren(source)).map((node) => tree.getTreeItem(node));
      shown[labelOf(tree.getTreeItem(source))] = items.map((item) => `${labelOf(item)}: ${String(item.description)}`);
    }
    return shown;
  }

  const found = (name: string): FoundDefinition => agent.definitions.found().find((one) => one.name === name) ?? assert.fail(name);

  it('follows the files, keeping each row the one that it was', async () => {
    const builtin = ['Explore: ', 'general-purpose: '];
    const short = (shown: Record<string, readonly string[]>): Record<string, readonly string[]> => ({ ...shown, 'Built in': builtin });
    assert.deepEqual(short(await rows()), { 'User': ['mine: About mine'], 'Bundled': ['clerk: About clerk'], 'Built in': builtin });
    const [user] = await tree.getChildren();
    assert.ok(user);
    const [before] = await tree.getChildren(user);

    await write('project/clerk.md', text('clerk'));
    await write('user/bad.md', 'no frontmatter');
    await agent.definitions.reload();
    await until('the new files', changes.event, async () => Object.hasOwn(await rows(), 'Project'));
    assert.deepEqual(short(await rows()), {
      'Project': ['clerk: not yet approved'],
      'User': [(await rows())['User']?.[0] ?? '', 'mine: About mine'],
      'Bundled': ['clerk: shadowed by Project'],
      'Built in': builtin,
    });
    assert.match((await rows())['User']?.[0] ?? '', /^bad: not loaded: /);
    const nodes = (await tree.getChildren()).find((node: AgentNode) => node.source === 'user');
    assert.equal((await tree.getChildren(nodes)).at(-1), before);
    const item = before === undefined ? undefined : tree.resolveTreeItem(tree.getTreeItem(before), before);
    assert.match((item?.tooltip as vscode.MarkdownString).value, /About mine/);
  });

  it('lets a new agent of the person be used at once, and opens it where its instructions begin', async () => {
    const path = join(home, 'project', 'own.md');
    await writeAgent(agent, { path, text: text('own') });
    assert.equal(found('own').status, 'active');
    const editor = vscode.window.activeTextEditor;
    assert.deepEqual([editor?.document.uri.fsPath, editor?.document.lineAt(editor.selection.active.line).text], [path, 'Prompt of own.']);
    await assert.rejects(writeAgent(agent, { path, text: text('other') }), { reason: 'conflict' });
    assert.equal(await readFile(path, 'utf8'), text('own'));

    await write('project/theirs.md', text('theirs'));
    await agent.definitions.reload();
    assert.equal(found('theirs').status, 'unapproved', 'only what the person wrote is');
  });

  it('copies an agent into the workspace as it is written, and asks before it replaces one', async () => {
    const copy = join(home, 'project', 'clerk.md');
    await copyToWorkspace(agent, found('clerk'));
    assert.deepEqual([await readFile(copy, 'utf8'), agent.definitions.unapproved()], [text('clerk'), []]);
    assert.deepEqual(agent.definitions.list().find(({ name }) => name === 'clerk')?.path, copy);
    assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, copy);

    await writeFile(copy, 'changed');
    await agent.definitions.reload();
    await copyToWorkspace(agent, found('clerk'));
    assert.deepEqual([asked.length, await readFile(copy, 'utf8')], [1, 'changed']);
    press = ['Replace'];
    await copyToWorkspace(agent, found('clerk'));
    assert.equal(await readFile(copy, 'utf8'), text('clerk'));
  });

  it('copies a built-in agent as a file that is the same agent', async () => {
    const before = found('Explore');
    await copyToWorkspace(agent, before);
    const after = agent.definitions.list().find(({ name }) => name === 'Explore');
    assert.ok(before.status !== 'refused' && after);
    assert.deepEqual([after.source, after.tools, after.description, after.prompt.trim()], ['project', before.definition.tools, before.definition.description, before.definition.prompt]);
  });

  it('does not let a project vouch for itself by way of a copy', async () => {
    await write('claude/theirs.md', text('theirs'));
    await agent.definitions.reload();
    await copyToWorkspace(agent, found('theirs'));
    assert.deepEqual(agent.definitions.unapproved().map(({ path }) => path), [join(home, 'project', 'theirs.md')]);
  });

  it('deletes the file of an agent when the person says so, and never one of the extension', async () => {
    const path = join(home, 'user', 'mine.md');
    await deleteDefinitions(agent, [found('mine')], SILENT_LOG);
    assert.deepEqual([asked.length, existsSync(path)], [1, true]);
    press = ['Move to Trash', 'Delete'];
    await deleteDefinitions(agent, [found('mine'), found('clerk'), found('Explore')], SILENT_LOG);
    assert.deepEqual([existsSync(path), existsSync(join(home, 'bundled', 'clerk.md'))], [false, true]);
    assert.ok(!agent.definitions.found().some(({ name }) => name === 'mine'));
  });
});

describe('the commands of the Agents view', () => {
  before(() => vscode.extensions.getExtension(EXTENSION)?.activate());
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('open what nobody can change as a read-only document, and files as files', async () => {
    const bundled = vscode.Uri.joinPath(vscode.extensions.getExtension(EXTENSION)?.extensionUri ?? assert.fail(), 'agents', 'bug-hunter.md').fsPath;
    for (const [definitionId, words] of [['builtin:Explore', /^---\nname: Explore\n[\s\S]*You are Explore/], [`bundled:${bundled}`, /^---\nname: bug-hunter\n/]] as const) {
      await vscode.commands.executeCommand(COMMANDS.openDefinition, { definitionId });
      const document = vscode.window.activeTextEditor?.document;
      assert.deepEqual([document?.uri.scheme, document?.languageId], [SCHEMES.definition, 'markdown']);
      assert.match(document?.getText() ?? '', words);
    }
  });

  it('do nothing about an agent that is gone, and give its document other words', async () => {
    for (const command of [COMMANDS.openDefinition, COMMANDS.runDefinition, COMMANDS.copyDefinition, COMMANDS.approveDefinition, COMMANDS.deleteDefinition, COMMANDS.revealDefinition]) {
      await vscode.commands.executeCommand(command, { definitionId: 'user:/gone.md' });
    }
    assert.equal(vscode.window.activeTextEditor, undefined);
    const document = await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme: SCHEMES.definition, path: '/gone.md', query: 'builtin:gone' }));
    assert.ok(document.getText().length > 0 && document.getText().length < 100);
  });
});

describe('Preview Effective Agent', () => {
  before(() => vscode.extensions.getExtension(EXTENSION)?.activate());
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  /** The previews that are open. */
  const shown = (): readonly vscode.Uri[] => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.flatMap(({ input }) => ((input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputText) && input.uri.scheme === SCHEMES.preview ? [input.uri] : [])));

  it('shows what the agent of that name would run with, once however often it is asked for', async () => {
    for (let time = 0; time < 2; time += 1) {
      await vscode.commands.executeCommand(COMMANDS.previewAgent, { agent: 'Explore' });
      await until('the preview', vscode.window.tabGroups.onDidChangeTabs, () => shown().length === 1);
    }
    const text = (await vscode.workspace.openTextDocument(shown()[0] ?? assert.fail())).getText();
    for (const part of [/^# Explore$/m, /^\| Model \| \S/m, /^You are Explore/m, /^\| Read \| built in \| /m, /: .*\bWrite\b/]) assert.match(text, part);
  });

  it('has words for an agent that is gone, and none for an address of somebody else’s', async () => {
    const textAt = async (query: string): Promise<string> => (await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme: SCHEMES.preview, path: '/x.md', query }))).getText();
    assert.match(await textAt('{"name":"nobody"}'), /nobody/);
    assert.equal(await textAt('{'), '');
  });
});
