import { oneLine, truncate } from '../../runtime/base/text.ts';
import type { ChildView } from '../../runtime/domain/agents.ts';
import type { DecisionRecord } from '../../runtime/domain/approvals.ts';
import type { ChangeRequestView, LineRange, ReviewComment } from '../../runtime/domain/reviews.ts';
import { decidedBy, verdictWords } from '../approvals/decisionsText.ts';
import type { L10n } from '../l10n.ts';
import { callWords } from '../toolWords.ts';
import { joined } from '../tree/presentation.ts';
import { roundWords } from '../words.ts';
import type { ActivityLine } from './activity.ts';
import { fileWords, whyNotUndoable, type FileFacts } from './fileFacts.ts';
import { placeFrom } from './filePlace.ts';
import { escaped, fenced, safeMarkdown } from './markdown.ts';

const MAX_LINE = 300;
const MAX_ANSWER = 4000;

/** A section: its heading, then its paragraphs. Empty where there is nothing to say. */
type Section = readonly string[];

/** Every file with what is left to decide on it. Paths may be a model's words, so nothing here is a link. */
export function filesSection(child: Pick<ChildView, 'changedFiles'>, files: readonly FileFacts[], cwd: string, l10n: L10n): Section {
  const known = new Map(files.map((file) => [file.path, file]));
  const paths = [...new Set([...files.map(({ path }) => path), ...child.changedFiles])];
  return section(l10n.t('Changed files'), paths.flatMap((path) => {
    const facts = known.get(path);
    const place = oneLine(placeFrom(cwd, path));
    if (facts === undefined) return [`- ${escaped(place)}`];
    const why = whyNotUndoable(facts);
    return [`- ${escaped(joined(place, fileWords(facts, l10n)))}`, ...(why === undefined ? [] : [`  - ${escaped(oneLine(why))}`])];
  }));
}

/** The commands that really ran. */
export function commandsSection(activity: readonly ActivityLine[], l10n: L10n): Section {
  const ran = activity.filter(({ command, outcome }) => command !== undefined && outcome !== 'denied');
  return section(l10n.t('Commands'), ran.map(({ command, outcome }) => `- ${line(command ?? '')}${outcome === 'error' ? ` · ${l10n.t('failed')}` : ''}`));
}

/** What was allowed that it had to ask for. */
export function approvalsSection(records: readonly DecisionRecord[], agentId: string, l10n: L10n): Section {
  const given = decisionsOn(records, agentId).filter(({ verdict, by, isQuestion }) => verdict === 'allow' && by !== 'dry_run' && !isQuestion);
  return section(l10n.t('Approvals'), given.map((record) => `- ${line(callWords(record))} · ${escaped(joined(verdictWords(record, l10n), decidedBy(record, l10n)))}`));
}

/** What it asked the user, and what came of that. */
export function questionsSection(records: readonly DecisionRecord[], agentId: string, l10n: L10n): Section {
  const asked = decisionsOn(records, agentId).filter(({ isQuestion }) => isQuestion);
  return section(l10n.t('Questions'), asked.map((record) => `- ${line(record.action)} · ${escaped(joined(verdictWords(record, l10n), decidedBy(record, l10n)))}`));
}

function decisionsOn(records: readonly DecisionRecord[], agentId: string): readonly DecisionRecord[] {
  return records.filter(({ agent }) => agent.kind === 'child' && agent.agentId === agentId);
}

export interface RequestContext {
  readonly cwd: string;
  readonly locale: string;
  readonly l10n: L10n;
}

/** What was asked of it in later rounds, and what it said to that. The answer of its latest round stands above already. */
export function requestsSection(requests: readonly ChangeRequestView[], latestRound: number, context: RequestContext): Section {
  return requests.length === 0 ? [] : [`## ${context.l10n.t('Requested changes')}`, ...requests.flatMap((request) => requestText(request, request.round !== latestRound, context))];
}

function requestText({ at, round, text, comments, answer, replies }: ChangeRequestView, tellsAnswer: boolean, { cwd, locale, l10n }: RequestContext): Section {
  return [
    `### ${joined(roundWords(round, l10n), new Date(at).toLocaleTimeString(locale))}`,
    ...(text.trim() === '' ? [] : [fenced(text, 'text')]),
    ...(comments.length === 0 ? [] : [comments.flatMap((comment) => commentLines(comment, replies[comment.id]?.answer, cwd, l10n)).join('\n')]),
    ...(tellsAnswer && answer !== undefined && answer.trim() !== '' ? [l10n.t('Its answer:'), quoted(safeMarkdown(truncate(answer, MAX_ANSWER), l10n.t('image')))] : []),
  ];
}

function commentLines({ path, lines, text }: ReviewComment, reply: string | undefined, cwd: string, l10n: L10n): readonly string[] {
  const place = `${placeFrom(cwd, path)}:${lineNumbers(lines)}`;
  return [`- ${line(place)}: ${line(text)}`, ...(reply === undefined ? [] : [`  - ${l10n.t('Its answer:')} ${line(reply)}`])];
}

/** Counted from 1, as editors do. */
function lineNumbers({ start, end }: LineRange): string {
  return end <= start + 1 ? String(start + 1) : `${start + 1}–${end}`;
}

function section(heading: string, lines: readonly string[]): Section {
  return lines.length === 0 ? [] : [`## ${heading}`, lines.join('\n')];
}

function line(text: string): string {
  return escaped(truncate(oneLine(text), MAX_LINE));
}

function quoted(markdown: string): string {
  return markdown.split('\n').map((each) => `> ${each}`).join('\n');
}
