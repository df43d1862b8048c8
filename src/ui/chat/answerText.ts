import type { OwnTurn } from '../../runtime/domain/liteAgent.ts';
import type { L10n } from '../l10n.ts';
import { escaped, safeMarkdown } from '../review/markdown.ts';

/** What a conversation said in a turn of its own, as Markdown for the preview. */
export function answerText({ cause, text }: OwnTurn, l10n: L10n): string {
  const said = text.trim() === '' ? l10n.t('It said nothing.') : safeMarkdown(text, l10n.t('image'));
  return [...(cause.kind === 'scheduled' ? [`# ${escaped(cause.title)}`] : []), said, ''].join('\n\n');
}
