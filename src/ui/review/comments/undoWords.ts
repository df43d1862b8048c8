import type { UndoReport } from '../../../runtime/domain/reviews.ts';
import type { L10n } from '../../l10n.ts';
import { harmless } from '../../approvals/approvalText.ts';

/** What there is to say of an undo of one change: why it is still there, or that it isn't saved yet. Nothing where all is well. */
export function undoWords({ conflicts, unsaved }: UndoReport, l10n: L10n): string | undefined {
  const [conflict] = conflicts;
  if (conflict !== undefined) return l10n.t('This change could not be undone: {0}', harmless(conflict.why, 400));
  return unsaved.length > 0 ? l10n.t('The change is undone in the editor. The file is not saved yet.') : undefined;
}
