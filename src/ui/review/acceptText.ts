import { harmless } from '../../host/messageText.ts';
import type { AcceptReport } from '../../runtime/domain/reviews.ts';
import type { L10n } from '../l10n.ts';
import { fileName } from './filePlace.ts';

const MAX_LISTED = 3;
const MAX_NAME = 60;
const MAX_WHY = 200;

/** What an accept left as it is, and what has still to be saved, as the text of one message: paths are a child's words. */
export function acceptResult({ conflicts, unsaved }: Pick<AcceptReport, 'conflicts' | 'unsaved'>, l10n: L10n): string {
  const name = (path: string): string => harmless(fileName(path), MAX_NAME);
  return [
    ...conflicts.slice(0, MAX_LISTED).map(({ path, why }) => l10n.t('Not merged into {0}: {1}', name(path), harmless(why, MAX_WHY))),
    ...(conflicts.length > MAX_LISTED ? [l10n.t('And {0} more files are not merged.', conflicts.length - MAX_LISTED)] : []),
    ...(conflicts.length > 0 ? [l10n.t('Merge by hand what you want of it, then undo the rest.')] : []),
    ...(unsaved.length > 0 ? [l10n.t('Changed in the editor, but not saved: {0}.', unsaved.slice(0, MAX_LISTED).map(name).join(', '))] : []),
  ].join(' ');
}
