import { unreachable } from '../../runtime/base/errors.ts';
import { textOf, type AssistantPart, type Message } from '../../runtime/domain/messages.ts';
import type { TranscriptEntry } from '../../runtime/domain/transcripts.ts';
import type { L10n } from '../l10n.ts';
import { escaped, fenced, safeMarkdown } from './markdown.ts';
import { roundsOf } from './rounds.ts';

/** Characters of one tool result; the whole one is in the transcript file. */
const MAX_RESULT = 20_000;

/** A run so far, as a Markdown document that is read as text, and loads nothing when someone previews it. */
export function transcriptText(name: string, entries: readonly TranscriptEntry[], locale: string, l10n: L10n): string {
  const rounds = roundsOf(entries);
  return [`# ${escaped(name)}`, ...entries.flatMap((entry, index) => entryText(entry, { time: new Date(entry.at).toLocaleTimeString(locale), locale, isNewRound: index > 0 && rounds[index] !== rounds[index - 1], l10n })), ''].join('\n\n');
}

interface EntryContext {
  readonly time: string;
  readonly locale: string;
  readonly isNewRound: boolean;
  readonly l10n: L10n;
}

function entryText(entry: TranscriptEntry, context: EntryContext): readonly string[] {
  const { time, isNewRound, l10n } = context;
  switch (entry.type) {
    case 'started':
      return entry.run.kind === 'child' ? [`## ${time} ${l10n.t('System prompt')}`, fenced(entry.run.system, 'text')] : [];
    case 'turn':
      return [];
    case 'resumed':
      // The prompt that it goes on with, if any, is the message that follows.
      return [`## ${time} ${isNewRound ? l10n.t('Round {0}', entry.spec.round) : l10n.t('Resumed')}`, ...(entry.spec.notes ?? []).map((note) => escaped(note))];
    case 'message':
      return messageText(entry.message, time, l10n);
    case 'compacted':
      return compactionText(entry, context);
    case 'note':
      return [`*${escaped(entry.text)}*`];
    case 'ended':
      return [`## ${time} ${l10n.t('Ended')}: ${entry.outcome.status}`, ...(entry.outcome.status === 'failed' ? [fenced(entry.outcome.message, 'text')] : [])];
  }
}

/** What the model sees no more stands above all the same. */
function compactionText({ how, view, tokensBefore, tokensAfter }: Extract<TranscriptEntry, { type: 'compacted' }>, { time, locale, l10n }: EntryContext): readonly string[] {
  const title = how === 'summarised' ? l10n.t('Earlier turns summarised for the model') : l10n.t('Old results cleared for the model');
  const summary = view.findLast((item) => typeof item !== 'string' && item.role === 'user' && item.source === 'summary');
  const isNew = how === 'summarised' && typeof summary === 'object' && summary.role === 'user';
  return [
    `## ${time} ${title}`,
    `*${l10n.t('The conversation neared the limit of the model: about {0} tokens became {1}.', tokensBefore.toLocaleString(locale), tokensAfter.toLocaleString(locale))}*`,
    ...(isNew ? [safeMarkdown(textOf(summary.content), l10n.t('image'))] : []),
  ];
}

function messageText(message: Message, time: string, l10n: L10n): readonly string[] {
  switch (message.role) {
    case 'user':
      return [`## ${time} ${message.source === 'user' ? l10n.t('Prompt') : l10n.t('Message')}`, safeMarkdown(textOf(message.content), l10n.t('image'))];
    case 'assistant':
      return [`## ${time} ${l10n.t('Model')}`, ...message.content.flatMap((part) => partText(part, l10n))];
    case 'tool':
      return message.results.flatMap((result) => [
        `### ${time} ${result.isError ? l10n.t('Error of {0}', result.name) : l10n.t('Result of {0}', result.name)}`,
        fenced(cut(textOf(result.content), l10n), 'text'),
      ]);
  }
}

function partText(part: AssistantPart, l10n: L10n): readonly string[] {
  switch (part.type) {
    case 'text':
      return part.text.trim() === '' ? [] : [safeMarkdown(part.text, l10n.t('image'))];
    case 'thinking':
      return [`### ${l10n.t('Thinking')}`, safeMarkdown(part.text, l10n.t('image')).split('\n').map((line) => `> ${line}`).join('\n')];
    case 'tool_call':
      return [`### ${l10n.t('Call of {0}', part.name)}`, fenced(pretty(part.arguments), 'json')];
    default:
      return unreachable(part);
  }
}

function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    // Models write invalid arguments too; what they wrote is what matters then.
    return json;
  }
}

function cut(text: string, l10n: L10n): string {
  return text.length <= MAX_RESULT ? text : `${text.slice(0, MAX_RESULT)}\n${l10n.t('… {0} more characters', text.length - MAX_RESULT)}`;
}
