import type { UndoReport } from '../../runtime/domain/reviews.ts';
import { harmless } from '../../host/messageText.ts';
import type { L10n } from '../l10n.ts';
import { fileName } from './filePlace.ts';

const MAX_LISTED = 10;
const MAX_CONFLICTS = 3;
const MAX_NAME = 60;
const MAX_WHY = 200;

/** What is asked before all that is left of somebody's changes goes back. `names`: of the children or groups. */
export function undoQuestion(names: readonly string[], paths: readonly string[], l10n: L10n): { readonly text: string; readonly detail: string } {
  const listed = paths.slice(0, MAX_LISTED).map(fileName);
  const more = paths.length - listed.length;
  const [first = ''] = names;
  const who = names.length < 2 ? first : l10n.t('{0} and {1} more', first, names.length - 1);
  return {
    text: paths.length === 1 ? l10n.t('Undo what “{0}” changed in 1 file?', who) : l10n.t('Undo what “{0}” changed in {1} files?', who, paths.length),
    detail: [...listed, ...(more > 0 ? [l10n.t('… and {0} more', more)] : []), '', l10n.t('What you accepted stays, and what you or others changed since does, too.')].join('\n'),
  };
}

/** Several reports as one. A file in which something was undone and something not is in both lists. */
export function joinReports(reports: readonly UndoReport[]): UndoReport {
  const all = (key: 'undone' | 'unsaved'): readonly string[] => [...new Set(reports.flatMap((report) => report[key]))];
  return { undone: all('undone'), conflicts: reports.flatMap(({ conflicts }) => conflicts), unsaved: all('unsaved') };
}

/** What came of an undo, as the text of one message: paths are a child's words, and sentences may quote them. */
export function undoResult({ undone, conflicts, unsaved }: UndoReport, l10n: L10n): string {
  const names = (paths: readonly string[]): string => {
    const shown = paths.slice(0, MAX_CONFLICTS).map((path) => harmless(fileName(path), MAX_NAME)).join(', ');
    return paths.length <= MAX_CONFLICTS ? shown : l10n.t('{0} and {1} more', shown, paths.length - MAX_CONFLICTS);
  };
  const left = [...new Map(conflicts.map((conflict) => [conflict.path, conflict])).values()];
  return [
    undoneWords(undone, names, l10n),
    ...left.slice(0, MAX_CONFLICTS).map(({ path, why }) => l10n.t('Not undone in {0}: {1}', names([path]), harmless(why, MAX_WHY))),
    ...(left.length > MAX_CONFLICTS ? [l10n.t('And {0} more files are not undone.', left.length - MAX_CONFLICTS)] : []),
    ...(unsaved.length > 0 ? [l10n.t('Changed in the editor, but not saved: {0}.', names(unsaved))] : []),
  ].join(' ');
}

function undoneWords(undone: readonly string[], names: (paths: readonly string[]) => string, l10n: L10n): string {
  if (undone.length === 0) return l10n.t('Nothing was undone.');
  return l10n.t('Undone: {0}.', names(undone));
}
