import type { FileReview, FileReviewState } from '../../runtime/domain/reviews.ts';
import type { L10n } from '../l10n.ts';
import { joined } from '../tree/presentation.ts';

/** What a row or a line says of a changed file: without the contents, which may be large. */
export interface FileFacts extends Pick<FileReview, 'path' | 'kind' | 'state' | 'added' | 'removed' | 'isBinary' | 'sharedWith' | 'unknown' | 'isLost'> {
  /** How many pieces are left to decide, and how many of them can't be undone by themselves. */
  readonly hunks: number;
  readonly conflicts: number;
  /** Why the first of these can't, in a sentence. */
  readonly conflict?: string;
  /** Present where the child's version stands in a worktree: there it can always be discarded. */
  readonly isApart?: true;
}

export function fileFacts({ path, kind, state, added, removed, isBinary, sharedWith, hunks, unknown, isLost, place }: FileReview): FileFacts {
  const conflicts = hunks.flatMap(({ conflict }) => conflict ?? []);
  const [conflict] = conflicts;
  return { path, kind, state, added, removed, isBinary, sharedWith, hunks: hunks.length, conflicts: conflicts.length, ...(conflict !== undefined && { conflict }), ...(unknown !== undefined && { unknown }), ...(isLost && { isLost }), ...(place !== undefined && { isApart: true }) };
}

/** Whether something is left to decide. */
export function isOpen({ state }: Pick<FileReview, 'state'>): boolean {
  return state === 'open';
}

/** Whether an undo would bring back anything. */
export function isUndoable({ state, hunks, conflicts, unknown, isLost, isApart }: FileFacts): boolean {
  if (isApart || isLost) return isOpen({ state });
  return isOpen({ state }) && unknown === undefined && hunks > conflicts;
}

/** Whether accepting it whole would be refused: the workspace's file has changed on the same lines, or nothing is there to merge. Either side may change, and then it is looked at anew. */
export function isUnmergeable(facts: FileFacts): boolean {
  return isOpen(facts) && (facts.isLost === true || isInConflict(facts));
}

/** Whether its version in a worktree doesn't go into the workspace's file. */
export function isInConflict(facts: Pick<FileFacts, 'state' | 'conflicts' | 'isApart'>): boolean {
  return isOpen(facts) && facts.isApart === true && facts.conflicts > 0;
}

/** Why not all that is left can be undone, in a sentence. */
export function whyNotUndoable(facts: FileFacts): string | undefined {
  return isOpen(facts) ? (facts.unknown ?? facts.conflict) : undefined;
}

/** `+3 −1`; of a binary file that it is one; nothing where the file went with its worktree, and nobody counts any more. */
export function lineWords({ added, removed, isBinary, state, isLost }: Pick<FileReview, 'added' | 'removed' | 'isBinary' | 'state' | 'isLost'>, l10n: L10n): string | undefined {
  if (added + removed === 0 && !isBinary && (isLost || state !== 'open')) return undefined;
  if (isBinary) return l10n.t('binary');
  return [...(added > 0 || removed === 0 ? [`+${added}`] : []), ...(removed > 0 ? [`−${removed}`] : [])].join(' ');
}

/** What has been decided on a file; nothing where all is as one would expect it. */
export function reviewWords(facts: FileFacts, l10n: L10n): string | undefined {
  if (facts.state !== 'open') return decidedWords(facts.state, l10n);
  if (facts.isLost) return l10n.t('worktree is gone');
  if (facts.unknown !== undefined) return facts.isApart ? l10n.t('can’t be merged') : l10n.t('can’t be undone');
  if (facts.conflicts === 0) return undefined;
  return facts.conflicts < facts.hunks ? l10n.t('partly in conflict') : l10n.t('conflict');
}

/** What happened to the file. */
export function kindWords(kind: FileReview['kind'], l10n: L10n): string {
  switch (kind) {
    case 'created':
      return l10n.t('created');
    case 'edited':
      return l10n.t('edited');
    case 'deleted':
      return l10n.t('deleted');
  }
}

/** All that a line of text says beside a file's path. */
export function fileWords(facts: FileFacts, l10n: L10n): string {
  return joined(facts.kind === 'edited' ? undefined : kindWords(facts.kind, l10n), lineWords(facts, l10n), reviewWords(facts, l10n));
}

function decidedWords(state: Exclude<FileReviewState, 'open'>, l10n: L10n): string {
  switch (state) {
    case 'accepted':
      return l10n.t('accepted');
    case 'undone':
      return l10n.t('undone');
    case 'mixed':
      return l10n.t('partly undone');
    case 'gone':
      return l10n.t('changed back by others');
  }
}
