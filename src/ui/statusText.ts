import type { Attention } from './attention.ts';
import type { L10n } from './l10n.ts';
import { questionWords } from './words.ts';

export interface StatusText {
  readonly text: string;
  readonly spoken: string;
  /** Something can't go on before the person has answered. */
  readonly isBlocked: boolean;
}

/** What the status bar says, or nothing when there is nothing to say. */
export function statusText({ running, queued, approvals, questions, reviews }: Attention, l10n: L10n): StatusText | undefined {
  if (running + queued + approvals + questions + reviews === 0) return undefined;
  const busy = running + queued;
  const parts = [
    ...(busy === 0 ? [] : [{ text: `$(loading~spin) ${busy}`, spoken: queued === 0 ? l10n.t('{0} running', running) : l10n.t('{0} running, {1} queued', running, queued) }]),
    ...(approvals === 0 ? [] : [{ text: `$(shield) ${approvals}`, spoken: approvals === 1 ? l10n.t('1 approval waits') : l10n.t('{0} approvals wait', approvals) }]),
    ...(questions === 0 ? [] : [{ text: `$(question) ${questions}`, spoken: questionWords(questions, l10n) }]),
    ...(reviews === 0 ? [] : [{ text: `$(eye) ${reviews}`, spoken: reviews === 1 ? l10n.t('1 result to review') : l10n.t('{0} results to review', reviews) }]),
  ];
  return { text: parts.map((part) => part.text).join('  '), spoken: l10n.t('Subagents: {0}', parts.map((part) => part.spoken).join(', ')), isBlocked: approvals + questions > 0 };
}
