import { plural } from '../base/text.ts';
import type { ChildView } from '../domain/agents.ts';
import type { LiteAgentOptions } from '../domain/liteAgent.ts';
import type { TrackedTask, TrackedTaskStatus } from '../domain/trackedTasks.ts';

/** What is asked of the subagent that has a task. */
export type TaskChild = Pick<ChildView, 'displayName' | 'sessionId' | 'roundGroupId' | 'status' | 'changedFiles' | 'unsaidCalls' | 'toolCalls'>;

/** Finds a subagent by its agentId; nothing for one that isn't known any more. */
export type FindChild = (agentId: string) => TaskChild | undefined;

/** By what it is decided which statuses the root may give. */
export interface RootRules {
  readonly child: FindChild;
  /** Whether the results of a group stand in its conversation. */
  readonly isDelivered: (groupId: string) => boolean;
  /** See `LiteAgentOptions`. */
  readonly rootReviews: NonNullable<LiteAgentOptions['rootReviews']>;
}

/**
 * Why the root of a session may not give a task this status, as sentences that tell it what to do instead; nothing
 * where it may. A task that no subagent has is its own; of any other the status follows the subagent, and what that did
 * is looked at by the user, or where the rules say so by the root that has its result.
 */
export function rootStatusProblem(task: TrackedTask, to: TrackedTaskStatus, sessionId: string, rules: RootRules): string | undefined {
  const { id, agentId, status } = task;
  if (agentId === undefined || to === status) return undefined;
  const isReview = status === 'review' && to === 'completed';
  if (!isReview) return `Task ${id} (${status}) belongs to subagent ${agentId} and follows what that does: you can't make it ${to}. To let the subagent go on, call Agent with resume: "${agentId}" and say in the prompt what it is to do.`;
  const problem = reviewProblem(rules.child(agentId), sessionId, rules);
  return problem === undefined ? undefined : `${problem} Leave task ${id} in review, and tell the user what you think of the result.`;
}

function reviewProblem(child: TaskChild | undefined, sessionId: string, { isDelivered, rootReviews }: RootRules): string | undefined {
  if (rootReviews === 'never') return 'Only the user completes what a subagent did.';
  if (child === undefined) return 'What its subagent did is not known any more, so that only the user can complete it.';
  const { displayName, roundGroupId, changedFiles, toolCalls, unsaidCalls = toolCalls } = child;
  if (child.sessionId !== sessionId) return `${displayName} worked for another conversation, so you don't have its result.`;
  if (child.status !== 'completed' || !isDelivered(roundGroupId)) return `The result of ${displayName} has not come to you yet.`;
  if (rootReviews === 'always') return undefined;
  if (changedFiles.length > 0) return `${displayName} changed ${plural(changedFiles.length, 'file')}, which the user reviews.`;
  // Files that git ignores and places outside of the folders are never watched.
  return unsaidCalls === 0 ? undefined : `${displayName} ran commands or tools that may have changed something that can't be seen, so the user reviews what it did.`;
}
