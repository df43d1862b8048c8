import type { GroupView } from '../../runtime/domain/agents.ts';
import { isInReview, isSettled, rowChildren } from '../children.ts';
import type { L10n } from '../l10n.ts';
import { groupName } from '../names.ts';
import { hasUnpriced, usageFacts, usageLines, usedBy } from '../usageWords.ts';
import { day, duration, statusWords } from '../words.ts';
import { joined, STATE_ICONS, type Icon, type Row, type TooltipLine } from './presentation.ts';

export interface GroupContext {
  readonly now: number;
  /** A BCP 47 tag for dates. */
  readonly locale: string;
  readonly l10n: L10n;
}

/** The row of a group. It speaks of the children whose rows it holds: one that it took up from an earlier group is shown there. */
export function groupRow(group: GroupView, context: GroupContext): Row {
  const label = groupName({ children: rowChildren(group) }, context.l10n);
  const description = groupDescription(group, context);
  return {
    label,
    description,
    icon: groupIcon(group),
    contextValue: contextValue(group),
    spoken: context.l10n.t('Group {0}, {1}', label, description),
  };
}

/** What menus match. A group of another window has a kind of its own, since nothing can be done to it here. */
function contextValue(group: GroupView): string {
  const changes = rowChildren(group).some((child) => child.changedFiles.length > 0) ? ['changes'] : [];
  if (group.isElsewhere) return ['groupElsewhere', group.status, ...changes].join('+');
  return ['group', group.status, ...(waiting(group) > 0 ? ['approval'] : []), ...(reviews(group) > 0 ? ['review'] : []), ...changes].join('+');
}

export function groupDescription(group: GroupView, context: GroupContext): string {
  const { now, locale, l10n } = context;
  if (group.isElsewhere) return joined(l10n.t('in another window'), progress(group));
  const inReview = reviews(group);
  // Last, since a narrow view cuts a row at its end.
  const used = usageFacts(usedBy(rowChildren(group)), context);
  switch (group.status) {
    case 'running':
      return joined(progress(group), approvalWords(waiting(group) - asking(group), l10n), asking(group) === 0 ? undefined : l10n.t('{0} to answer', asking(group)), duration(now - startOf(group), l10n), ...used);
    case 'interrupted':
      return joined(statusWords('interrupted', l10n), l10n.t('{0} done', progress(group)), ...used);
    case 'completed':
    case 'partial':
    case 'failed':
    case 'cancelled': {
      const status = inReview > 0 ? l10n.t('{0} in review', inReview) : statusWords(group.status, l10n);
      const partial = group.status === 'partial' ? `${rowChildren(group).filter((child) => child.status === 'completed').length}/${rowChildren(group).length}` : undefined;
      return joined(status, partial, group.settledAt === undefined ? undefined : day(group.settledAt, now, locale, l10n), ...used);
    }
  }
}

export function groupIcon(group: GroupView): Icon {
  if (group.isElsewhere) return STATE_ICONS.elsewhere;
  const isOver = group.status !== 'running' && group.status !== 'interrupted';
  if (isOver && reviews(group) > 0) return STATE_ICONS.review;
  return group.status === 'completed' ? { ...STATE_ICONS.completed, id: 'check-all' } : STATE_ICONS[group.status];
}

export function groupTooltip(group: GroupView, context: GroupContext): readonly TooltipLine[] {
  const { l10n } = context;
  const children = rowChildren(group);
  const lines: readonly TooltipLine[] = [
    { name: l10n.t('Status'), value: joined(group.status === 'interrupted' ? undefined : statusWords(group.status, l10n), groupDescription(group, context)) },
    { name: l10n.t('Started'), value: new Date(group.createdAt).toLocaleString(context.locale) },
    { name: l10n.t('Folder'), value: group.cwd },
    ...usageLines(usedBy(children), context, hasUnpriced(children)),
  ];
  return lines.filter((line) => line.value !== '');
}

/** `2/3`: how many of its children have come to an end. */
function progress(group: GroupView): string {
  const children = rowChildren(group);
  return `${children.filter((child) => isSettled(child.status)).length}/${children.length}`;
}

/** Since when it has been at work. A child that goes on after an interruption, or in a later round, is queued anew: the time between doesn't count. */
function startOf(group: GroupView): number {
  const queued = rowChildren(group).filter((child) => !isSettled(child.status)).map((child) => child.queuedAt);
  return queued.length === 0 ? group.createdAt : Math.min(...queued);
}

function approvalWords(count: number, l10n: L10n): string | undefined {
  return count === 0 ? undefined : l10n.t('{0} to approve', count);
}

function waiting(group: GroupView): number {
  return rowChildren(group).reduce((sum, child) => sum + child.approvals.length, 0);
}

function asking(group: GroupView): number {
  return rowChildren(group).reduce((sum, { questions = [] }) => sum + questions.length, 0);
}

function reviews(group: GroupView): number {
  return rowChildren(group).filter(isInReview).length;
}
