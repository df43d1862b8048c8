import assert from 'node:assert/strict';
import { mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { COMMANDS } from '../../src/ids.ts';
import { AppError } from '../../src/runtime/base/errors.ts';
import type { ChildView, GroupSpec } from '../../src/runtime/domain/agents.ts';
import type { RuntimeEvent, RuntimeEventBody } from '../../src/runtime/domain/events.ts';
import type { LiteAgent } from '../../src/runtime/domain/liteAgent.ts';
import { SILENT_LOG } from '../../src/runtime/domain/ports.ts';
import type { ChangeRequestView, FileReview, Hunk, ReviewAccess } from '../../src/runtime/domain/reviews.ts';
import { askSummary, ChangeRequests } from '../../src/ui/review/comments/requestChanges.ts';
import { ReviewComments } from '../../src/ui/review/comments/reviewComments.ts';
import { threadCommands } from '../../src/ui/review/comments/threadCommands.ts';
import { until } from '../support/hostEvents.ts';
import { fakeState, type FakeState } from '../support/state.ts';
import { child, group } from '../unit/ui/fakes.ts';

const ACCEPT = 'workbench.action.acceptSelectedQuickOpenItem';
const HIDE = 'workbench.action.closeQuickOpen';
const LINES = Array.from({ length: 12 }, (_, index) => `line ${index}`);

describe('comments beside files under review', () => {
  let folder: string;
  let path: string;
  let state: FakeState;
  let children: readonly ChildView[];
  let changes: Record<string, readonly FileReview[]>;
  let requests: ChangeRequestView[];
  let listeners: Set<(event: RuntimeEvent) => void>;
  let decided: unknown[];
  let sent: Parameters<ReviewAccess['requestChanges']>[];
  let refusal: Error | undefined;
  let asked: (readonly [string, number, string])[];
  let summary: () => Promise<string | undefined>;
  let offered: string[];
  let model: string | undefined;
  let offerModel: () => Promise<string | undefined>;
  let whileSending: () => void;
  let controllers: vscode.CommentController[];
  let threads: Set<vscode.CommentThread>;
  let comments: ReviewComments;
  let commands: ReturnType<typeof threadCommands>;

  const hunk = (id: string, start: number, end: number, patch: Partial<Hunk> = {}): Hunk => ({ id, lines: { start, end }, before: ['old'], now: Array.from({ length: end - start }, () => 'new'), ...patch });
  const review = (hunks: readonly Hunk[], patch: Partial<FileReview> = {}): FileReview => ({ path, kind: 'edited', state: hunks.length > 0 ? 'open' : 'accepted', added: 1, removed: 1, isBinary: false, hunks, sharedWith: [], ...patch });
  const inReview = (patch: Partial<ChildView> = {}): ChildView => child({ status: 'completed', taskStatus: 'review', changedFiles: [path], ...patch });

  /** Controllers of VS Code whose living threads are known. */
  const createController: typeof vscode.comments.createCommentController = (id, label) => {
    const controller = vscode.comments.createCommentController(id, label);
    controllers.push(controller);
    const create = controller.createCommentThread.bind(controller);
    return Object.create(controller, {
      createCommentThread: {
        value: (...args: Parameters<typeof create>) => {
          // VS Code draws twice what comes while it looks at where one can comment.
          assert.ok(controller.commentingRangeProvider, 'where one can comment is told first');
          const thread = create(...args);
          const end = thread.dispose.bind(thread);
          threads.add(thread);
          thread.dispose = () => {
            threads.delete(thread);
            end();
          };
          return thread;
        },
      },
      dispose: { value: () => controller.dispose() },
      options: { set: (options: vscode.CommentOptions) => (controller.options = options) },
      commentingRangeProvider: { set: (provider: vscode.CommentingRangeProvider) => (controller.commentingRangeProvider = provider) },
    }) as vscode.CommentController;
  };

  const refuse = async (): Promise<never> => assert.fail('nothing else is asked');
  const reviews: ReviewAccess = {
    changes: refuse,
    file: async (agentId, of) => changes[agentId]?.find((each) => each.path === of) ?? assert.fail(of),
    groupChanges: refuse,
    diff: refuse,
    groupDiff: refuse,
    undoGroup: refuse,
    accept: async (...args) => {
      if (refusal !== undefined) throw refusal;
      decided.push(['accept', ...args]);
      return { accepted: [path], conflicts: [], unsaved: [] };
    },
    undo: async (...args) => {
      decided.push(['undo', ...args]);
      return { undone: [path], conflicts: [], unsaved: [] };
    },
    requestChanges: async (...args): Promise<GroupSpec> => {
      if (refusal !== undefined && args[1].model === undefined) throw refusal;
      sent.push(args);
      whileSending();
      return { groupId: 'g2', sessionId: 's1', cwd: '/w', children: [] };
    },
    requests: async () => requests,
    stateOf: async (of) => ({ kind: 'kept', hash: await readFile(of, 'utf8') }),
  };

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'comments-')));
    path = join(folder, 'a.ts');
    await writeFile(path, LINES.join('\n'));
    state = fakeState();
    children = [inReview()];
    changes = { 'agent-1': [review([hunk('h1', 2, 4), hunk('h2', 8, 9)])] };
    [requests, decided, sent, asked, offered, controllers] = [[], [], [], [], [], []];
    [listeners, threads] = [new Set(), new Set()];
    [refusal, model] = [undefined, undefined];
    summary = async () => 'Please.';
    offerModel = async () => model;
    whileSending = () => undefined;
    begin();
  });

  afterEach(async () => {
    comments.dispose();
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true, force: true });
  });

  /** A window with an agent that children of an earlier one belong to. */
  function begin(): void {
    const agent: Partial<LiteAgent> = {
      groups: () => [group(children)],
      group: (id) => (id === 'g1' ? group(children) : undefined),
      child: (id) => children.find(({ agentId }) => agentId === id),
      subscribe: (listener) => {
        listeners.add(listener);
        return { dispose: () => listeners.delete(listener) };
      },
      reviews,
    };
    const access = { current: agent as LiteAgent, agent: async () => agent as LiteAgent, onDidCreate: () => ({ dispose: () => undefined }) };
    comments = new ReviewComments({ access, log: SILENT_LOG, extension: { workspaceState: state } }, createController);
    const dialogs = { askSummary: async (...args: readonly [string, number, string]) => (asked.push(args), summary()), offerModel: async (message: string) => (offered.push(message), offerModel()) };
    commands = threadCommands({ access, log: SILENT_LOG }, comments, new ChangeRequests(comments, dialogs));
  }

  function happen(event: RuntimeEventBody): void {
    for (const listener of listeners) listener({ at: 0, ...event });
  }

  /** Something was decided or changed in the fake; the event says that something was. */
  function change(now: { readonly children?: readonly ChildView[]; readonly changes?: typeof changes }): void {
    children = now.children ?? children;
    changes = now.changes ?? changes;
    happen({ type: 'child.settled', sessionId: 's1', groupId: 'g1', agentId: 'agent-1', outcome: { status: 'completed', text: '' } });
  }

  /** As a person opens it: a document that an extension opens lives on for minutes after its editor. */
  async function open(file = path): Promise<vscode.TextDocument> {
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(file));
    const shown = (): vscode.TextDocument | undefined => vscode.window.visibleTextEditors.map(({ document }) => document).find(({ uri }) => uri.fsPath === file);
    await until(`${file} in an editor`, vscode.window.onDidChangeVisibleTextEditors, () => shown() !== undefined);
    return shown() ?? assert.fail('it was closed again');
  }

  const labels = (): readonly (string | undefined)[] => [...threads].map(({ label }) => label).sort();
  const shows = (...wanted: readonly string[]): Promise<void> => until(`the threads ${wanted.join(', ')}`, comments.onDidRefresh, () => JSON.stringify(labels()) === JSON.stringify(wanted.toSorted()));
  const byLabel = (label: string): vscode.CommentThread => [...threads].find((thread) => thread.label === label) ?? assert.fail(`no thread ${label}, but ${labels().join(', ')}`);
  const said = (thread: vscode.CommentThread): readonly string[] => thread.comments.map(({ author, body }) => `${author.name}: ${typeof body === 'string' ? body : 'Markdown'}`);

  /** The lines of a document that can be commented on, from the first to the last. */
  async function commentable(document: vscode.TextDocument): Promise<readonly number[] | undefined> {
    const provider = controllers.at(-1)?.commentingRangeProvider;
    const ranges = await provider?.provideCommentingRanges(document, new vscode.CancellationTokenSource().token);
    const [range] = Array.isArray(ranges) ? ranges : [];
    return range === undefined ? undefined : [range.start.line, range.end.line];
  }

  /** Writes a comment on lines of the file, as the box beside them does. */
  async function write(text: string, first: number, last = first): Promise<vscode.CommentThread> {
    const thread = createThread(first, last);
    await commands[COMMANDS.addComment]({ thread, text });
    return thread;
  }

  function createThread(first: number, last: number): vscode.CommentThread {
    const controller = controllers.at(-1) ?? assert.fail('nothing can be commented on');
    const thread = controller.createCommentThread(vscode.Uri.file(path), new vscode.Range(first, 0, last, 0), []);
    const end = thread.dispose.bind(thread);
    threads.add(thread);
    thread.dispose = () => (threads.delete(thread), end());
    return thread;
  }

  async function type(document: vscode.TextDocument, line: number, text: string): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(line, 0), text);
    assert.ok(await vscode.workspace.applyEdit(edit));
  }

  const FIRST = 'Change 1 of 2 by Docs review';
  const SECOND = 'Change 2 of 2 by Docs review';
  const DRAFT = 'Comment for Docs review, not sent yet';

  it('are one folded thread for each change of a file that is looked at, until it is decided', async () => {
    await open();
    await shows(FIRST, SECOND);
    const thread = byLabel(FIRST);
    assert.deepEqual([thread.range?.start.line, thread.range?.end.line, thread.collapsibleState, thread.canReply, thread.contextValue], [2, 3, vscode.CommentThreadCollapsibleState.Collapsed, true, 'hunk']);
    change({ changes: { 'agent-1': [review([hunk('h2', 9, 10, { conflict: 'Changed since.' })])] } });
    await shows('Change 1 of 1 by Docs review');
    const [left] = threads;
    assert.deepEqual([left?.range?.start.line, left?.contextValue, left?.comments[0]?.label], [9, 'hunkConflict', '+1 −1 · Changed since.']);
    change({ children: [inReview({ taskStatus: 'completed' })], changes: { 'agent-1': [review([])] } });
    await shows();
  });

  it('stay the same threads while their lines move, and go with the file', async () => {
    const document = await open();
    await shows(FIRST, SECOND);
    const thread = byLabel(SECOND);
    changes = { 'agent-1': [review([hunk('h1', 3, 5), hunk('h2', 9, 10)])] };
    await type(document, 0, 'first\n');
    await until('the moved thread', comments.onDidRefresh, () => thread.range?.start.line === 9);
    assert.ok(threads.has(thread));
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await shows();
  });

  it('are beside a file that was opened through a link, and beside no other', async () => {
    const linked = join(folder, 'linked.ts');
    await symlink(path, linked);
    await open(linked);
    await shows(FIRST, SECOND);
    assert.equal(byLabel(FIRST).uri.fsPath, linked);
    const other = join(folder, 'other.ts');
    await writeFile(other, 'x');
    assert.equal(await commentable(await open(other)), undefined);
  });

  it('can be written only while the file is under review', async () => {
    const document = await open();
    await shows(FIRST, SECOND);
    assert.deepEqual(await commentable(document), [0, 11]);
    change({ children: [inReview({ status: 'running', round: 2, taskStatus: 'in_progress' })] });
    await shows();
    assert.equal(await commentable(document), undefined);
    change({ children: [inReview()], changes: { 'agent-1': [review([])] } });
    await until('the task is in review again', comments.onDidRefresh, async () => (await commentable(document)) !== undefined);
    change({ children: [inReview({ taskStatus: 'completed' })] });
    await until('nothing can be commented on', comments.onDidRefresh, async () => (await commentable(document)) === undefined);
  });

  it('need nothing of VS Code’s comments before there is something to review', async () => {
    children = [inReview({ taskStatus: 'completed' })];
    changes = { 'agent-1': [review([])] };
    await open();
    await until('one look', comments.onDidRefresh, () => true);
    change({});
    await new Promise<void>((resolve) => comments.onDidRefresh(() => resolve()));
    assert.deepEqual(controllers, []);
  });

  it('take a comment on the changed lines themselves, which is a draft of its own beside the change', async () => {
    await open();
    await shows(FIRST, SECOND);
    await commands[COMMANDS.addComment]({ thread: byLabel(FIRST), text: 'Use names.' });
    await shows(FIRST, SECOND, DRAFT);
    const draft = byLabel(DRAFT);
    assert.deepEqual([draft.range?.start.line, draft.collapsibleState, draft.comments[0]?.body], [byLabel(FIRST).range?.start.line, vscode.CommentThreadCollapsibleState.Expanded, 'Use names.']);
    assert.deepEqual(comments.draftsFor('agent-1').map(({ text }) => text), ['Use names.']);
  });

  it('accept and undo the change that the thread stands for', async () => {
    await open();
    await shows(FIRST, SECOND);
    await commands[COMMANDS.acceptHunk](byLabel(FIRST));
    await commands[COMMANDS.undoHunk](byLabel(SECOND));
    assert.deepEqual(decided, [['accept', 'agent-1', { path, hunks: ['h1'] }], ['undo', 'agent-1', { path, hunks: ['h2'] }]]);
    refusal = new AppError('conflict', 'It is not there any more.');
    await commands[COMMANDS.acceptHunk](byLabel(FIRST));
    for (const stranger of [undefined, 7, {}, createThread(0, 0)]) await commands[COMMANDS.acceptHunk](stranger);
    assert.equal(decided.length, 2);
  });

  describe('that were not sent', () => {
    it('become drafts that can be changed and deleted', async () => {
      await open();
      await shows(FIRST, SECOND);
      const thread = await write(' Use names. ', 2);
      await shows(FIRST, SECOND, DRAFT);
      assert.deepEqual([said(thread), thread.contextValue, thread.canReply, thread.comments[0]?.label], [['You: Use names.'], 'draft', false, 'Draft']);
      const [comment] = thread.comments;
      assert.ok(comment);
      await commands[COMMANDS.editComment](comment);
      assert.equal(comment.mode, vscode.CommentMode.Editing);
      comment.body = 'Never mind';
      await commands[COMMANDS.cancelComment](comment);
      assert.deepEqual([comment.mode, said(thread)], [vscode.CommentMode.Preview, ['You: Use names.']]);
      await commands[COMMANDS.editComment](comment);
      comment.body = 'Use short names.';
      await commands[COMMANDS.saveComment](comment);
      await until('the changed comment', comments.onDidRefresh, () => said(thread)[0] === 'You: Use short names.');
      assert.deepEqual([comment.mode, comments.draftsFor('agent-1').map(({ text }) => text)], [vscode.CommentMode.Preview, ['Use short names.']]);
      await commands[COMMANDS.deleteComment](comment);
      await shows(FIRST, SECOND);
      assert.equal(state.values.size, 0);
    });

    it('keep what is being typed into one when something else changes', async () => {
      const document = await open();
      await shows(FIRST, SECOND);
      const thread = await write('Use names.', 2);
      await shows(FIRST, SECOND, DRAFT);
      const [comment] = thread.comments;
      await commands[COMMANDS.editComment](comment);
      await type(document, 0, 'first\n');
      await until('the moved thread', comments.onDidRefresh, () => thread.range?.start.line === 3);
      assert.equal(thread.comments[0], comment);
      assert.equal(comment?.mode, vscode.CommentMode.Editing);
    });

    it('move with their lines and survive a reload, also where the file changed meanwhile', async () => {
      const document = await open();
      await shows(FIRST, SECOND);
      const thread = await write('Use names.', 7, 8);
      await type(document, 0, 'first\n');
      await until('the moved thread', comments.onDidRefresh, () => thread.range?.start.line === 8);
      await document.save();
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await shows();
      comments.dispose();
      await writeFile(path, ['new', 'newer', ...LINES].join('\n'));
      begin();
      await open();
      await shows(FIRST, SECOND, DRAFT);
      const again = byLabel(DRAFT);
      assert.deepEqual([again.range?.start.line, again.range?.end.line, said(again)], [9, 10, ['You: Use names.']]);
    });

    it('are still there to be read and deleted once the file is decided', async () => {
      await open();
      await shows(FIRST, SECOND);
      await write('Here.', 2);
      comments.dispose();
      children = [inReview({ taskStatus: 'completed' })];
      changes = { 'agent-1': [review([])] };
      begin();
      await shows(DRAFT);
      await commands[COMMANDS.deleteComment](byLabel(DRAFT).comments[0]);
      await shows();
    });

    it('are for whom the person chooses where several changed the lines, and for nobody yet where they don’t', async () => {
      children = [inReview(), inReview({ agentId: 'agent-2', displayName: 'Tests' })];
      changes['agent-2'] = [review([hunk('t1', 3, 4)])];
      await open();
      await shows(FIRST, SECOND, 'Change 1 of 1 by Tests');
      await answered(write('On both.', 3), ACCEPT);
      assert.equal(comments.draftsFor('agent-1').length, 1);
      await write('On the second change.', 8);
      assert.equal(comments.draftsFor('agent-1').length, 2);
      const thread = await answered(write('For whom?', 0), HIDE);
      await until('the draft', comments.onDidRefresh, () => thread.label === 'Comment, not sent yet');
      await answered(commands[COMMANDS.sendComments](thread), HIDE);
      assert.deepEqual(asked, []);
      await answered(commands[COMMANDS.sendComments](thread), ACCEPT);
      assert.equal(sent[0]?.[1].comments?.length, 3);
    });
  });

  /** Gives the command again and again, which does nothing while there is no question yet. */
  async function answered<T>(work: Promise<T>, command: string): Promise<T> {
    let isDone = false;
    const result = work.finally(() => (isDone = true));
    while (!isDone) await vscode.commands.executeCommand(command);
    return result;
  }

  describe('that are sent', () => {
    it('go to the child with the words, its comments alone, and what the file says', async () => {
      const document = await open();
      await shows(FIRST, SECOND);
      await write('Second.', 8);
      const thread = await write('First.', 2, 3);
      await type(document, 0, 'first\n');
      await document.save();
      await commands[COMMANDS.sendComments](thread);
      assert.deepEqual(asked, [['Docs review', 2, '']]);
      const content = { kind: 'kept', hash: ['first', ...LINES].join('\n') };
      const [[agentId, request] = []] = sent;
      assert.deepEqual([agentId, request?.text, request?.comments?.map(({ id: _, ...comment }) => comment)], ['agent-1', 'Please.', [
        { path, lines: { start: 3, end: 5 }, content, text: 'First.' },
        { path, lines: { start: 9, end: 10 }, content, text: 'Second.' },
      ]]);
      await shows(FIRST, SECOND);
      assert.equal(state.values.size, 0);
    });

    it('have their lines looked up in a file that isn’t open any more', async () => {
      await open();
      await shows(FIRST, SECOND);
      const thread = await write('Here.', 8);
      const draft = comments.meaningOf(thread);
      assert.equal(draft?.kind, 'draft');
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await shows();
      await writeFile(path, ['new', ...LINES].join('\n'));
      const drafts = comments.draftsFor('agent-1');
      const [only] = await comments.asComments({ reviews }, drafts);
      assert.deepEqual(only?.lines, { start: 9, end: 10 });
    });

    it('are not sent by leaving the question', async () => {
      await open();
      await shows(FIRST, SECOND);
      const thread = await write('Here.', 2);
      summary = () => answered(askSummary('Docs review', 1, ''), HIDE);
      await commands[COMMANDS.sendComments](thread);
      assert.deepEqual([sent, comments.draftsFor('agent-1').length], [[], 1]);
      summary = () => answered(askSummary('Docs review', 1, ''), ACCEPT);
      await commands[COMMANDS.sendComments](thread);
      assert.equal(sent[0]?.[1].text, '', 'comments need no further words');
    });

    it('are still drafts when sending failed, and what was said is proposed again', async () => {
      await open();
      await shows(FIRST, SECOND);
      const thread = await write('Here.', 2);
      refusal = new AppError('conflict', 'Another window runs it.');
      await assert.rejects(commands[COMMANDS.sendComments](thread), /Another window/);
      assert.equal(comments.draftsFor('agent-1').length, 1);
      refusal = new AppError('unavailable', 'Its model is gone.');
      await commands[COMMANDS.sendComments](thread);
      assert.deepEqual([offered, sent, comments.draftsFor('agent-1').length], [['Its model is gone.'], [], 1]);
      model = 'present';
      await commands[COMMANDS.sendComments](thread);
      assert.deepEqual(asked.map(([, , proposal]) => proposal), ['', 'Please.', 'Please.']);
      assert.deepEqual([sent[0]?.[1].model, comments.draftsFor('agent-1')], ['present', []]);
    });

    it('are sent as they are at that moment, and stay where they were written anew while they were sent', async () => {
      await open();
      await shows(FIRST, SECOND);
      const thread = await write('Old words.', 2);
      const [draft] = comments.draftsFor('agent-1');
      assert.ok(draft);
      refusal = new AppError('unavailable', 'Its model is gone.');
      offerModel = async () => {
        comments.changeDraft(draft.id, { text: 'New words.' });
        return 'present';
      };
      whileSending = () => comments.changeDraft(draft.id, { text: 'Newer words.' });
      await commands[COMMANDS.sendComments](thread);
      assert.deepEqual(sent[0]?.[1].comments?.map(({ text }) => text), ['New words.']);
      assert.deepEqual(comments.draftsFor('agent-1').map(({ text }) => text), ['Newer words.']);
    });

    it('stay beside the file with the answer, are resolved once it is decided, and don’t come back after that', async () => {
      const again = inReview({ round: 2 });
      const comment = { id: 'c1', path, lines: { start: 2, end: 3 }, content: { kind: 'absent' }, text: 'Use names.' } as const;
      requests.push({ id: 'q1', round: 2, text: 'Please.', at: 1000, comments: [comment], replies: {} });
      children = [inReview({ round: 2, status: 'running', taskStatus: 'in_progress' })];
      await open();
      await shows('Sent to Docs review, which works on it');
      requests = [{ id: 'q1', round: 2, text: 'Please.', at: 1000, comments: [comment], answer: 'Done.', replies: { c1: { answer: '![x](https://example.org) [run](command:x)', lines: { start: 4, end: 5 } } } }];
      change({ children: [again] });
      await shows(FIRST, SECOND, 'Sent to Docs review');
      const thread = byLabel('Sent to Docs review');
      assert.deepEqual([said(thread), thread.range?.start.line, thread.state], [['You: Use names.', 'Docs review: ![x](https://example.org) [run](command:x)'], 4, vscode.CommentThreadState.Unresolved]);
      change({ changes: { 'agent-1': [review([])] }, children: [inReview({ round: 2, taskStatus: 'completed' })] });
      await until('the resolved thread', comments.onDidRefresh, () => thread.state === vscode.CommentThreadState.Resolved);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await shows();
      await open();
      await new Promise<void>((resolve) => comments.onDidRefresh(() => resolve()));
      assert.deepEqual(labels(), []);
    });
  });
});
