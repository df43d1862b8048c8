import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { SCHEMES } from '../../src/ids.ts';
import { AppError } from '../../src/runtime/base/errors.ts';
import { Emitter } from '../../src/runtime/base/emitter.ts';
import type { RuntimeEvent } from '../../src/runtime/domain/events.ts';
import type { LiteAgent } from '../../src/runtime/domain/liteAgent.ts';
import { SILENT_LOG } from '../../src/runtime/domain/ports.ts';
import type { FileDiff, FileReview } from '../../src/runtime/domain/reviews.ts';
import type { UiContext } from '../../src/ui/context.ts';
import { ChangeFiles } from '../../src/ui/review/diff/changeFiles.ts';
import { changeKey, changeQuery, rowMark, type ChangeKey } from '../../src/ui/review/diff/changeUris.ts';
import { openChanges, openDiff } from '../../src/ui/review/diff/openChanges.ts';
import { GroupsTree } from '../../src/ui/tree/groupsTree.ts';
import type { Node } from '../../src/ui/tree/nodes.ts';
import { until } from '../support/hostEvents.ts';
import { child, file, group, request, strictReviews } from '../unit/ui/fakes.ts';

const TEST_SCHEME = 'subagents-change-test';
const CHILD = { kind: 'child', agentId: 'agent-1' } as const;
const text = (content: string): Uint8Array => Buffer.from(content, 'utf8');

describe('what a subagent changed', () => {
  let folder: string;
  let events: Emitter<RuntimeEvent>;
  let diffs: Map<string, FileDiff>;
  let changes: Map<string, readonly FileReview[]>;
  let asked: string[];
  let children: ReturnType<typeof child>[];
  let agent: LiteAgent;
  let context: UiContext;
  let owned: { dispose(): unknown }[];

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'changes-')));
    events = new Emitter((error) => assert.fail(String(error)));
    [diffs, changes, asked, owned] = [new Map(), new Map(), [], []];
    children = [child({ status: 'completed', taskStatus: 'review', changedFiles: ['/x'] })];
    const reviews = strictReviews({
      async changes(agentId) {
        asked.push(agentId);
        return changes.get(agentId) ?? [];
      },
      async file(agentId, path) {
        return changes.get(agentId)?.find((each) => each.path === path) ?? assert.fail(path);
      },
      async groupChanges() {
        return [...changes.values()].flat();
      },
      async diff(_agentId, path) {
        const found = diffs.get(path);
        if (found === undefined) throw new AppError('not_found', 'Its content is not kept.');
        return found;
      },
    });
    const fake: Partial<LiteAgent> = {
      reviews,
      subscribe: (listener) => events.event(listener),
      child: (agentId) => children.find((one) => one.agentId === agentId),
      group: (groupId) => (groupId === 'g1' ? group(children, { cwd: folder, status: 'completed' }) : undefined),
      groups: () => [group(children, { cwd: folder, status: 'completed' })],
      approvals: { pending: () => [], refused: () => [] } as unknown as LiteAgent['approvals'],
      definitions: { list: () => [] } as unknown as LiteAgent['definitions'],
    };
    agent = fake as LiteAgent;
    const access = { agent: async () => agent, current: agent, onDidCreate: () => new vscode.Disposable(() => undefined) };
    context = { access, log: SILENT_LOG } as Partial<UiContext> as UiContext;
  });

  afterEach(async () => {
    for (const one of owned) one.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true, force: true });
  });

  const path = (name: string): string => join(folder, name);
  const sideOf = (key: Partial<ChangeKey>): vscode.Uri => vscode.Uri.file(path('a.ts')).with({ scheme: TEST_SCHEME, query: changeQuery({ scope: CHILD, side: 'before', path: path('a.ts'), isNote: false, ...key }) });

  describe('in its diff', () => {
    let files: ChangeFiles;

    beforeEach(() => {
      files = new ChangeFiles(context, TEST_SCHEME);
      owned.push(files);
    });

    it('is read byte by byte, and can not be written', async () => {
      const utf16 = Buffer.from('\uFEFFold ü\n', 'utf16le');
      diffs.set(path('a.ts'), { before: utf16, after: text('new'), isPresent: false });
      assert.equal((await vscode.workspace.openTextDocument(sideOf({}))).getText(), 'old ü\n');
      assert.equal((await vscode.workspace.openTextDocument(sideOf({ side: 'after' }))).getText(), 'new');
      assert.equal((await vscode.workspace.openTextDocument(sideOf({ side: 'none' }))).getText(), '');
      assert.match((await vscode.workspace.openTextDocument(sideOf({ isNote: true }))).getText(), /14 bytes/);
      assert.equal(vscode.workspace.fs.isWritableFileSystem(TEST_SCHEME), false);
      await assert.rejects(async () => vscode.workspace.fs.writeFile(sideOf({}), text('x')));
    });

    it('says why it can’t be shown, and is nothing for an address of a stranger', async () => {
      await assert.rejects(async () => vscode.workspace.fs.readFile(sideOf({})), /Its content is not kept/);
      assert.equal((await vscode.workspace.openTextDocument(sideOf({ isNote: true }))).getText().trim(), 'Its content is not kept.');
      for (const query of ['', 'side=before', 'row=a&kind=edited']) await assert.rejects(async () => vscode.workspace.fs.readFile(sideOf({}).with({ query })));
    });

    it('follows decisions, further changes and what others write while it is open', async () => {
      await writeFile(path('a.ts'), 'now\n');
      diffs.set(path('a.ts'), { before: text('one'), after: text('now\n'), isPresent: true });
      const document = await vscode.workspace.openTextDocument(sideOf({}));
      const shows = (content: string) => until(`the content ${content}`, vscode.workspace.onDidChangeTextDocument, () => document.getText() === content);
      const show = (content: string): void => void diffs.set(path('a.ts'), { before: text(content), after: text('now\n'), isPresent: true });

      show('two');
      events.fire({ at: 0, type: 'review.decided', sessionId: 's1', groupId: 'g1', agentId: 'agent-1', decision: { id: 'd', path: path('a.ts'), verdict: 'accepted', content: { kind: 'absent' }, lines: 'all' } });
      await shows('two');
      show('three');
      events.fire({ at: 0, type: 'files.changed', agent: request().agent, callId: 'c', changes: [{ path: path('a.ts'), kind: 'edited' }] });
      await shows('three');
      show('four');
      const edit = new vscode.WorkspaceEdit();
      const own = await vscode.workspace.openTextDocument(path('a.ts'));
      edit.insert(own.uri, new vscode.Position(0, 0), 'mine\n');
      await vscode.workspace.applyEdit(edit);
      await shows('four');
      await own.save();
    });
  });

  it('opens as a diff against the file itself where that is what the subagent left', async () => {
    await writeFile(path('a.ts'), 'new\n');
    diffs.set(path('a.ts'), { before: text('old\n'), after: text('new\n'), isPresent: true });
    await openDiff(agent, CHILD, path('a.ts'));
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    assert.equal(tab?.label, 'a.ts (Docs review)');
    assert.ok(tab.input instanceof vscode.TabInputTextDiff);
    assert.deepEqual(changeKey(tab.input.original.query), { scope: CHILD, side: 'before', path: path('a.ts'), isNote: false });
    assert.deepEqual([tab.input.original.scheme, tab.input.modified.scheme, tab.input.modified.fsPath], [SCHEMES.change, 'file', path('a.ts')]);
  });

  it('opens with an empty side for a file that came or went, and with what was left where others went on', async () => {
    const sides = async (diff: FileDiff): Promise<readonly string[]> => {
      diffs.set(path('a.ts'), diff);
      await openDiff(agent, CHILD, path('a.ts'));
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      assert.ok(input instanceof vscode.TabInputTextDiff);
      return [input.original, input.modified].map((uri) => (uri.scheme === 'file' ? 'file' : (changeKey(uri.query)?.side ?? '?')));
    };
    await writeFile(path('a.ts'), 'new\n');
    assert.deepEqual(await sides({ before: undefined, after: text('new\n'), isPresent: true }), ['none', 'file']);
    assert.deepEqual(await sides({ before: text('old\n'), after: undefined, isPresent: true }), ['before', 'none']);
    assert.deepEqual(await sides({ before: text('old\n'), after: text('left\n'), isPresent: false }), ['before', 'after']);
  });

  it('opens all together where it is several files, also where one of them can’t be shown', async () => {
    for (const name of ['a.ts', 'b.ts', 'c.png']) await writeFile(path(name), 'new\n');
    const many = [file({ path: path('a.ts') }), file({ path: path('b.ts'), kind: 'created' }), file({ path: path('c.png'), isBinary: true }), file({ path: path('gone.ts') }), file({ path: path('lost.ts'), unknown: 'It is too large.' })];
    changes.set('agent-1', many);
    diffs.set(path('a.ts'), { before: text('old\n'), after: text('new\n'), isPresent: true });
    diffs.set(path('b.ts'), { before: undefined, after: text('new\n'), isPresent: true });
    diffs.set(path('c.png'), { before: Buffer.from([0, 1, 2]), after: text('new\n'), isPresent: true });
    diffs.set(path('gone.ts'), { before: undefined, after: undefined, isPresent: true });
    await openChanges(agent, CHILD, SILENT_LOG);
    const labels = (): readonly string[] => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
    await until('the editor for all of them', vscode.window.tabGroups.onDidChangeTabs, () => labels().some((label) => label.startsWith('Docs review (changes)')));

    // Of those that are asked for.
    await openChanges(agent, CHILD, SILENT_LOG, [path('a.ts')]);
    assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.label, 'a.ts (Docs review)');
  });

  describe('in the tree', () => {
    const node = (agentId: string): Node => ({ kind: 'child', groupId: 'g1', agentId });

    it('is asked for only where a row is unfolded, once', async () => {
      children = Array.from({ length: 50 }, (_, index) => child({ agentId: `a${index}`, status: 'completed', changedFiles: ['/x'] }));
      for (const { agentId } of children) changes.set(agentId, Array.from({ length: 20 }, (_, index) => file({ path: path(`f${index}.ts`) })));
      const tree = new GroupsTree(context);
      owned.push(tree);
      const [top] = await tree.getChildren();
      const rows = await tree.getChildren(top);
      const items = await Promise.all(rows.map((row) => tree.getTreeItem(row)));
      assert.deepEqual([...new Set(items.map((item) => item.collapsibleState))], [vscode.TreeItemCollapsibleState.Collapsed]);
      assert.deepEqual(asked, []);
      const files = await tree.getChildren(node('a7'));
      await Promise.all(files.map((row) => tree.getTreeItem(row)));
      assert.deepEqual([files.length, asked], [20, ['a7']]);
      assert.deepEqual((await tree.getChildren(node('a7'))).map((row, index) => row === files[index]), files.map(() => true), 'the very objects that VS Code knows');
    });

    it('has rows of files with their own icon, address and command, under their child', async () => {
      changes.set('agent-1', [file({ path: path('a.ts'), kind: 'created', removed: 0 }), file({ path: path('b.ts'), state: 'undone', hunks: [] })]);
      const tree = new GroupsTree(context);
      owned.push(tree);
      const [top] = await tree.getChildren();
      const [parent] = await tree.getChildren(top);
      const [first, second] = await tree.getChildren(parent);
      assert.ok(first !== undefined && second !== undefined && first.kind === 'file');
      assert.equal(tree.getParent(first), parent);
      const item = await tree.getTreeItem(first);
      assert.deepEqual([item.label, item.description, item.contextValue, item.command?.command], ['a.ts', '+2', 'file+open+decidable+undoable', 'subagents.openDiff']);
      assert.deepEqual([item.resourceUri?.scheme, item.resourceUri?.path.endsWith('/a.ts')], [SCHEMES.change, true]);
      assert.deepEqual([item.resourceUri, (await tree.getTreeItem(second)).resourceUri].map((uri) => rowMark(uri?.query ?? '')), [{ kind: 'created', isDone: false }, { kind: 'edited', isDone: true }]);
      const { tooltip } = await tree.resolveTreeItem(item, first);
      assert.match((tooltip as vscode.MarkdownString).value, /created/);
    });

    it('is drawn anew where somebody else made a conflict of it', async () => {
      changes.set('agent-1', [file({ path: path('a.ts') })]);
      await writeFile(path('a.ts'), 'new\n');
      const tree = new GroupsTree(context);
      owned.push(tree);
      const [top] = await tree.getChildren();
      const [parent] = await tree.getChildren(top);
      await tree.getChildren(parent);
      const drawn = new Set<Node>();
      owned.push(tree.onDidChangeTreeData((nodes) => nodes?.forEach((each) => drawn.add(each))));
      changes.set('agent-1', [file({ path: path('a.ts'), hunks: [{ id: 'h', lines: { start: 0, end: 1 }, before: ['old'], now: ['mine'], conflict: 'Changed since.' }] })]);
      const own = await vscode.workspace.openTextDocument(path('a.ts'));
      const edit = new vscode.WorkspaceEdit();
      edit.insert(own.uri, new vscode.Position(0, 0), 'mine\n');
      await vscode.workspace.applyEdit(edit);
      await until('the row to be drawn anew', tree.onDidChangeTreeData, () => parent !== undefined && drawn.has(parent));
      const [row] = await tree.getChildren(parent);
      assert.ok(row !== undefined);
      assert.equal((await tree.getTreeItem(row)).description, '+2 −1 · conflict');
      await own.save();
    });

    it('is drawn anew where a file that no editor has open was changed on the disk', async () => {
      const [workspace] = vscode.workspace.workspaceFolders ?? [];
      const inWorkspace = join(workspace?.uri.fsPath ?? '', 'touched.ts');
      await writeFile(inWorkspace, 'new\n');
      try {
        changes.set('agent-1', [file({ path: inWorkspace })]);
        const tree = new GroupsTree(context);
        owned.push(tree);
        const [top] = await tree.getChildren();
        const [parent] = await tree.getChildren(top);
        await tree.getChildren(parent);
        const drawn = new Set<Node>();
        owned.push(tree.onDidChangeTreeData((nodes) => nodes?.forEach((each) => drawn.add(each))));
        changes.set('agent-1', [file({ path: inWorkspace, state: 'gone', hunks: [] })]);
        await writeFile(inWorkspace, 'old\n');
        await until('the row to be drawn anew', tree.onDidChangeTreeData, () => parent !== undefined && drawn.has(parent));
      } finally {
        await rm(inWorkspace, { force: true });
      }
    });
  });
});
