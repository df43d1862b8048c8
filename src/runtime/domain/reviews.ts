import type { GroupSpec } from './agents.ts';
import type { FileChange, FileState } from './tools.ts';

/** Lines of a text, counted from 0; `end` is the first that is no part of it. Where both are the same, it is the place between two lines. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** What a person decided on a file that a child changed. */
export interface ReviewDecision {
  /** One decision on what several children changed together stands in the record of each. */
  readonly id: string;
  readonly path: string;
  readonly verdict: 'accepted' | 'undone';
  /** What stood there when it was decided. */
  readonly content: FileState;
  /** What it was decided on, in lines of `content`. */
  readonly lines: 'all' | readonly LineRange[];
}

/**
 * A piece of a child's change that is not decided yet: lines that stand there now in place of others. Both are without
 * their ends.
 */
export interface Hunk {
  /** Names it as long as it stays as it is, wherever in the file it moves to. */
  readonly id: string;
  /** Where it is in the file as it stands now; of a child with a worktree, in that one's version of it. */
  readonly lines: LineRange;
  readonly before: readonly string[];
  readonly now: readonly string[];
  /** Why it can't be undone by itself, in a sentence: somebody else has changed these lines since. Of a child with a worktree: why it can't be merged. */
  readonly conflict?: string;
}

/**
 * `open`: something is left to decide. `mixed`: some of it was accepted and some undone. `gone`: nobody decided, and
 * nothing of the change is left, since others have changed it back.
 */
export type FileReviewState = 'open' | 'accepted' | 'undone' | 'mixed' | 'gone';

/** What a child, or the children of a group together, changed in one file. */
export interface FileReview {
  /** Absolute real path. */
  readonly path: string;
  /** From before its first change of the file to after its last. */
  readonly kind: FileChange['kind'];
  readonly state: FileReviewState;
  /** Lines that it added and removed in all, decided or not; 0 for a binary file. */
  readonly added: number;
  readonly removed: number;
  readonly isBinary: boolean;
  /** What is left to decide, from the top of the file to its end. A binary file, or one that came or went, has one hunk for all of it. */
  readonly hunks: readonly Hunk[];
  /** The `agentId`s of others that changed the file, too. */
  readonly sharedWith: readonly string[];
  /** What isn't known of the change, in a sentence; it then can't be undone. */
  readonly unknown?: string;
  /** True where the child's version went with its worktree before all of it was decided on: it can only be undone. */
  readonly isLost?: true;
  /** Absolute path of the child's version, where that isn't the file itself but stands in a worktree of its own. */
  readonly place?: string;
}

/** Both sides of a file's diff; `undefined` where no file is. */
export interface FileDiff {
  /** The file before the child's first change of it, with all that others changed since; what was accepted counts as theirs. Once all is decided: as it was before the first change. */
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
  /** True where `after` is the file as it stands now; else it is what the child left there. */
  readonly isPresent: boolean;
}

/** Part of what a child changed: a file, or some of its hunks by their ids. */
export interface ReviewChoice {
  readonly path: string;
  readonly hunks?: readonly string[];
}

/** What an undo did not bring back, or an accept did not merge, and why, in a sentence. */
export interface UndoConflict {
  readonly path: string;
  readonly why: string;
}

export interface UndoReport {
  /** Paths of the files in which something was brought back. */
  readonly undone: readonly string[];
  readonly conflicts: readonly UndoConflict[];
  /** Of files that are changed in an editor and not saved. */
  readonly unsaved: readonly string[];
}

export interface AcceptReport {
  /** Paths of the files of which something was accepted. */
  readonly accepted: readonly string[];
  /** Of a child with a worktree: files that were left as they are, and stay in review. */
  readonly conflicts: readonly UndoConflict[];
  /** Of files that are changed in an editor and not saved. */
  readonly unsaved: readonly string[];
}

/** A remark on lines of a file that a child changed. */
export interface ReviewComment {
  readonly id: string;
  readonly path: string;
  readonly lines: LineRange;
  /** The file to which `lines` belong. */
  readonly content: FileState;
  readonly text: string;
}

/** What a reviewer wants changed. */
export interface ChangeRequest {
  readonly id: string;
  /** The round of the child that takes it up. */
  readonly round: number;
  readonly text: string;
  readonly comments: readonly ReviewComment[];
}

/** A request with what became of it. */
export interface ChangeRequestView extends ChangeRequest {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** What the child said at the end of that round; absent while it works. */
  readonly answer?: string;
  /** By the id of a comment: what the child said on it, and where its lines are now. Absent where they are gone. */
  readonly replies: Readonly<Record<string, { readonly answer?: string; readonly lines?: LineRange }>>;
}

/**
 * What children changed, and what a person makes of it. All of it reads what stands there at that moment, unsaved
 * content of editors included. Where a child is queued, running or another window's, only looking is possible: all
 * else rejects with `conflict`. Unknown ids reject with `not_found`.
 */
export interface ReviewAccess {
  /** What a child changed, in order of the first change. */
  changes(agentId: string): Promise<readonly FileReview[]>;
  /** What a child changed in one file, without a look at any other. Rejects with `not_found` for a file that it didn't change. */
  file(agentId: string, path: string): Promise<FileReview>;
  /** What the children in a group's row changed, as if one had done it. */
  groupChanges(groupId: string): Promise<readonly FileReview[]>;
  /** The diff of a file that the child changed. */
  diff(agentId: string, path: string): Promise<FileDiff>;
  /** As `diff`, for the children of a group together. */
  groupDiff(groupId: string, path: string): Promise<FileDiff>;
  /**
   * Accepts a part, or all that is left. The child's task is completed where it is in review, once nothing is left to decide; but where more may have been changed than is known, only by accepting all. Rejects with `conflict` for a hunk that isn't there any more.
   * What a child did in a worktree of its own is merged into the files by it, as far as it is in no conflict with what
   * others changed there; the rest is reported, and stays to be decided. So does what went with its worktree.
   */
  accept(agentId: string, choice?: ReviewChoice): Promise<AcceptReport>;
  /**
   * Takes back a part, or all that is left and not accepted; in a child's worktree, where it has one. What others changed since stays, lines in conflict with it
   * too: these are reported and stay undecided. Completes the task as accepting a part does.
   */
  undo(agentId: string, choice?: ReviewChoice): Promise<UndoReport>;
  /** As `undo`, for all that the children in a group's row changed together. */
  undoGroup(groupId: string): Promise<UndoReport>;
  /**
   * Lets the child go on with these words and comments, one of which there has to be; its task is in progress again.
   * Resolves to the group of its new round. Rejects with `invalid_input`, and else as `resumeChild`; then nothing is kept.
   */
  requestChanges(agentId: string, request: { readonly text: string; readonly comments?: readonly ReviewComment[]; readonly model?: string }): Promise<GroupSpec>;
  /** What was requested of a child so far, oldest first. */
  requests(agentId: string): Promise<readonly ChangeRequestView[]>;
  /** Keeps the present content of a file, to which a comment's lines belong. Never rejects. */
  stateOf(path: string): Promise<FileState>;
}
