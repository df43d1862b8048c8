/** The life of a tracked task, in the order in which lists show it: what waits for somebody first. A child that succeeds moves its task to `review`; only a look at the result completes it. */
export const TASK_STATUSES = ['review', 'in_progress', 'pending', 'failed', 'cancelled', 'completed'] as const;
export type TrackedTaskStatus = (typeof TASK_STATUSES)[number];

export interface TrackedTaskChange {
  readonly from?: TrackedTaskStatus;
  readonly to: TrackedTaskStatus;
  readonly by: 'runtime' | 'user' | 'agent';
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly reason?: string;
}

export interface TrackedTask {
  readonly id: string;
  readonly subject: string;
  readonly description: string;
  readonly status: TrackedTaskStatus;
  /** Who is to do it, in a few words; its subagent where it has one. */
  readonly owner?: string;
  /** Ids of tasks that have to be completed before it. Never a cycle. */
  readonly blockedBy?: readonly string[];
  readonly groupId?: string;
  readonly agentId?: string;
  readonly createdAt: number;
  /** The time of its last change, and later than that of the one before, whatever the clock says. */
  readonly updatedAt: number;
  readonly history: readonly TrackedTaskChange[];
}
