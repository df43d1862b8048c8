import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import { AppError, errorText } from '../../../runtime/base/errors.ts';
import { randomId } from '../../../runtime/base/ids.ts';
import { DisposableStore, type Disposable } from '../../../runtime/base/lifecycle.ts';
import type { RuntimeEvent } from '../../../runtime/domain/events.ts';
import type { LiteAgent } from '../../../runtime/domain/liteAgent.ts';
import type { ReviewComment } from '../../../runtime/domain/reviews.ts';
import { Coalescer } from '../../coalesce.ts';
import { onAgent, type UiContext } from '../../context.ts';
import { afterEdit, placedIn } from './draftLines.ts';
import { Drafts, type Draft, type DraftMemory } from './drafts.ts';
import { anchorAt, editorLines, shownLines, type TextChange } from './lines.ts';
import { OpenFiles, type OpenFile } from './openFiles.ts';
import { isUnderReview, nameIn, reviewedFiles, type ReviewedFile } from './reviewedFiles.ts';
import { ThreadBoard, type CreateController, type PlacedThread } from './threadBoard.ts';
import { draftKey, draftThread, hunkKey, hunkThreads, requestThreads } from './threads.ts';

/** How long changes gather before what they mean is looked at. */
const GATHER_MS = 300;
/** How long VS Code is given to look anew at where one can comment. A thread that comes meanwhile would be drawn twice. */
const SETTLE_MS = 500;

/** What a thread beside a file stands for. */
export type ThreadMeaning =
  | { readonly kind: 'hunk'; readonly agentId: string; readonly path: string; readonly hunkId: string }
  | { readonly kind: 'draft'; readonly draft: Draft };

/**
 * Comments beside the files that are under review: each change that is left to decide, what the reviewer wrote and
 * hasn't sent yet, and what was sent, with the answers.
 */
export class ReviewComments implements Disposable {
  readonly #context: Pick<UiContext, 'access' | 'log'>;
  readonly #drafts: Drafts;
  readonly #store = new DisposableStore();
  readonly #board: ThreadBoard;
  readonly #gather: Coalescer;
  readonly #files: OpenFiles;
  readonly #refreshed = this.#store.add(new vscode.EventEmitter<void>());
  #reviewed: readonly ReviewedFile[] = [];
  #commentable: ReadonlySet<string> = new Set();
  #isRefreshing = false;
  #isStale = false;
  #isDisposed = false;

  /** After the threads were brought up to date. */
  readonly onDidRefresh = this.#refreshed.event;

  constructor(context: Pick<UiContext, 'access' | 'log'> & { readonly extension: { readonly workspaceState: DraftMemory } }, create: CreateController = vscode.comments.createCommentController) {
    this.#context = context;
    this.#board = this.#store.add(new ThreadBoard(create));
    this.#drafts = new Drafts(context.extension.workspaceState, (error) => context.log.error(`comments that were not sent could not be kept: ${errorText(error)}`));
    this.#gather = this.#store.add(new Coalescer(GATHER_MS, () => void this.#refresh()));
    this.#files = this.#store.add(new OpenFiles({ onOpen: (file) => this.#opened(file), onClose: () => this.#gather.schedule() }));
    this.#store.add(vscode.workspace.onDidChangeTextDocument((event) => this.#edited(event)));
    this.#store.add(onAgent(context.access, (agent) => {
      this.#gather.schedule();
      return agent.subscribe((event) => {
        if (changesReview(event)) this.#gather.schedule();
      });
    }));
  }

  /** What a thread, or a comment of one, stands for; nothing for any other, or one that is gone. */
  meaningOf(item: unknown): ThreadMeaning | undefined {
    const key = this.#board.keyOf(item);
    if (key === undefined) return undefined;
    const draft = this.#drafts.list().find(({ id }) => draftKey(id) === key);
    if (draft !== undefined) return { kind: 'draft', draft };
    for (const { child, file } of this.#reviewed) {
      const hunk = file.hunks.find(({ id }) => hunkKey(child, file, id) === key);
      if (hunk !== undefined) return { kind: 'hunk', agentId: child.agentId, path: file.path, hunkId: hunk.id };
    }
    return undefined;
  }

  /** What children changed in the file of a document, as far as a comment on it could be meant for them. */
  reviewedIn(document: vscode.TextDocument): readonly ReviewedFile[] {
    const path = this.#files.pathOf(document);
    return this.#reviewed.filter((reviewed) => reviewed.file.path === path);
  }

  /** Makes a draft of a thread that the person began, or one of its own for what was written into another. Throws `conflict` where the file is no longer open. */
  addDraft(thread: vscode.CommentThread, text: string, agentId: string | undefined): void {
    const file = this.#files.list().find(({ document }) => document.uri.toString() === thread.uri.toString());
    if (file === undefined) throw new AppError('conflict', vscode.l10n.t('The file is not open any more. Open it and write the comment again.'));
    const range = thread.range ?? new vscode.Range(0, 0, 0, 0);
    const count = file.document.lineCount;
    const lines = shownLines({ start: range.start.line, end: range.end.line + 1 }, count);
    const anchor = anchorAt(editorLines(file.document.getText()), lines);
    const draft: Draft = { id: randomId(), path: file.path, lines, anchor, text, ...(agentId !== undefined && { agentId }) };
    this.#drafts.add(draft);
    if (this.#board.keyOf(thread) === undefined) this.#board.adopt(thread, draftThread(draft, this.#nameOf(agentId), vscode.l10n));
    this.#gather.schedule();
  }

  /** Opens a draft for writing, or closes it as it was. */
  editDraft(id: string, isEdited: boolean): void {
    this.#board.edit(draftKey(id), isEdited);
  }

  /** Says of a draft what it reads now, or whom it is for. */
  changeDraft(id: string, change: Partial<Pick<Draft, 'text' | 'agentId'>>): void {
    this.#drafts.change(id, change);
    this.#board.edit(draftKey(id), false);
    this.#gather.schedule();
  }

  removeDrafts(ids: readonly string[]): void {
    this.#drafts.remove(ids);
    this.#gather.schedule();
  }

  /** Removes the drafts for a child that were sent as they stand. */
  removeSent(agentId: string, sent: readonly ReviewComment[]): void {
    this.#drafts.removeSent(agentId, sent);
    this.#gather.schedule();
  }

  /** The drafts for a child, by file and line. */
  draftsFor(agentId: string): readonly Draft[] {
    return this.#drafts.of(agentId);
  }

  /** Drafts as comments on what the files say now. */
  async asComments(agent: Pick<LiteAgent, 'reviews'>, drafts: readonly Draft[]): Promise<readonly ReviewComment[]> {
    const contents = new Map(await Promise.all([...new Set(drafts.map(({ path }) => path))].map(async (path) => [path, await this.#contentNow(agent, path)] as const)));
    return drafts.flatMap((draft) => {
      // Its lines may have moved while the contents were kept.
      const now = this.#drafts.get(draft.id);
      const content = contents.get(draft.path);
      return now === undefined || content === undefined ? [] : [{ id: now.id, path: now.path, lines: now.lines, content, text: now.text }];
    });
  }

  /** Something of the review may have changed that no event tells of. */
  refreshSoon(): void {
    this.#gather.schedule();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#store.dispose();
  }

  async #contentNow(agent: Pick<LiteAgent, 'reviews'>, path: string): Promise<ReviewComment['content']> {
    const isOpen = this.#files.list().some((file) => file.path === path);
    if (!isOpen) await this.#placeUnwatched(path);
    return agent.reviews.stateOf(path);
  }

  /** Finds the lines of drafts in a file that isn't open, and that anybody may have changed since. */
  async #placeUnwatched(path: string): Promise<void> {
    try {
      this.#place({ path, document: await vscode.workspace.openTextDocument(vscode.Uri.file(path)) });
    } catch (error) {
      // Gone, or no text any more: the comment is about what stood there.
      this.#context.log.info(`${path} was not looked at for comments: ${errorText(error)}`);
    }
  }

  #opened(file: OpenFile): void {
    this.#place(file);
    this.#gather.schedule();
  }

  #place({ path, document }: OpenFile): void {
    const drafts = this.#drafts.list().filter((draft) => draft.path === path);
    if (drafts.length === 0) return;
    const text = editorLines(document.getText());
    for (const draft of drafts) this.#keepLines(draft, placedIn(text, draft));
  }

  #edited({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const path = this.#files.pathOf(document);
    if (path === undefined || contentChanges.length === 0) return;
    this.#gather.schedule();
    const drafts = this.#drafts.list().filter((draft) => draft.path === path);
    if (drafts.length === 0) return;
    const text = editorLines(document.getText());
    const changes = contentChanges.map(({ range, text: added }): TextChange => ({ start: range.start, end: range.end, lineEnds: editorLines(added).length - 1 }));
    for (const draft of drafts) this.#keepLines(draft, afterEdit(text, draft, changes));
  }

  #keepLines(draft: Draft, { lines, anchor }: Pick<Draft, 'lines' | 'anchor'>): void {
    if (JSON.stringify([lines, anchor]) !== JSON.stringify([draft.lines, draft.anchor])) this.#drafts.change(draft.id, { lines, anchor });
  }

  /** One at a time; what changes meanwhile is looked at afterwards. */
  async #refresh(): Promise<void> {
    this.#isStale = true;
    if (this.#isRefreshing) return;
    this.#isRefreshing = true;
    try {
      while (this.#isStale) {
        this.#isStale = false;
        await this.#look();
      }
    } catch (error) {
      this.#context.log.error(`review comments: ${errorText(error)}`);
    } finally {
      this.#isRefreshing = false;
    }
    this.#refreshed.fire();
  }

  async #look(): Promise<void> {
    const agent = this.#context.access.current;
    const paths = new Set(this.#files.list().map(({ path }) => path));
    this.#reviewed = agent === undefined ? [] : await reviewedFiles(agent, paths, (child, error) => this.#context.log.warn(`what ${child.agentId} changed is not known: ${errorText(error)}`));
    if (this.#offer(new Set(this.#reviewed.filter(isUnderReview).map(({ file }) => file.path)))) await setTimeout(SETTLE_MS);
    if (!this.#isDisposed) this.#board.show(this.#threads());
  }

  /** Beside the files that are open now. */
  #threads(): readonly PlacedThread[] {
    return this.#files.list().flatMap((file) => this.#threadsOf(file));
  }

  #threadsOf({ path, document }: OpenFile): readonly PlacedThread[] {
    const own = this.#reviewed.filter((reviewed) => reviewed.file.path === path);
    const drafts = this.#drafts.list().filter((draft) => draft.path === path);
    const specs = [
      ...own.flatMap((reviewed) => hunkThreads(reviewed, vscode.l10n)),
      // What is settled stays until the file is closed, and doesn't come back.
      ...own.flatMap((reviewed) => requestThreads(reviewed, vscode.l10n)).filter((spec) => spec.isResolved !== true || this.#board.has(spec.key)),
      ...drafts.map((draft) => draftThread(draft, this.#nameOf(draft.agentId), vscode.l10n)),
    ];
    return specs.map((spec) => ({ document, spec }));
  }

  /** Lets people comment on these files and no others. False where that is so already, and VS Code knows of us as far as it has to. */
  #offer(commentable: ReadonlySet<string>): boolean {
    const isSame = commentable.size === this.#commentable.size && [...commentable].every((path) => this.#commentable.has(path));
    const isKnown = this.#board.isKnown || this.#threads().length === 0;
    if (this.#isDisposed || (isSame && isKnown)) return false;
    this.#commentable = commentable;
    this.#board.offer((document) => this.#commentable.has(this.#files.pathOf(document) ?? ''));
    return true;
  }

  #nameOf(agentId: string | undefined): string | undefined {
    const agent = this.#context.access.current;
    const child = agent?.child(agentId ?? '');
    return agent === undefined || child === undefined ? undefined : nameIn(agent, child);
  }
}

/** Whether an event can change what stands beside a file. */
function changesReview(event: RuntimeEvent): boolean {
  switch (event.type) {
    case 'review.decided':
    case 'review.requested':
    case 'child.queued':
    case 'child.started':
    case 'child.settled':
    case 'child.interrupted':
    case 'group.refreshed':
    case 'task.changed':
      return true;
    case 'files.changed':
      return event.agent.kind === 'child';
    default:
      return false;
  }
}
