import { isAppError } from '../base/errors.ts';
import type { TrackedTasks } from '../tasks/trackedTasks.ts';

export type ReviewedTasks = Pick<TrackedTasks, 'load' | 'get' | 'transition'>;

/** Somebody looked: a task in review is completed; in any other state, or completed by another window meanwhile, it stays. Rejects with `unavailable`. */
export async function completeTask(tasks: ReviewedTasks, taskId: string): Promise<void> {
  // A look that fails shows in the change after it, which fails for the same reason.
  await tasks.load().catch(() => undefined);
  if (tasks.get(taskId)?.status !== 'review') return;
  try {
    await tasks.transition(taskId, 'completed', 'user');
  } catch (error) {
    if (!isAppError(error, 'conflict') || tasks.get(taskId)?.status === 'review') throw error;
  }
}
