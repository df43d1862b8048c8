import { basename } from 'node:path';
import { oneLine, truncate } from '../../runtime/base/text.ts';
import type { ChildView } from '../../runtime/domain/agents.ts';
import type { AgentColor } from '../../runtime/domain/definitions.ts';
import { asksOnly, hasWorktree, isBusy, isInReview, isSettled } from '../children.ts';
import { baseWords, elsewhereWords, endWords, worktreeWords } from '../childWords.ts';
import type { L10n } from '../l10n.ts';
import { withQuotes } from '../plain.ts';
import { usageLines } from '../usageWords.ts';
import { conflictWords, duration, queuePlace, retryWords, roundWords, waitingWords } from '../words.ts';
import { AGENT_THEME_COLORS, joined, STATE_ICONS, type Icon, type Row, type TooltipLine } from './presentation.ts';

/** What the row of a child shows, in the order in which one hides the other. */
export type ChildState = 'queued' | 'waiting' | 'asking' | 'running' | 'silent' | 'retrying' | 'review' | 'completed' | 'failed' | 'cancelled' | 'interrupted';

export interface ChildContext {
  /** Its name among its siblings. */
  readonly name: string;
  /** Its place among all queued children, from 1. */
  readonly place: number;
  readonly now: number;
  /** Another living window runs it: it can be looked at only. */
  readonly isElsewhere: boolean;
  /** A call of it was refused that can be allowed once after all. */
  readonly hasRefused: boolean;
  /** Its definition's; absent where that has none. */
  readonly color?: AgentColor | undefined;
  /** In how many files its worktree is in conflict with the workspace; absent where nobody looked. */
  readonly conflicts?: number;
  /** The folder of its group. */
  readonly cwd: string;
  /** A BCP 47 tag for times. */
  readonly locale: string;
  readonly l10n: L10n;
}

/** Milliseconds without a sign of life after which a child may be stuck. */
const SILENCE = 120_000;

export function childState(child: ChildView, now: number): ChildState {
  if (child.status === 'running' && child.approvals.length > 0) return asksOnly(child) ? 'asking' : 'waiting';
  if (child.status === 'running' && child.retry !== undefined) return 'retrying';
  if (child.status === 'running' && now - child.lastActivityAt >= SILENCE) return 'silent';
  return isInReview(child) && child.status !== 'interrupted' ? 'review' : child.status;
}

export function childRow(child: ChildView, context: ChildContext): Row {
  const description = childDescription(child, context);
  return {
    label: context.name,
    description,
    icon: childIcon(child, context),
    contextValue: contextValue(child, context),
    spoken: context.l10n.t('{0}, {1}', context.name, description),
  };
}

/** Its agent's colour shows while it waits for its turn or works. The colours of all other states say something themselves. */
function childIcon(child: ChildView, context: ChildContext): Icon {
  if (isOutOfSight(child, context)) return STATE_ICONS.elsewhere;
  const state = childState(child, context.now);
  const icon = STATE_ICONS[state];
  const hasAgentColor = context.color !== undefined && (state === 'queued' || state === 'running');
  return hasAgentColor ? { id: icon.id, color: AGENT_THEME_COLORS[context.color] } : icon;
}

/** What menus match. A child of another window has a kind of its own, since nothing can be done to it here. */
function contextValue(child: ChildView, { isElsewhere, hasRefused, now }: ChildContext): string {
  const changes = child.changedFiles.length > 0 ? ['changes'] : [];
  const worktree = hasWorktree(child) ? ['worktree'] : [];
  if (isElsewhere) return ['childElsewhere', child.status, ...changes].join('+');
  return ['child', child.status, ...(childState(child, now) === 'silent' ? ['silent'] : []), ...(child.approvals.length > 0 ? ['approval'] : []), ...(isInReview(child) ? ['review'] : []), ...(hasRefused && child.status !== 'queued' ? ['refused'] : []), ...worktree, ...changes].join('+');
}

function isOutOfSight(child: ChildView, { isElsewhere }: ChildContext): boolean {
  return isElsewhere && !isSettled(child.status);
}

export function childDescription(child: ChildView, context: ChildContext): string {
  const { l10n } = context;
  return joined(isOutOfSight(child, context) ? elsewhereWords(child, l10n) : rowWords(child, context), conflictWords(context.conflicts ?? 0, l10n), messageWords(child, l10n), commandWords(child, l10n), roundWords(child.round, l10n), worktreeWords(child, l10n));
}

/** One that has ended reads its messages only where it goes on: the tooltip tells of those. */
function messageWords(child: ChildView, l10n: L10n): string | undefined {
  return child.unread !== undefined && isBusy(child) ? l10n.t('message waits') : undefined;
}

function commandWords({ commands = 0 }: ChildView, l10n: L10n): string | undefined {
  if (commands === 0) return undefined;
  return commands === 1 ? l10n.t('1 command in the background') : l10n.t('{0} commands in the background', commands);
}

/** Of a later round only the present run counts, whatever is left of an earlier one. */
function rowWords(child: ChildView, { place, now, l10n }: ChildContext): string {
  const elapsed = child.startedAt === undefined ? undefined : duration(now - child.startedAt, l10n);
  const state = childState(child, now);
  switch (state) {
    case 'queued':
      return queuePlace(place, l10n);
    case 'waiting':
    case 'asking':
      return joined(waitingWords(state, l10n), elapsed);
    case 'retrying':
      return retryWords(child.retry?.until ?? 0, now, l10n);
    case 'running':
      return joined(activityWords(child, l10n), elapsed);
    case 'silent':
      return joined(l10n.t('no activity for {0} min', Math.floor((now - child.lastActivityAt) / 60_000)), elapsed);
    case 'review':
    case 'completed':
    case 'failed':
    case 'cancelled':
    case 'interrupted':
      return endWords(child, l10n);
  }
}

function activityWords({ activity }: ChildView, l10n: L10n): string {
  return activity === undefined ? l10n.t('thinking') : truncate(oneLine(activity.text), 80);
}

export function childTooltip(child: ChildView, context: ChildContext): readonly TooltipLine[] {
  const { l10n } = context;
  const message = child.status === 'failed' && child.outcome?.status === 'failed' ? child.outcome.message : '';
  const lines: readonly TooltipLine[] = [
    { name: l10n.t('Status'), value: childDescription(child, context) },
    { name: l10n.t('Last activity'), value: childState(child, context.now) === 'silent' ? activityWords(child, l10n) : '' },
    { name: l10n.t('Unread message'), value: truncate((child.unread ?? []).map(({ text }) => oneLine(text)).join(' · '), 300) },
    { name: l10n.t('Reason'), value: truncate(oneLine(message), 300) },
    { name: l10n.t('Refused'), value: isSettled(child.status) ? truncate((child.outcome?.refused ?? []).map(oneLine).join(' · '), 400) : '' },
    { name: l10n.t('Retry'), value: child.retry === undefined ? '' : l10n.t('attempt {0}: {1}', child.retry.attempt, truncate(oneLine(child.retry.message), 300)) },
    { name: l10n.t('Note'), value: truncate(withQuotes(oneLine((child.notes ?? []).join(' '))), 400) },
    { name: l10n.t('Definition'), value: child.definition },
    { name: l10n.t('Model'), value: child.model.displayName ?? child.model.model },
    { name: l10n.t('Tools'), value: child.tools.join(', ') },
    { name: l10n.t('Turns'), value: l10n.t('{0} of {1}', child.turns, child.maxTurns) },
    { name: l10n.t('Tool calls'), value: child.toolCalls === 0 ? '' : String(child.toolCalls) },
    ...usageLines(child.usage, context),
    { name: l10n.t('Files'), value: truncate(child.changedFiles.join(', '), 300) },
    { name: l10n.t('Folder'), value: hasWorktree(child) ? l10n.t('a git worktree of {0}', oneLine(basename(context.cwd))) : context.cwd },
    { name: l10n.t('Base'), value: child.worktree === undefined ? '' : baseWords(child.worktree, l10n) },
    { name: l10n.t('Started'), value: child.startedAt === undefined ? '' : new Date(child.startedAt).toLocaleString(context.locale) },
    { name: l10n.t('Prompt'), value: truncate(oneLine(child.prompt), 400) },
  ];
  return lines.filter((line) => line.value !== '');
}

/** The place of every queued child, in the order in which they wait: by arrival, then by the order of the call. */
export function queuePlaces(children: readonly ChildView[]): ReadonlyMap<string, number> {
  const waiting = children.filter((child) => child.status === 'queued').sort((a, b) => a.queuedAt - b.queuedAt);
  return new Map(waiting.map((child, index) => [child.agentId, index + 1]));
}
