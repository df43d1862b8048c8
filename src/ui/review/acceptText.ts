import { harmless } from '../../host/messageText.ts';
import type { AcceptReport } from '../../runtime/domain/reviews.ts';
import type { L10n } from '../l10n.ts';
import { fileName } from './filePlace.ts';

const MAX_LISTED = 3;
const MAX_REASONS = 2;
const MAX_NAME = 60;
const MAX_WHY = 200;

/** What an accept left as it is, why and what to do, then what has still to be saved, as the text of one message: paths are a child's words. */
export function acceptResult({ conflicts, unsaved }: Pick<AcceptReport, 'conflicts' | 'unsaved'>, l10n: L10n): string {
  const names = (paths: readonly string[]): string => {
    const shown = paths.slice(0, MAX_LISTED).map((path) => harmless(fileName(path), MAX_NAME)).join(', ');
    return paths.length <= MAX_LISTED ? shown : l10n.t('{0} and {1} more', shown, paths.length - MAX_LISTED);
  };
  const left = [...new Set(conflicts.map(({ path }) => path))];
  const reasons = [...new Set(conflicts.map(({ why }) => why))].slice(0, MAX_REASONS);
  return [
    ...(left.length === 1 ? [l10n.t('1 file was not merged: {0}.', names(left))] : left.length > 1 ? [l10n.t('{0} files were not merged: {1}.', left.length, names(left))] : []),
    ...reasons.map((why) => harmless(why, MAX_WHY)),
    ...(left.length > 0 ? [l10n.t('To finish, edit your file as you want it, then undo the subagent’s version.')] : []),
    ...(unsaved.length > 0 ? [l10n.t('Changed in the editor, but not saved: {0}.', names(unsaved))] : []),
  ].join(' ');
}
