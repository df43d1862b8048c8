import type { ChildView, GroupView } from '../runtime/domain/agents.ts';
import type { LiteAgent } from '../runtime/domain/liteAgent.ts';
import type { TrackedTask, TrackedTaskStatus } from '../runtime/domain/trackedTasks.ts';
import { isBusy, isInReview, ownChildren } from './children.ts';
import { runsElsewhere } from './rounds.ts';

/** What can be accepted, as it is when it is shown: what a child did, or a task in review that no known child has. */
export type Acceptable = { readonly kind: 'child'; readonly child: ChildView } | { readonly kind: 'task'; readonly task: TrackedTask };

/** All that waits for somebody to look at it. What can't be accepted here and now, since it goes on or is another window's, doesn't wait. */
export function waitingReviews(groups: readonly GroupView[], tasks: readonly TrackedTask[]): readonly Acceptable[] {
  const known = new Set(groups.flatMap(({ children }) => children.map(({ agentId }) => agentId)));
  const alone = tasks.filter(({ status, agentId }) => status === 'review' && !known.has(agentId ?? ''));
  return [...ownChildren(groups).filter(isInReview).map((child) => ({ kind: 'child', child }) as const), ...alone.map((task) => ({ kind: 'task', task }) as const)];
}

/** The status under which people find a task: in review is what waits for them; else its child, or another window, is still at it. */
export function shownStatus({ status, agentId }: TrackedTask, agent: Pick<LiteAgent, 'child' | 'group'>): TrackedTaskStatus {
  const child = status === 'review' && agentId !== undefined ? agent.child(agentId) : undefined;
  return child !== undefined && (isBusy(child) || runsElsewhere(child, agent)) ? 'in_progress' : status;
}
