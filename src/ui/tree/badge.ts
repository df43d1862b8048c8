import type { Attention } from '../attention.ts';
import type { L10n } from '../l10n.ts';
import { questionWords } from '../words.ts';

/** The number on the view's icon: what waits for the person, or nothing at zero. */
export function badge(attention: Attention, l10n: L10n): { readonly value: number; readonly tooltip: string } | undefined {
  const { approvals, questions, reviews } = attention;
  if (approvals + questions + reviews === 0) return undefined;
  const parts = [
    ...(approvals === 0 ? [] : [approvals === 1 ? l10n.t('1 approval waits') : l10n.t('{0} approvals wait', approvals)]),
    ...(questions === 0 ? [] : [questionWords(questions, l10n)]),
    ...(reviews === 0 ? [] : [reviews === 1 ? l10n.t('1 result to review') : l10n.t('{0} results to review', reviews)]),
  ];
  return { value: approvals + questions + reviews, tooltip: parts.join(', ') };
}
