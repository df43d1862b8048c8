import type { GroupView } from '../../runtime/domain/agents.ts';
import { addUsage, NO_USAGE, totalTokens } from '../../runtime/domain/usage.ts';
import type { L10n } from '../l10n.ts';
import { groupName } from '../names.ts';
import { day, duration, statusWords } from '../words.ts';
import { joined, STATE_ICONS, type Icon, type Row, type TooltipLine } from './presentation.ts';

export interface GroupContext {
  readonly now: number;
  /** A BCP 47 tag for dates. */
  readonly locale: string;
  readonly l10n: L10n;
}

export function groupRow(group: GroupView, context: GroupContext): Row {
  const label = groupName(group, context.l10n);
  const description = groupDescription(group, context);
  return {
    label,
    description,
    icon: groupIcon(group),
    contextValue: ['group', group.status, ...(waiting(group) > 0 ? ['approval'] : []), ...(reviews(group) > 0 ? ['review'] : [])].join('+'),
    spoken: context.l10n.t('Group {0}, {1}', label, description),
  };
}

export function groupDescription(group: GroupView, { now, locale, l10n }: GroupContext): string {
  if (group.status === 'running') {
    const settled = group.children.filter((child) => child.settledAt !== undefined).length;
    return joined(`${settled}/${group.children.length}`, approvalWords(waiting(group), l10n), duration(now - group.createdAt, l10n));
  }
  const inReview = reviews(group);
  const status = inReview > 0 ? l10n.t('{0} in review', inReview) : statusWords(group.status, l10n);
  const partial = group.status === 'partial' ? `${group.children.filter((child) => child.status === 'completed').length}/${group.children.length}` : undefined;
  return joined(status, partial, group.settledAt === undefined ? undefined : day(group.settledAt, now, locale, l10n));
}

export function groupIcon(group: GroupView): Icon {
  const isOver = group.status !== 'running' && group.status !== 'interrupted';
  if (isOver && reviews(group) > 0) return STATE_ICONS.review;
  return group.status === 'completed' ? { ...STATE_ICONS.completed, id: 'check-all' } : STATE_ICONS[group.status];
}

export function groupTooltip(group: GroupView, context: GroupContext): readonly TooltipLine[] {
  const { l10n } = context;
  const tokens = totalTokens(group.children.map((child) => child.usage).reduce(addUsage, NO_USAGE));
  const lines: readonly TooltipLine[] = [
    { name: l10n.t('Status'), value: joined(statusWords(group.status, l10n), groupDescription(group, context)) },
    { name: l10n.t('Started'), value: new Date(group.createdAt).toLocaleString(context.locale) },
    { name: l10n.t('Folder'), value: group.cwd },
    { name: l10n.t('Tokens'), value: tokens === 0 ? '' : String(tokens) },
  ];
  return lines.filter((line) => line.value !== '');
}

function approvalWords(count: number, l10n: L10n): string | undefined {
  return count === 0 ? undefined : l10n.t('{0} to approve', count);
}

function waiting(group: GroupView): number {
  return group.children.reduce((sum, child) => sum + child.approvals.length, 0);
}

function reviews(group: GroupView): number {
  return group.children.filter((child) => child.taskStatus === 'review').length;
}
