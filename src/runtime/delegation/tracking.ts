import type { ChildSpec } from '../domain/agents.ts';
import { claimProblem } from '../tasks/claim.ts';
import type { TrackedTasks } from '../tasks/trackedTasks.ts';

/** What delegation needs of the task list. */
export type TaskList = Pick<TrackedTasks, 'load' | 'get' | 'createForChildren' | 'transition'>;

/** True when some task of a call, checked or not, names a tracked task or a run that has one. */
export function namesTask(tasks: unknown): boolean {
  return Array.isArray(tasks) && tasks.some((task: unknown) => typeof task === 'object' && task !== null && ('task_id' in task || 'resume' in task));
}

/** Why no child can take that task; nothing when one can. */
export function taskProblem(list: TaskList, id: string): string | undefined {
  const task = list.get(id);
  return task === undefined ? `there is no task ${id}.` : claimProblem(task, (other) => list.get(other));
}

/**
 * Gives every child its tracked task, all or nothing; without a list the children stay as they are. One that goes on
 * keeps its task where that is still its own. Rejects as the list does.
 */
export async function trackChildren(list: TaskList | undefined, groupId: string, children: readonly ChildSpec[]): Promise<readonly ChildSpec[]> {
  if (list === undefined) return children;
  const keeps = ({ round, taskId, agentId }: ChildSpec): boolean => round > 1 && taskId !== undefined && list.get(taskId)?.agentId === agentId;
  const others = children.filter((child) => !keeps(child));
  if (others.length === 0) return children;
  const linked = await list.createForChildren(
    others.map(({ agentId, displayName, prompt, taskId, round }) => ({ groupId, agentId, subject: displayName, description: prompt, ...(taskId !== undefined && round === 1 && { taskId }) })),
  );
  const ids = new Map(others.map(({ agentId }, index) => [agentId, linked[index]?.id]));
  return children.map((child) => {
    const taskId = ids.get(child.agentId);
    return taskId === undefined ? child : { ...child, taskId };
  });
}

/** Ends the tasks of children that will not start after all; what was at work before stays as it is. */
export async function untrackChildren(list: TaskList | undefined, children: readonly ChildSpec[]): Promise<void> {
  if (list === undefined) return;
  const waiting = children.flatMap(({ taskId }) => (taskId !== undefined && list.get(taskId)?.status === 'pending' ? [taskId] : []));
  await Promise.all(waiting.map((taskId) => list.transition(taskId, 'cancelled', 'runtime')));
}
