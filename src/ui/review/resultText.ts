import type { ChildView } from '../../runtime/domain/agents.ts';
import type { DecisionRecord } from '../../runtime/domain/approvals.ts';
import type { ChangeRequestView } from '../../runtime/domain/reviews.ts';
import type { TranscriptEntry } from '../../runtime/domain/transcripts.ts';
import { isInReview, isSettled } from '../children.ts';
import type { L10n } from '../l10n.ts';
import { splitFacts } from '../usageWords.ts';
import { duration, failureWords, roundWords } from '../words.ts';
import { activityOf, type ActivityLine } from './activity.ts';
import type { FileFacts } from './fileFacts.ts';
import { escaped, fenced, safeMarkdown } from './markdown.ts';
import { approvalsSection, commandsSection, filesSection, questionsSection, requestsSection } from './resultSections.ts';
import { latestRound } from './rounds.ts';

/** What belongs to a result and isn't in the child's view. */
export interface ResultContext {
  /** Its name among its siblings. */
  readonly name: string;
  readonly files: readonly FileFacts[];
  /** In all sessions; those on its calls are picked out. */
  readonly decisions: readonly DecisionRecord[];
  readonly requests: readonly ChangeRequestView[];
  /** The folder of its group. */
  readonly cwd: string;
  readonly locale: string;
  readonly now: number;
  readonly l10n: L10n;
}

/** What a child answered and did in its latest round, as Markdown for the preview. */
export function resultText(child: ChildView, entries: readonly TranscriptEntry[], context: ResultContext): string {
  const { l10n } = context;
  const lines = activityOf(latestRound(entries));
  return [
    `# ${escaped(context.name)}`,
    facts(child, context),
    ...(child.notes ?? []).map((note) => `> ${escaped(note)}`),
    ...outcome(child, l10n),
    ...refused(child, l10n),
    '---',
    ...filesSection(child, context.files, context.cwd, l10n),
    ...requestsSection(context.requests, child.round, context),
    ...commandsSection(lines, l10n),
    ...approvalsSection(context.decisions, child.agentId, l10n),
    ...questionsSection(context.decisions, child.agentId, l10n),
    ...activity(lines, child.agentId, context),
    `## ${l10n.t('The prompt')}`,
    fenced(child.prompt, 'text'),
    '',
  ].join('\n\n');
}

function facts(child: ChildView, context: ResultContext): string {
  const { l10n, now } = context;
  const status = isInReview(child) && isSettled(child.status) ? l10n.t('completed, waits for review') : statusOf(child, l10n);
  const spent = timeSpent(child, now);
  const parts = [
    `**${status}**`,
    roundWords(child.round, l10n),
    spent === undefined ? undefined : duration(spent, l10n),
    child.definition,
    child.model.displayName ?? child.model.model,
    child.turns === 1 ? l10n.t('1 turn') : l10n.t('{0} turns', child.turns),
    ...splitFacts(child.usage, context),
  ];
  return parts.filter((part) => part !== undefined).map((part, index) => (index === 0 ? part : escaped(part))).join(' · ');
}

/** Milliseconds of the latest round. How long an interrupted one worked isn't known. */
function timeSpent({ status, startedAt, settledAt }: ChildView, now: number): number | undefined {
  const end = isSettled(status) ? settledAt : status === 'running' ? now : undefined;
  return startedAt === undefined || end === undefined ? undefined : end - startedAt;
}

function statusOf(child: ChildView, l10n: L10n): string {
  switch (child.status) {
    case 'completed':
      return l10n.t('completed');
    case 'failed':
      return child.outcome?.status === 'failed' ? l10n.t('failed: {0}', failureWords(child.outcome.reason, l10n)) : l10n.t('failed');
    case 'cancelled':
      return l10n.t('cancelled');
    case 'interrupted':
      return l10n.t('interrupted');
    case 'queued':
      return l10n.t('queued');
    case 'running':
      return l10n.t('running');
  }
}

function outcome({ status, outcome: end }: ChildView, l10n: L10n): readonly string[] {
  const image = l10n.t('image');
  if (status === 'interrupted') return [l10n.t('It was interrupted before it ended, because its window closed or stopped. Resume it to let it finish.')];
  // What is left of an earlier round is no result of this one.
  if (end === undefined || !isSettled(status)) return [l10n.t('It has not ended yet.')];
  if (end.status === 'completed') return [safeMarkdown(end.text, image)];
  const reason = end.status === 'failed' ? [fenced(end.message, 'text')] : [];
  if (end.partialText === undefined || end.partialText.trim() === '') return [...reason, l10n.t('There is no text from before the end.')];
  return [...reason, `## ${l10n.t('Partial text')}`, `> ${l10n.t('Written before it ended. It is not a finished result.')}`, safeMarkdown(end.partialText, image)];
}

/** What it was not allowed to do: however good the answer reads, this part of the work is missing. */
function refused({ status, outcome: end }: ChildView, l10n: L10n): readonly string[] {
  if (end?.refused === undefined || !isSettled(status)) return [];
  return [`## ${l10n.t('Refused')}`, end.refused.map((call) => `- ${escaped(call)}`).join('\n')];
}

function callWords(end: ActivityLine['outcome'], l10n: L10n): string {
  switch (end) {
    case 'done':
      return l10n.t('done');
    case 'error':
      return l10n.t('failed');
    case 'denied':
      return l10n.t('denied');
    case undefined:
      return l10n.t('no result');
  }
}

function activity(lines: readonly ActivityLine[], agentId: string, { decisions, l10n, locale }: ResultContext): readonly string[] {
  const heading = `## ${l10n.t('What it did')}`;
  if (lines.length === 0) return [heading, l10n.t('It used no tools.')];
  const unanswered = new Set(decisions.flatMap(({ agent, callId, isQuestion, verdict }) => (isQuestion && verdict !== 'allow' && agent.kind === 'child' && agent.agentId === agentId ? [callId] : [])));
  const rows = lines.map(({ at, callId, tool, input, outcome: end, durationMs }) => {
    const took = durationMs === undefined ? '' : durationMs < 1000 ? l10n.t('{0} ms', durationMs) : duration(durationMs, l10n);
    const result = unanswered.has(callId) ? l10n.t('not answered') : callWords(end, l10n);
    return `| ${new Date(at).toLocaleTimeString(locale)} | ${escaped(tool)} | ${escaped(input)} | ${result} | ${took} |`;
  });
  const head = `| ${l10n.t('Time')} | ${l10n.t('Tool')} | ${l10n.t('Input')} | ${l10n.t('Outcome')} | ${l10n.t('Took')} |`;
  return [heading, [head, '|---|---|---|---|---|', ...rows].join('\n')];
}
