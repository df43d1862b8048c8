import { plural } from '../base/text.ts';
import type { ChildView } from '../domain/agents.ts';
import type { LiteAgentOptions } from '../domain/liteAgent.ts';
import type { TrackedTask, TrackedTaskStatus } from '../domain/trackedTasks.ts';

/** What is asked of the subagent that has a task. */
export type TaskChild = Pick<ChildView, 'displayName' | 'changedFiles'>;

/** Finds a subagent by its agentId; nothing for one that isn't known any more. */
export type FindChild = (agentId: string) => TaskChild | undefined;

/**
 * Why the root may not give a task this status, as sentences that tell it what to do instead; nothing where it may.
 * A task that no subagent has is its own; of any other the status follows the subagent, and what that did is looked at
 * by the user, or where the rules say so by the root.
 */
export function rootStatusProblem(task: TrackedTask, to: TrackedTaskStatus, child: FindChild, rule: NonNullable<LiteAgentOptions['rootReviews']>): string | undefined {
  const { id, agentId, status } = task;
  if (agentId === undefined || to === status) return undefined;
  const isReview = status === 'review' && to === 'completed';
  if (!isReview) return `Task ${id} (${status}) belongs to subagent ${agentId} and follows what that does: you can't make it ${to}. To let the subagent go on, call Agent with resume: "${agentId}" and say in the prompt what it is to do.`;
  const problem = reviewProblem(child(agentId), rule);
  return problem === undefined ? undefined : `${problem} Leave task ${id} in review, and tell the user what you think of the result.`;
}

function reviewProblem(child: TaskChild | undefined, rule: NonNullable<LiteAgentOptions['rootReviews']>): string | undefined {
  switch (rule) {
    case 'always':
      return undefined;
    case 'never':
      return 'Only the user completes what a subagent did.';
    case 'unchanged': {
      if (child === undefined) return 'What its subagent changed is not known any more, so that only the user can complete it.';
      const { length } = child.changedFiles;
      return length === 0 ? undefined : `${child.displayName} changed ${plural(length, 'file')}, which the user reviews.`;
    }
  }
}
