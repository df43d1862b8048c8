import type { WorktreeLoss } from '../../runtime/domain/worktrees.ts';
import type { L10n } from '../l10n.ts';
import { fileName } from './filePlace.ts';

const MAX_LISTED = 10;

/** What would be lost, a line each. */
export function lossText({ commits, mayHoldMoreCommits = false, paths }: WorktreeLoss, l10n: L10n): string {
  const more = paths.length - MAX_LISTED;
  const lines = [
    ...paths.slice(0, MAX_LISTED).map(fileName),
    ...(more > 0 ? [l10n.t('… and {0} more', more)] : []),
    ...(commits === 1 ? [l10n.t('1 commit that no branch holds')] : commits > 1 ? [l10n.t('{0} commits that no branch holds', commits)] : []),
    ...(mayHoldMoreCommits ? [l10n.t('Perhaps undone commits: git has no record of them')] : []),
  ];
  return lines.length > 0 ? [l10n.t('These would be lost:'), ...lines].join('\n') : l10n.t('Nothing that is not merged is lost.');
}
