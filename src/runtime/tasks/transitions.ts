import { AppError } from '../base/errors.ts';
import type { TrackedTask, TrackedTaskChange, TrackedTaskStatus } from '../domain/trackedTasks.ts';
import { changedAt } from './taskList.ts';

/** Where a task may go from a status: freely, or only with a reason that its history keeps. */
interface Ways {
  readonly freely: readonly TrackedTaskStatus[];
  readonly withReason: readonly TrackedTaskStatus[];
}

/** Nothing but `review` leads to `completed`: somebody has looked. Settled work is taken up again only for a stated reason. */
const WAYS: Readonly<Record<TrackedTaskStatus, Ways>> = {
  pending: { freely: ['in_progress', 'failed', 'cancelled'], withReason: [] },
  in_progress: { freely: ['review', 'failed', 'cancelled'], withReason: [] },
  review: { freely: ['completed', 'in_progress'], withReason: [] },
  completed: { freely: [], withReason: ['in_progress'] },
  failed: { freely: [], withReason: ['in_progress'] },
  cancelled: { freely: [], withReason: ['in_progress'] },
};

/**
 * The task after a change of its status, with the change in its history.
 * Throws `conflict` naming the allowed statuses for any other jump; a blank reason counts as none.
 */
export function applyTransition(task: TrackedTask, change: Omit<TrackedTaskChange, 'from'>): TrackedTask {
  const { freely, withReason } = WAYS[task.status];
  const reason = change.reason?.trim() ?? '';
  const allowed = freely.includes(change.to) || (withReason.includes(change.to) && reason !== '');
  if (!allowed) throw new AppError('conflict', `Task ${task.id} is ${task.status} and can't become ${change.to}. Allowed: ${describeWays(task.status)}.`);
  const entry: TrackedTaskChange = { from: task.status, to: change.to, by: change.by, at: change.at, ...(reason !== '' && { reason }) };
  return { ...task, status: change.to, updatedAt: changedAt(task, change.at), history: [...task.history, entry] };
}

function describeWays(status: TrackedTaskStatus): string {
  const { freely, withReason } = WAYS[status];
  return [...freely, ...withReason.map((to) => `${to} (with a reason)`)].join(', ');
}
