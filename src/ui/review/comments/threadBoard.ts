import * as vscode from 'vscode';
import { COMMENT_CONTROLLER } from '../../../ids.ts';
import type { Disposable } from '../../../runtime/base/lifecycle.ts';
import { shownLines } from './lines.ts';
import type { CommentSpec, ThreadSpec } from './threads.ts';

/** A thread to show, and the document beside which it stands. */
export interface PlacedThread {
  readonly document: vscode.TextDocument;
  readonly spec: ThreadSpec;
}

/** As `vscode.comments.createCommentController`. */
export type CreateController = typeof vscode.comments.createCommentController;

/** A comment as VS Code holds it; which one it is never changes. */
class ShownComment implements vscode.Comment {
  readonly threadKey: string;
  body: string;
  mode = vscode.CommentMode.Preview;
  author: vscode.CommentAuthorInformation;
  contextValue?: string;
  label?: string;
  timestamp?: Date;

  constructor(threadKey: string, spec: CommentSpec) {
    this.threadKey = threadKey;
    this.body = spec.text;
    this.author = { name: spec.author };
    this.take(spec);
  }

  /** Becomes what is given; the text of one that is being edited stays the writer's. */
  take({ author, text, label, context, at }: CommentSpec): void {
    if (this.mode === vscode.CommentMode.Preview) this.body = text;
    if (this.author.name !== author) this.author = { name: author };
    if (label === undefined) delete this.label;
    else this.label = label;
    if (context === undefined) delete this.contextValue;
    else this.contextValue = context;
    if (at === undefined) delete this.timestamp;
    else this.timestamp = new Date(at);
  }
}

/** The threads beside the files of this window. VS Code shows its list of comments once there is a controller, so there is none before there is anything to comment on. */
export class ThreadBoard implements Disposable {
  readonly #threads = new Map<string, { readonly thread: vscode.CommentThread; spec: ThreadSpec }>();
  readonly #create: CreateController;
  #controller: vscode.CommentController | undefined;

  constructor(create: CreateController) {
    this.#create = create;
  }

  /** Whether VS Code has been told that there are comments of ours. */
  get isKnown(): boolean {
    return this.#controller !== undefined;
  }

  /** Lets people comment on whole documents for which `isOpen` holds. Documents in editors are asked about anew. */
  offer(isOpen: (document: vscode.TextDocument) => boolean): void {
    this.#use().commentingRangeProvider = { provideCommentingRanges: (document) => (isOpen(document) ? [new vscode.Range(0, 0, Math.max(0, document.lineCount - 1), 0)] : []) };
  }

  /** Shows exactly these threads. What hasn't changed is left alone, so that whatever is folded out, or written in, stays so. */
  show(wanted: readonly PlacedThread[]): void {
    const keys = new Set(wanted.map(({ spec }) => spec.key));
    for (const [key, { thread }] of this.#threads) if (!keys.has(key)) this.#remove(key, thread);
    for (const placed of wanted) this.#showOne(placed);
  }

  /** Keeps a thread that the person began as the one of that specification. */
  adopt(thread: vscode.CommentThread, spec: ThreadSpec): void {
    this.#threads.set(spec.key, { thread, spec });
    this.#fill(thread, undefined, spec);
  }

  /** What a thread, or a comment of one, stands for; nothing for a stranger's, or one that is gone. */
  keyOf(item: unknown): string | undefined {
    if (item instanceof ShownComment) return item.threadKey;
    return [...this.#threads].find(([, { thread }]) => thread === item)?.[0];
  }

  has(key: string): boolean {
    return this.#threads.has(key);
  }

  /** Lets the first comment of a thread be written anew, or shows it as it is. */
  edit(key: string, isEdited: boolean): void {
    const shown = this.#threads.get(key);
    const comment = shown?.thread.comments[0];
    if (shown === undefined || comment === undefined) return;
    comment.mode = isEdited ? vscode.CommentMode.Editing : vscode.CommentMode.Preview;
    const [first] = shown.spec.comments;
    if (first !== undefined) comment.body = first.text;
    shown.thread.comments = [...shown.thread.comments];
  }

  dispose(): void {
    for (const [key, { thread }] of this.#threads) this.#remove(key, thread);
    this.#controller?.dispose();
    this.#controller = undefined;
  }

  #use(): vscode.CommentController {
    if (this.#controller === undefined) {
      this.#controller = this.#create(COMMENT_CONTROLLER, vscode.l10n.t('Subagent Review'));
      this.#controller.options = { prompt: vscode.l10n.t('Comment on this change…'), placeHolder: vscode.l10n.t('What should the subagent change here?') };
    }
    return this.#controller;
  }

  #showOne({ document, spec }: PlacedThread): void {
    const known = this.#threads.get(spec.key);
    const range = rangeOf(spec, document);
    // The same file can come back under another address.
    if (known !== undefined && known.thread.uri.toString() === document.uri.toString()) {
      if (known.thread.range?.isEqual(range) !== true) known.thread.range = range;
      if (JSON.stringify(known.spec) !== JSON.stringify(spec)) this.#fill(known.thread, known.spec, spec);
      known.spec = spec;
      return;
    }
    if (known !== undefined) this.#remove(spec.key, known.thread);
    const thread = this.#use().createCommentThread(document.uri, range, []);
    thread.collapsibleState = spec.isUnfolded === true ? vscode.CommentThreadCollapsibleState.Expanded : vscode.CommentThreadCollapsibleState.Collapsed;
    this.#threads.set(spec.key, { thread, spec });
    this.#fill(thread, undefined, spec);
  }

  #fill(thread: vscode.CommentThread, old: ThreadSpec | undefined, spec: ThreadSpec): void {
    thread.canReply = spec.canReply === true;
    thread.label = spec.label;
    thread.contextValue = spec.context;
    if (spec.isResolved !== undefined) thread.state = spec.isResolved ? vscode.CommentThreadState.Resolved : vscode.CommentThreadState.Unresolved;
    if (spec.isResolved === true && old?.isResolved === false) thread.collapsibleState = vscode.CommentThreadCollapsibleState.Collapsed;
    const present = thread.comments;
    thread.comments = spec.comments.map((comment, index) => {
      const shown = present[index];
      if (!(shown instanceof ShownComment)) return new ShownComment(spec.key, comment);
      shown.take(comment);
      return shown;
    });
  }

  #remove(key: string, thread: vscode.CommentThread): void {
    this.#threads.delete(key);
    thread.dispose();
  }
}

function rangeOf({ lines }: ThreadSpec, document: vscode.TextDocument): vscode.Range {
  const { start, end } = shownLines(lines, document.lineCount);
  return new vscode.Range(start, 0, end - 1, 0);
}
