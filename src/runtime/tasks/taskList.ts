import { AppError } from '../base/errors.ts';
import type { TrackedTask } from '../domain/trackedTasks.ts';

/** Looks a task up by its id. */
export type FindTask = (id: string) => TrackedTask | undefined;

/** The task of that id. Throws `not_found`. */
export function taskIn(tasks: readonly TrackedTask[], id: string): TrackedTask {
  const task = tasks.find((candidate) => candidate.id === id);
  if (task === undefined) throw new AppError('not_found', `There is no task ${id}. TaskList names those that there are.`);
  return task;
}

/** The list with these tasks in place of those of the same ids; new ones come last. */
export function withTasks(tasks: readonly TrackedTask[], changed: readonly TrackedTask[]): readonly TrackedTask[] {
  if (changed.length === 0) return tasks;
  const byId = new Map(tasks.map((task) => [task.id, task]));
  for (const task of changed) byId.set(task.id, task);
  return [...byId.values()];
}

/** The time of a change: never that of the one before, so that two changes within a millisecond are told apart. */
export function changedAt({ updatedAt }: TrackedTask, now: number): number {
  return Math.max(now, updatedAt + 1);
}
