import { oneLine, truncate } from '../runtime/base/text.ts';
import type { ChildView, RunOutcome, WorktreeSpec } from '../runtime/domain/agents.ts';
import { hasWorktree, isInReview, isSettled } from './children.ts';
import type { L10n } from './l10n.ts';
import { joined } from './tree/presentation.ts';
import { deniedWords, duration, failureWords, fileCount, statusWords } from './words.ts';

/** What decides the word for a child's state. */
export type ChildEnd = Pick<ChildView, 'status' | 'outcome' | 'taskStatus'>;

/** What else is told of a child that isn't at work. */
export type ChildFacts = ChildEnd & Pick<ChildView, 'denials' | 'changedFiles' | 'startedAt' | 'settledAt'>;

/** A child's state in a few words, the same wherever it is told: `review`, `failed: it took too long`. May quote a model or a server, on one line. */
export function stateWords(child: ChildEnd, l10n: L10n): string {
  // What it did before it was interrupted waits, and so does the rest of its work.
  if (isInReview(child)) return joined(child.status === 'interrupted' ? statusWords(child.status, l10n) : undefined, l10n.t('review'));
  // Whatever is left of an earlier round is no end of this one.
  if (child.status === 'failed' && child.outcome?.status === 'failed') return l10n.t('failed: {0}', whyFailed(child.outcome, l10n));
  return statusWords(child.status, l10n);
}

/** As `stateWords`, for a child that isn't at work, with what one should know beside it: what it was denied, the files that it changed, its time. */
export function endWords(child: ChildFacts, l10n: L10n): string {
  const { startedAt, settledAt, denials, changedFiles } = child;
  const files = changedFiles.length === 0 ? undefined : fileCount(changedFiles.length, l10n);
  // How long an interrupted one worked isn't known.
  const spent = !isSettled(child.status) || startedAt === undefined || settledAt === undefined ? undefined : duration(settledAt - startedAt, l10n);
  return joined(stateWords(child, l10n), deniedWords(denials, l10n), files, spent);
}

/** For a child whose state is another window's to tell: what is known of it here is from a moment ago. */
export function elsewhereWords({ status }: Pick<ChildView, 'status'>, l10n: L10n): string {
  return joined(statusWords(status, l10n), l10n.t('in another window'));
}

/** That a child works in a worktree, and from where that began; nothing of one that doesn't, and where it is gone. */
export function worktreeWords(child: Pick<ChildView, 'worktree' | 'isWorktreeGone'>, l10n: L10n): string | undefined {
  return child.worktree && hasWorktree(child) ? l10n.t('worktree {0}', shortBase(child.worktree)) : undefined;
}

/** From where a child's worktree began, and what isn't in it. */
export function baseWords(worktree: WorktreeSpec, l10n: L10n): string {
  return joined(shortBase(worktree), worktree.branch, worktree.leavesOut ? l10n.t('without uncommitted changes') : undefined);
}

/** The commit as people call it. */
export function shortBase({ base }: Pick<WorktreeSpec, 'base'>): string {
  return base.slice(0, 7);
}

/** The reason in words; where that says nothing, what was wrong. */
function whyFailed({ reason, message }: Extract<RunOutcome, { status: 'failed' }>, l10n: L10n): string {
  const said = oneLine(message);
  return reason === 'error' && said !== '' ? truncate(said, 80) : failureWords(reason, l10n);
}
