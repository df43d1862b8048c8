import { withoutIcons } from '../../host/messageText.ts';
import { oneLine, truncate } from '../../runtime/base/text.ts';
import type { UserQuestion } from '../../runtime/domain/services.ts';
import type { L10n } from '../l10n.ts';

const MAX_LINE = 200;

/** An answer to choose; without a `text` one that is written. */
export interface AnswerItem {
  readonly label: string;
  readonly detail?: string;
  readonly text?: string;
}

/** Who asks what, for the title of what takes the answer. */
export function questionTitle(name: string, { question }: UserQuestion, l10n: L10n): string {
  return withoutIcons(l10n.t('{0} asks: {1}', name, truncate(oneLine(question), MAX_LINE)));
}

/** The answers that a question offers, and the way to another. Labels may be cut; `text` is the whole one. */
export function answerItems({ options = [] }: UserQuestion, l10n: L10n): readonly AnswerItem[] {
  const line = (text: string): string => withoutIcons(truncate(oneLine(text), MAX_LINE));
  const offered = options.map(({ label, description = '' }) => ({ label: line(label), text: label, ...(description.trim() !== '' && { detail: line(description) }) }));
  return [...offered, { label: `$(edit) ${l10n.t('Write another answer…')}` }];
}

/** What was chosen and what was written beside it, a line each. */
export function answerText(chosen: readonly AnswerItem[], written: string | undefined): string {
  return [...chosen.flatMap(({ text }) => text ?? []), ...(written === undefined ? [] : [written])].map((text) => text.trim()).filter((text) => text !== '').join('\n');
}
