import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { PanelEvent, SubagentPanelApi } from '../../src/api.ts';
import { COMMANDS } from '../../src/ids.ts';
import { uncommitted } from '../../src/ui/anywhere/gitChanges.ts';
import { reviewTask } from '../../src/ui/anywhere/reviewTask.ts';
import { until } from '../support/hostEvents.ts';
import { startOutsider } from '../support/outsider.ts';
import { english } from '../unit/ui/fakes.ts';

const TITLE = 'Fix with Subagent';

describe('a problem in a file', () => {
  const problems = vscode.languages.createDiagnosticCollection('test');
  const happened = new vscode.EventEmitter<PanelEvent>();
  let panel: SubagentPanelApi;
  let started: Extract<PanelEvent, { type: 'group.started' }>[];
  let ended: string[];
  let listening: { dispose(): void };
  let document: vscode.TextDocument;

  before(async () => {
    panel = await (await startOutsider()).panel(1);
    const folder = vscode.workspace.workspaceFolders?.[0] ?? assert.fail('no folder');
    document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder.uri, 'src/tax.ts'));
  });

  beforeEach(() => {
    [started, ended] = [[], []];
    listening = panel.subscribe((event) => {
      if (event.type === 'group.started') started.push(event);
      if (event.type === 'group.changed') ended.push(event.groupId);
      happened.fire(event);
    });
    problems.set(document.uri, [new vscode.Diagnostic(new vscode.Range(2, 0, 2, 5), 'Where is "tax" applied?', vscode.DiagnosticSeverity.Warning)]);
  });

  afterEach(() => {
    listening.dispose();
    problems.clear();
  });
  after(() => problems.dispose());

  const actionsAt = async (line: number): Promise<readonly vscode.CodeAction[]> => {
    const all = await vscode.commands.executeCommand<vscode.CodeAction[]>('vscode.executeCodeActionProvider', document.uri, new vscode.Range(line, 0, line, 1));
    return all.filter(({ title }) => title === TITLE);
  };

  it('is handed to a subagent by the action beside it', async () => {
    const [action] = await actionsAt(2);
    assert.equal(action?.kind?.value, vscode.CodeActionKind.QuickFix.value);
    const { command, arguments: args = [] } = action.command ?? assert.fail('no command');
    await vscode.commands.executeCommand(command, ...(args as unknown[]));
    await until('its group', happened.event, () => started.length === 1);
    const [group] = started;
    assert.deepEqual(group?.children.map(({ name }) => name), ['Fix: Where is "tax" applied?']);
    await until('the end of the group', happened.event, () => ended.includes(group?.groupId ?? ''));
  });

  it('is that at the cursor where the command comes from the palette', async () => {
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(2, 2, 2, 2);
    await vscode.commands.executeCommand(COMMANDS.fixProblem);
    await until('its group', happened.event, () => started.length === 1);
    await until('the end of the group', happened.event, () => ended.length === 1);
    editor.selection = new vscode.Selection(0, 0, 0, 0);
    await vscode.commands.executeCommand(COMMANDS.fixProblem);
    assert.equal(started.length, 1);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  it('is none where there is none', async () => assert.deepEqual(await actionsAt(0), []));
});

describe('the changes of a repository', () => {
  let folder: string;
  const git = (...args: readonly string[]): unknown => execFileSync('git', args, { cwd: folder });
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'changes-')));
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('git.close', vscode.Uri.file(folder)).then(undefined, () => undefined);
    await rm(folder, { recursive: true, force: true });
  });

  it('are read with what is staged, what is not, and new files; committed there is nothing to review', async () => {
    await writeFile(join(folder, 'a.txt'), 'one\n');
    await writeFile(join(folder, 'b.txt'), 'one\n');
    for (const args of [['init', '--quiet'], ['config', 'user.name', 'T'], ['config', 'user.email', 't@example.org'], ['add', '.'], ['commit', '--quiet', '-m', 'first']]) git(...args);
    const extension = await vscode.extensions.getExtension<{ getAPI(version: 1): { openRepository(root: vscode.Uri): Promise<{ readonly rootUri: vscode.Uri } | null> } }>('vscode.git')?.activate();
    const root = (await extension?.getAPI(1).openRepository(vscode.Uri.file(folder)))?.rootUri;
    assert.ok(root);
    const clean = await uncommitted(root);
    assert.equal(clean && reviewTask(clean, english), undefined);

    await writeFile(join(folder, 'a.txt'), 'staged\n');
    git('add', 'a.txt');
    await writeFile(join(folder, 'b.txt'), 'not staged\n');
    await writeFile(join(folder, 'c.txt'), 'new\n');
    const changes = await uncommitted(root);
    assert.match(changes?.staged ?? '', /\+staged/);
    assert.match(changes?.unstaged ?? '', /\+not staged/);
    assert.deepEqual([changes?.untracked, changes?.staged.includes('not staged')], [['c.txt'], false]);
  });
});
