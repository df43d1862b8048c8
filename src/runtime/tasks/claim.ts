import type { TrackedTask } from '../domain/trackedTasks.ts';
import { waitProblem } from './dependencies.ts';
import type { FindTask } from './taskList.ts';

/** Why no child can take this task, as a sentence; nothing when one can. */
export function claimProblem(task: TrackedTask, find: FindTask): string | undefined {
  switch (task.status) {
    case 'completed':
    case 'failed':
    case 'cancelled':
      return `Task ${task.id} is finished (${task.status}). Leave task_id out to start a new task.`;
    case 'in_progress':
    case 'review':
      return `Task ${task.id} is already being worked on (${task.status}).`;
    case 'pending':
      return task.agentId === undefined ? waitProblem(task, find) : `Task ${task.id} is already being worked on (queued as ${task.agentId}).`;
  }
}
