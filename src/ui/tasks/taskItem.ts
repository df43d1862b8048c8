import { oneLine, truncate } from '../../runtime/base/text.ts';
import type { ChildView } from '../../runtime/domain/agents.ts';
import type { TrackedTask, TrackedTaskChange, TrackedTaskStatus } from '../../runtime/domain/trackedTasks.ts';
import { blockedTasks, openBlockers } from '../../runtime/tasks/dependencies.ts';
import { asksOnly, isSettled } from '../children.ts';
import type { L10n } from '../l10n.ts';
import { COLORS, joined, STATE_ICONS, type Icon, type Row, type TooltipLine } from '../tree/presentation.ts';
import { fileCount, roundWords, statusWords, waitingWords } from '../words.ts';
import { isOver } from './taskNodes.ts';

/** So that what stands beside it stays in sight in the usual width of a side bar; the tooltip has all of it. */
const MAX_SUBJECT = 48;
const MAX_NAME = 24;
/** Changes of the status that a tooltip tells, the latest ones. */
const MAX_CHANGES = 8;

export interface TaskContext {
  /** All that there are. */
  readonly tasks: readonly TrackedTask[];
  /** Its subagent; absent where it has none, or one that isn't known any more. */
  readonly child: ChildView | undefined;
  /** Another living window runs that. */
  readonly isElsewhere: boolean;
  /** A BCP 47 tag for times. */
  readonly locale: string;
  readonly l10n: L10n;
}

/** The row of a status, which holds its tasks. */
export function statusRow(status: TrackedTaskStatus, count: number, l10n: L10n): Row {
  const label = statusLabel(status, l10n);
  return { label, description: String(count), icon: STATUS_ICONS[status], contextValue: `status+${status}`, spoken: l10n.t('{0}, {1}', label, count) };
}

export function taskRow(task: TrackedTask, context: TaskContext): Row {
  const label = truncate(oneLine(task.subject), MAX_SUBJECT);
  const description = taskDescription(task, context);
  return {
    label,
    description,
    icon: taskIcon(task, context),
    contextValue: contextValue(task, context),
    spoken: joinedSpoken(label, statusLabel(task.status, context.l10n), description),
  };
}

/** What is in its way, what its subagent is at, and who does it. */
export function taskDescription(task: TrackedTask, { tasks, child, isElsewhere, l10n }: TaskContext): string {
  const blockers = task.status === 'pending' ? openBlockers(task, finder(tasks)) : [];
  return joined(waitWords(blockers, l10n), isElsewhere && !isOver(task.status) ? l10n.t('in another window') : undefined, stateWords(task, child, l10n), child?.definition ?? task.owner);
}

export function taskTooltip(task: TrackedTask, context: TaskContext): readonly TooltipLine[] {
  const { tasks, child, l10n, locale } = context;
  const find = finder(tasks);
  const named = (others: readonly TrackedTask[]): string => truncate(others.map((other) => l10n.t('{0} ({1})', oneLine(other.subject), taskStatusWords(other.status, l10n))).join(', '), 400);
  const lines: readonly TooltipLine[] = [
    { name: l10n.t('Status'), value: joined(taskStatusWords(task.status, l10n), taskDescription(task, context)) },
    { name: l10n.t('Owner'), value: task.owner ?? '' },
    { name: l10n.t('Subagent'), value: child === undefined ? '' : joined(oneLine(child.displayName), child.definition) },
    { name: l10n.t('Depends on'), value: named((task.blockedBy ?? []).flatMap((id) => find(id) ?? [])) },
    { name: l10n.t('Needed by'), value: named(blockedTasks(task.id, tasks)) },
    { name: l10n.t('Description'), value: truncate(oneLine(task.description), 400) },
    ...task.history.slice(-MAX_CHANGES).map((change) => ({ name: new Date(change.at).toLocaleString(locale), value: changeWords(change, l10n) })),
  ];
  return lines.filter((line) => line.value !== '');
}

/** A status as the title of its tasks. */
export function statusLabel(status: TrackedTaskStatus, l10n: L10n): string {
  switch (status) {
    case 'review':
      return l10n.t('In review');
    case 'in_progress':
      return l10n.t('In progress');
    case 'pending':
      return l10n.t('Pending');
    case 'failed':
      return l10n.t('Failed');
    case 'cancelled':
      return l10n.t('Cancelled');
    case 'completed':
      return l10n.t('Completed');
  }
}

/** A status within a sentence. */
function taskStatusWords(status: TrackedTaskStatus, l10n: L10n): string {
  switch (status) {
    case 'review':
      return l10n.t('review');
    case 'in_progress':
      return l10n.t('in progress');
    case 'pending':
      return l10n.t('pending');
    case 'failed':
    case 'cancelled':
    case 'completed':
      return statusWords(status, l10n);
  }
}

function changeWords({ to, by, reason }: TrackedTaskChange, l10n: L10n): string {
  return joined(taskStatusWords(to, l10n), by === 'runtime' ? undefined : by === 'user' ? l10n.t('by you') : l10n.t('by the chat'), reason === undefined ? undefined : truncate(oneLine(reason), 120));
}

/** `waits for “Audit” and 2 more`; nothing where it waits for nothing. */
function waitWords([first, ...others]: readonly TrackedTask[], l10n: L10n): string | undefined {
  if (first === undefined) return undefined;
  const name = truncate(oneLine(first.subject), MAX_NAME);
  return others.length === 0 ? l10n.t('waits for “{0}”', name) : l10n.t('waits for “{0}” and {1} more', name, others.length);
}

/** What the status alone doesn't say. No clock, so that a row is drawn anew only when something happened. */
function stateWords(task: TrackedTask, child: ChildView | undefined, l10n: L10n): string | undefined {
  const reason = task.status === 'failed' ? task.history.at(-1)?.reason : undefined;
  const failure = reason === undefined ? undefined : truncate(oneLine(reason), 80);
  if (child === undefined) return failure;
  const files = isSettled(child.status) && child.changedFiles.length > 0 ? fileCount(child.changedFiles.length, l10n) : undefined;
  return joined(childWords(child, l10n), failure, files, roundWords(child.round, l10n));
}

function childWords(child: ChildView, l10n: L10n): string | undefined {
  const { status, approvals, retry } = child;
  switch (status) {
    case 'queued':
    case 'interrupted':
      return statusWords(status, l10n);
    case 'running':
      if (approvals.length > 0) return waitingWords(asksOnly(child) ? 'asking' : 'waiting', l10n);
      return retry === undefined ? undefined : l10n.t('retrying');
    case 'completed':
    case 'failed':
    case 'cancelled':
      return undefined;
  }
}

/** What is done by the chat itself doesn't turn: nobody could say whether anything happens. */
const STATUS_ICONS: Readonly<Record<TrackedTaskStatus, Icon>> = {
  review: STATE_ICONS.review,
  in_progress: { id: 'play-circle', color: COLORS.info },
  pending: STATE_ICONS.queued,
  failed: STATE_ICONS.failed,
  cancelled: STATE_ICONS.cancelled,
  completed: STATE_ICONS.completed,
};

function taskIcon({ status }: TrackedTask, { child, isElsewhere }: TaskContext): Icon {
  if (child === undefined || isSettled(child.status)) return STATUS_ICONS[status];
  if (isElsewhere) return STATE_ICONS.elsewhere;
  switch (child.status) {
    case 'running':
      if (child.approvals.length > 0) return STATE_ICONS[asksOnly(child) ? 'asking' : 'waiting'];
      return STATE_ICONS[child.retry === undefined ? 'running' : 'retrying'];
    case 'queued':
    case 'interrupted':
      return STATE_ICONS[child.status];
    case 'completed':
    case 'failed':
    case 'cancelled':
      return STATUS_ICONS[status];
  }
}

/** What menus match: `task+review+child-completed+changes`. A task whose subagent another window runs has a kind of its own. */
function contextValue({ status, agentId }: TrackedTask, { child, isElsewhere }: TaskContext): string {
  const subagent = child === undefined ? (agentId === undefined ? 'own' : 'lost') : `child-${child.status}`;
  return [isElsewhere ? 'taskElsewhere' : 'task', status, subagent, ...(child !== undefined && child.changedFiles.length > 0 ? ['changes'] : [])].join('+');
}

function finder(tasks: readonly TrackedTask[]): (id: string) => TrackedTask | undefined {
  return (id) => tasks.find((task) => task.id === id);
}

function joinedSpoken(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(', ');
}
