/** The life of a tracked task. A child that succeeds moves it to `review`; only a look at the result completes it. */
export type TrackedTaskStatus = 'pending' | 'in_progress' | 'review' | 'completed' | 'failed' | 'cancelled';

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
  readonly updatedAt: number;
  readonly history: readonly TrackedTaskChange[];
}
