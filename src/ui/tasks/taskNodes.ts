import { TASK_STATUSES, type TrackedTask, type TrackedTaskStatus } from '../../runtime/domain/trackedTasks.ts';

/** What a row of the Tasks view stands for, by ids only: the state is always asked of the agent. Commands find their target in it. */
export type TaskNode =
  | { readonly kind: 'status'; readonly status: TrackedTaskStatus }
  | { readonly kind: 'task'; readonly status: TrackedTaskStatus; readonly taskId: string; readonly groupId?: string; readonly agentId?: string };

/** A stable id of a row, which keeps selection and expansion over refreshes. A task that moves is another row: two places never hold the same one while VS Code asks for both. */
export function nodeId(node: TaskNode): string {
  switch (node.kind) {
    case 'status':
      return statusId(node.status);
    case 'task':
      return taskId(node.status, node.taskId);
  }
}

export function statusId(status: TrackedTaskStatus): string {
  return `status/${status}`;
}

export function taskId(status: TrackedTaskStatus, id: string): string {
  return `task/${status}/${id}`;
}

/** Under which status a task stands. */
export type StatusOf = (task: TrackedTask) => TrackedTaskStatus;

/** The statuses under which tasks stand, what waits for somebody first. */
export function statusNodes(tasks: readonly TrackedTask[], statusOf: StatusOf): readonly TaskNode[] {
  return TASK_STATUSES.filter((status) => tasks.some((task) => statusOf(task) === status)).map((status) => ({ kind: 'status', status }));
}

/** The tasks of a status: what is to be done in the order in which it was planned, what is over newest first. */
export function taskNodes(tasks: readonly TrackedTask[], status: TrackedTaskStatus, statusOf: StatusOf): readonly TaskNode[] {
  const nodes = tasks.filter((task) => statusOf(task) === status).map((task) => taskNode(task, status));
  return isOver(status) ? nodes.reverse() : nodes;
}

/** Whether nothing is left to do about tasks in that status, unless somebody takes them up again. */
export function isOver(status: TrackedTaskStatus): boolean {
  switch (status) {
    case 'review':
    case 'in_progress':
    case 'pending':
      return false;
    case 'failed':
    case 'cancelled':
    case 'completed':
      return true;
  }
}

function taskNode({ id, groupId, agentId }: TrackedTask, status: TrackedTaskStatus): TaskNode {
  return { kind: 'task', status, taskId: id, ...(groupId !== undefined && { groupId }), ...(agentId !== undefined && { agentId }) };
}
