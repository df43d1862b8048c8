import type { GroupView } from '../../runtime/domain/agents.ts';
import type { ApprovalRequest } from '../../runtime/domain/approvals.ts';
import type { ScheduledPrompt } from '../../runtime/domain/services.ts';
import type { TrackedTask } from '../../runtime/domain/trackedTasks.ts';
import type { SessionUsage } from '../../runtime/domain/liteAgent.ts';
import { attention } from '../attention.ts';
import { rowChildren } from '../children.ts';
import type { L10n } from '../l10n.ts';
import { nextPromptWords } from '../prompts/promptWords.ts';
import { interruptedGroups } from '../rounds.ts';
import { usedBy, type NumberStyle } from '../usageWords.ts';
import type { ChatIds } from './chatIds.ts';
import { BREAK, groupBlock, presentBlock } from './groupBlock.ts';
import { textPart, type ReportPart } from './report.ts';
import { groupUsageText, sessionUsageText } from './usageText.ts';
import type { ChatWords } from './words.ts';

/** Finished groups that `/status` still shows. */
const RECENT = 3;

/** What `/status` tells of. */
export interface StatusFacts {
  readonly groups: readonly GroupView[];
  readonly pending: readonly ApprovalRequest[];
  readonly tasks: readonly TrackedTask[];
  /** Of all conversations, as far as they are known. */
  readonly prompts?: readonly ScheduledPrompt[] | undefined;
  /** This conversation; absent before its first turn. */
  readonly sessionId?: string | undefined;
  /** What it used, where that is known. */
  readonly used?: SessionUsage | undefined;
}

export interface StatusStyle extends NumberStyle {
  readonly ids: ChatIds;
  readonly words: ChatWords;
}

/** The answer to `/status`: how much runs and waits in this window, then this conversation's groups, then what others have left to do. */
export function statusReport(facts: StatusFacts, style: StatusStyle): readonly ReportPart[] {
  const { l10n } = style;
  const rows = facts.groups.filter((group) => !group.isRound).sort((a, b) => b.createdAt - a.createdAt);
  const [own, others] = [rows.filter(({ sessionId }) => sessionId === facts.sessionId), rows.filter(({ sessionId }) => sessionId !== facts.sessionId)];
  const [ownOver, othersOpen] = [own.filter(isOver), others.filter((group) => !isOver(group))];
  const usage = facts.used && sessionUsageText(facts.used, style);
  const earlier = ownOver.length - RECENT;
  return [
    textPart(statusSummary(facts, style)),
    ...(usage === undefined ? [] : [textPart(usage)]),
    ...[...own.filter((group) => !isOver(group)), ...ownOver.slice(0, RECENT)].map((group) => block(group, style)),
    ...(earlier > 0 ? [textPart(l10n.t('Earlier groups, in the panel: {0}.', earlier))] : []),
    ...(own.length === 0 && others.length > 0 ? [textPart(l10n.t('This conversation has no subagents.'))] : []),
    ...(othersOpen.length > 0 ? [textPart(l10n.t('In other conversations:')), ...othersOpen.map((group) => block(group, style))] : []),
    ...(others.length > othersOpen.length ? [textPart(l10n.t('Finished groups of other conversations, in the panel: {0}.', others.length - othersOpen.length))] : []),
  ];
}

function isOver({ status }: GroupView): boolean {
  return status !== 'running' && status !== 'interrupted';
}

/** As the badge and the status bar count, so for all conversations. */
export function statusSummary({ groups, pending, tasks, prompts = [] }: StatusFacts, { locale, l10n }: { readonly locale: string; readonly l10n: L10n }): string {
  const scheduled = nextPromptWords(prompts, { locale, l10n });
  const counts = attention(groups, pending, tasks);
  const interrupted = interruptedGroups(groups).length;
  const facts = [
    counts.running + counts.queued === 0 ? l10n.t('No subagents are running.') : l10n.t('Subagents running: {0}, queued: {1}.', counts.running, counts.queued),
    ...(interrupted > 0 ? [l10n.t('Interrupted groups: {0}.', interrupted)] : []),
    ...(counts.approvals > 0 ? [l10n.t('Waiting for your approval: {0}.', counts.approvals)] : []),
    ...(counts.questions > 0 ? [l10n.t('Waiting for your answer: {0}.', counts.questions)] : []),
    ...(counts.reviews > 0 ? [l10n.t('Waiting for your review: {0}.', counts.reviews)] : []),
    ...(scheduled === undefined ? [] : [scheduled]),
  ];
  return facts.join(' ');
}

function block(group: GroupView, style: StatusStyle): ReportPart {
  // Its conversation may be another one than this: the empty turn keeps the link from speaking for this one.
  const markdown = groupBlock(presentBlock(group, { sessionId: '', turnId: '', groupId: group.groupId }), style.ids, style.words);
  const used = groupUsageText(usedBy(rowChildren(group)), style);
  return { kind: 'block', markdown: `${[markdown, ...(used === undefined ? [] : [used])].join(BREAK)}\n\n` };
}
