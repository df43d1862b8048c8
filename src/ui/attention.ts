import type { GroupView } from '../runtime/domain/agents.ts';
import type { ApprovalRequest } from '../runtime/domain/approvals.ts';
import type { RuntimeEventType } from '../runtime/domain/events.ts';
import type { TrackedTask } from '../runtime/domain/trackedTasks.ts';
import { ownChildren } from './children.ts';
import { waitingReviews } from './waiting.ts';

/** What is going on, and what of it waits for the person. */
export interface Attention {
  readonly running: number;
  readonly queued: number;
  readonly approvals: number;
  readonly questions: number;
  readonly reviews: number;
}

/** Counted anew from the agent's own state each time, so that it can't drift. What another window runs isn't counted: it counts there. */
export function attention(groups: readonly GroupView[], pending: readonly ApprovalRequest[], tasks: readonly TrackedTask[]): Attention {
  const children = ownChildren(groups);
  const count = (status: string): number => children.filter((child) => child.status === status).length;
  return {
    running: count('running'),
    queued: count('queued'),
    approvals: pending.filter(({ question }) => question === undefined).length,
    questions: pending.filter(({ question }) => question !== undefined).length,
    reviews: waitingReviews(groups, tasks).length,
  };
}

/** Whether an event can change what is counted. */
export function isCounted(type: RuntimeEventType): boolean {
  return /^(?:group|child|approval|task)\./.test(type);
}
