import type { ChildSpec } from '../domain/agents.ts';
import { claimProblem, type TrackedTasks } from '../tasks/trackedTasks.ts';

/** What delegation needs of the task list. */
export type TaskList = Pick<TrackedTasks, 'load' | 'get' | 'createForChildren' | 'transition'>;

/** True when some task of a call, checked or not, names a tracked task. */
export function namesTask(tasks: unknown): boolean {
  return Array.isArray(tasks) && tasks.some((task: unknown) => typeof task === 'object' && task !== null && 'task_id' in task);
}

/** Why no child can take that task; nothing when one can. */
export function taskProblem(list: TaskList, id: string): string | undefined {
  const task = list.get(id);
  return task === undefined ? `there is no task ${id}.` : claimProblem(task);
}

/** Gives every child its tracked task, all or nothing; without a list the children stay as they are. Rejects as the list does. */
export async function trackChildren(list: TaskList | undefined, groupId: string, children: readonly ChildSpec[]): Promise<readonly ChildSpec[]> {
  if (list === undefined) return children;
  const linked = await list.createForChildren(
    children.map(({ agentId, displayName, prompt, taskId }) => ({ groupId, agentId, subject: displayName, description: prompt, ...(taskId !== undefined && { taskId }) })),
  );
  return children.map((child, index) => {
    const taskId = linked[index]?.id;
    return taskId === undefined ? child : { ...child, taskId };
  });
}

/** Ends the tasks of children that will not start after all. */
export async function untrackChildren(list: TaskList | undefined, children: readonly ChildSpec[]): Promise<void> {
  if (list === undefined) return;
  await Promise.all(children.flatMap(({ taskId }) => (taskId === undefined ? [] : [list.transition(taskId, 'cancelled', 'runtime')])));
}
