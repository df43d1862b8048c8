import { createHash } from 'node:crypto';
import { AppError, errorText, isAppError } from '../base/errors.ts';
import type { Checkpoints, FilePort } from '../domain/ports.ts';
import type { FileReview, Hunk, ReviewDecision } from '../domain/reviews.ts';
import type { FileState } from '../domain/tools.ts';
import type { WorktreeChange, WorktreeFiles } from '../domain/worktrees.ts';
import type { ChangeEvent } from '../store/changeLog.ts';
import { EXECUTABLE } from './fileMode.ts';
import { countShown, isBinary, linesOf, shownLines, shownPlace, type FileLines } from './fileLines.ts';
import { lineChanges, type LineChange } from './lineDiff.ts';
import { merge } from './merge.ts';
import { isFolder, lookAt, type Present } from './present.ts';
import { changesOf } from './records.ts';

export interface WorktreeReviewSources {
  /** Of the workspace. */
  readonly files: FilePort;
  readonly worktrees: WorktreeFiles;
  readonly checkpoints: Checkpoints;
}

/** A file that a child changed in its worktree, beside the workspace's. */
export interface WorktreeFile {
  readonly change: WorktreeChange;
  /** What of the child's version is in the workspace by what was accepted so far; before that, what it began from. Absent where that isn't known. */
  readonly settled?: FileLines;
  readonly settledBytes: Uint8Array | undefined;
  /** Whether it may be run as a program by what was accepted so far; before that, by what it began from. */
  readonly settledExecutable: boolean;
  readonly theirs: Uint8Array | undefined;
  readonly present: Present;
  /** What makes `settled` the child's version, for each hunk of the review. */
  readonly pieces: readonly LineChange[];
  readonly review: FileReview;
}

/** Why nothing can be merged of what went. */
const LOST = 'Its worktree is gone, and with it this version: it can only be undone.';
const MODE = 'Whether it may be run as a program has changed.';

/** Looks at one file. `events`: what is kept of the child. Rejects with `not_found` where the worktree has gone. */
export async function lookAtWorktreeFile(agentId: string, change: WorktreeChange, events: readonly ChangeEvent[], sources: WorktreeReviewSources): Promise<WorktreeFile> {
  const { files, worktrees, checkpoints } = sources;
  const decisions = decisionsOn(change.path, events);
  const settledExecutable = wasSettledExecutable(change, decisions);
  const present = await lookAtFile(change.path, files);
  const found = await orWhyNot(async () => {
    const [before, theirs] = await Promise.all([worktrees.before(agentId, change), worktrees.now(agentId, change)]);
    return { before, theirs, settledBytes: await settledContent(decisions, before, checkpoints) };
  });
  if ('why' in found) {
    const review = reviewOf(change, { isOpen: true, added: 0, removed: 0, isBinary: false, hunks: [], decisions, unknown: found.why });
    return { change, settledBytes: undefined, settledExecutable, theirs: undefined, present, pieces: [], review };
  }
  const { before, theirs, settledBytes } = found.value;
  const [first, settled, own] = [linesOf(before), linesOf(settledBytes), linesOf(theirs)];
  const pieces = lineChanges(settled, own);
  const all = lineChanges(first, own);
  const hasMode = settledExecutable !== change.isExecutable && theirs !== undefined && settledBytes !== undefined;
  const isBinaryFile = isBinary(first) || isBinary(own);
  const review = reviewOf(change, {
    isOpen: pieces.length > 0 || hasMode,
    added: isBinaryFile ? 0 : all.reduce((sum, { lines }) => sum + countShown(lines), 0),
    removed: isBinaryFile ? 0 : all.reduce((sum, { start, end }) => sum + countShown(first.slice(start, end)), 0),
    isBinary: isBinaryFile,
    hunks: hunksOf(settled, own, pieces, present),
    decisions,
    unknown: pieces.length === 0 && hasMode ? MODE : undefined,
  });
  return { change, settled, settledBytes, settledExecutable, theirs, present, pieces, review };
}

/** A file of which nothing is left in the worktree, or that went with it: what is kept of it says all that there is. */
export async function recordedReview(agentId: string, path: string, events: readonly ChangeEvent[], worktrees: Pick<WorktreeFiles, 'isLost'>): Promise<FileReview> {
  const kind = changesOf(events, path).at(-1)?.kind ?? 'edited';
  const decisions = decisionsOn(path, events);
  const isLost = !isDecided(leftIn(path, events), decisions) && (await worktrees.isLost(agentId));
  const review = reviewOf({ path, kind }, { isOpen: isLost, added: 0, removed: 0, isBinary: false, hunks: [], decisions, unknown: isLost ? LOST : undefined });
  return isLost ? { ...review, isLost } : review;
}

/** What the child left in a file, as it was told last; nothing where that wasn't kept. */
export function leftIn(path: string, events: readonly ChangeEvent[]): FileState | undefined {
  return changesOf(events, path).findLast(({ after }) => after !== undefined)?.after;
}

/** Whether a decision was on all that the child left there; where that isn't known, whether there is one. */
function isDecided(left: FileState | undefined, decisions: readonly ReviewDecision[]): boolean {
  if (left === undefined || left.kind === 'unknown') return decisions.length > 0;
  const hash = left.kind === 'kept' ? left.hash : undefined;
  return decisions.some(({ content }) => content.kind === left.kind && (content.kind !== 'kept' || content.hash === hash));
}

/** What was decided on a file, oldest first. */
export function decisionsOn(path: string, events: readonly ChangeEvent[]): readonly ReviewDecision[] {
  return events.flatMap((event) => (event.type === 'review.decided' && event.decision.path === path ? [event.decision] : []));
}

interface Facts extends Pick<FileReview, 'added' | 'removed' | 'isBinary' | 'hunks'> {
  readonly isOpen: boolean;
  readonly decisions: readonly ReviewDecision[];
  readonly unknown: string | undefined;
}

function reviewOf({ path, kind, place }: Pick<WorktreeChange, 'path' | 'kind'> & { readonly place?: string }, { isOpen, decisions, unknown, ...facts }: Facts): FileReview {
  const verdicts = new Set(decisions.map(({ verdict }) => verdict));
  const [only] = verdicts;
  const state = isOpen ? 'open' : verdicts.size > 1 ? 'mixed' : (only ?? 'gone');
  return { path, kind, state, ...facts, sharedWith: [], ...(unknown !== undefined && { unknown }), ...(place !== undefined && { place }) };
}

/** A folder there is no file. */
async function lookAtFile(path: string, files: FilePort): Promise<Present> {
  const present = await lookAt(path, files);
  return present.kind === 'unreadable' && (await isFolder(path, files)) ? { kind: 'content', bytes: undefined, unsaved: false } : present;
}

function wasSettledExecutable({ wasExecutable, isExecutable }: WorktreeChange, decisions: readonly ReviewDecision[]): boolean {
  const last = decisions.findLast(({ verdict }) => verdict === 'accepted')?.content;
  if (last === undefined) return wasExecutable;
  // Of a decision that doesn't tell, it counts as decided.
  return last.kind === 'kept' && last.mode !== undefined ? (last.mode & EXECUTABLE) !== 0 : isExecutable;
}

/** What the last accepted decision left, else what the child began from. */
async function settledContent(decisions: readonly ReviewDecision[], before: Uint8Array | undefined, { read }: Pick<Checkpoints, 'read'>): Promise<Uint8Array | undefined> {
  const last = decisions.findLast(({ verdict }) => verdict === 'accepted')?.content;
  if (last === undefined) return before;
  if (last.kind !== 'kept') return undefined;
  return read(last.hash).catch((error: unknown) => {
    throw new AppError('unavailable', errorText(error), { cause: error });
  });
}

function hunksOf(settled: FileLines, own: FileLines, pieces: readonly LineChange[], present: Present): readonly Hunk[] {
  const conflicts = present.kind === 'content' ? new Set(merge(settled, pieces, linesOf(present.bytes)).conflicts) : new Set(pieces);
  const seen = new Map<string, number>();
  let shift = 0;
  return pieces.map((piece): Hunk => {
    const { start, end, lines } = piece;
    const removed = settled.slice(start, end);
    const name = createHash('sha256').update(JSON.stringify([removed, lines])).digest('base64url').slice(0, 16);
    const twins = seen.get(name) ?? 0;
    seen.set(name, twins + 1);
    const [top, bottom] = [shownPlace(own, start + shift), shownPlace(own, start + shift + lines.length)];
    shift += lines.length - (end - start);
    return { id: twins === 0 ? name : `${name}-${twins}`, lines: { start: top, end: bottom }, before: shownLines(removed), now: shownLines(lines), ...(conflicts.has(piece) && { conflict: present.kind === 'content' ? CHANGED : present.why }) };
  });
}

/** Why a piece stays out. */
export const CHANGED = 'You or somebody else changed these lines in the workspace since the subagent began.';

async function orWhyNot<T>(work: () => Promise<T>): Promise<{ readonly value: T } | { readonly why: string }> {
  try {
    return { value: await work() };
  } catch (error) {
    if (isAppError(error) && error.reason !== 'not_found') return { why: error.message };
    throw error;
  }
}
