import { oneLine, truncate } from '../../runtime/base/text.ts';
import { textOf } from '../../runtime/domain/messages.ts';
import type { ScheduledPrompt } from '../../runtime/domain/services.ts';
import type { TranscriptEntry } from '../../runtime/domain/transcripts.ts';
import type { L10n } from '../l10n.ts';

const NAME_LENGTH = 60;

/** A prompt as a row shows it: plain text. */
export interface PromptRow {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
}

export interface PromptStyle {
  readonly locale: string;
  readonly l10n: L10n;
}

/** When it is sent next. */
export function whenWords({ nextAt, once }: ScheduledPrompt, { locale, l10n }: PromptStyle): string {
  if (nextAt === undefined) return l10n.t('not sent any more');
  const when = momentWords(nextAt, locale);
  return once ? l10n.t('once, {0}', when) : l10n.t('next {0}', when);
}

/** Of the prompts together; nothing where none is to come. */
export function nextPromptWords(prompts: readonly ScheduledPrompt[], { locale, l10n }: PromptStyle): string | undefined {
  const times = prompts.flatMap(({ nextAt }) => nextAt ?? []);
  return times.length === 0 ? undefined : l10n.t('Scheduled prompts: {0}, the next one at {1}.', times.length, momentWords(Math.min(...times), locale));
}

/** `conversation`: its name, where there is one still. */
export function promptRow(prompt: ScheduledPrompt, conversation: string | undefined, style: PromptStyle): PromptRow {
  const where = conversation === undefined ? style.l10n.t('Its conversation is gone.') : style.l10n.t('In the conversation “{0}”', conversation);
  return {
    label: truncate(oneLine(prompt.prompt), 100),
    description: whenWords(prompt, style),
    detail: prompt.once ? where : `${where} · ${truncate(oneLine(prompt.schedule), NAME_LENGTH)}`,
  };
}

/** What the user first said in a conversation; nothing where that isn't known. */
export function conversationName(entries: readonly TranscriptEntry[]): string | undefined {
  for (const entry of entries) {
    if (entry.type === 'message' && entry.message.role === 'user' && entry.message.source === 'user') return truncate(oneLine(textOf(entry.message.content)), NAME_LENGTH) || undefined;
  }
  return undefined;
}

function momentWords(at: number, locale: string): string {
  return new Date(at).toLocaleString(locale, { weekday: 'short', year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' });
}
