import { isAppError } from '../base/errors.ts';
import type { ChildView } from '../domain/agents.ts';
import type { Publish } from '../domain/events.ts';
import type { TrackedTask } from '../domain/trackedTasks.ts';
import type { TrackedTasks } from '../tasks/trackedTasks.ts';
import { TaskFollower } from './taskFollower.ts';

/** A task that is linked this long to a child that nobody knows has lost it: another window accepts one within moments. */
const LOST_AFTER_MS = 60_000;

export interface TaskMending {
  readonly tasks: TrackedTasks;
  /** A child that this window answers for, or another one's; nothing for one that is known nowhere. */
  readonly child: (agentId: string) => ChildView | undefined;
  readonly isElsewhere: (child: ChildView) => boolean;
  readonly publish: Publish;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Brings open tasks in step with their children after a start: those whose end the list never heard of, because it
 * couldn't be stored, and those that never came to be, because their host died first. Rejects as the list does.
 */
export async function mendTasks(mending: TaskMending): Promise<void> {
  for (const task of mending.tasks.list()) {
    const isOpen = task.status === 'pending' || task.status === 'in_progress';
    if (isOpen && task.agentId !== undefined) await mend(task, mending.child(task.agentId), mending);
  }
}

async function mend(task: TrackedTask, child: ChildView | undefined, { tasks, isElsewhere, publish, now }: TaskMending): Promise<void> {
  if (child?.taskId !== task.id) {
    if (task.updatedAt + LOST_AFTER_MS < now) await giveUp(task, tasks);
    return;
  }
  if (child.outcome === undefined || child.outcome.status !== child.status || isElsewhere(child)) return;
  const follower = new TaskFollower(child, tasks, publish);
  follower.settled(child.outcome, false);
  await follower.stored();
}

async function giveUp({ id }: TrackedTask, tasks: TrackedTasks): Promise<void> {
  try {
    await tasks.transition(id, 'cancelled', 'runtime', 'Its subagent is not known any more.');
  } catch (error) {
    // Somebody has moved it meanwhile, so it isn't lost.
    if (!isAppError(error, 'conflict')) throw error;
  }
}
