import { errorText, isAppError } from '../../runtime/base/errors.ts';
import { oneLine, truncate } from '../../runtime/base/text.ts';
import type { ChildView } from '../../runtime/domain/agents.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import { isInReview } from '../children.ts';
import type { Acceptable } from '../waiting.ts';
import type { ChildAccepted } from './acceptTold.ts';

const MAX_NAME = 60;

type Agent = Pick<LiteAgent, 'child'> & { readonly tasks: Pick<LiteAgent['tasks'], 'accept' | 'list'>; readonly reviews: Pick<LiteAgent['reviews'], 'accept'> };

export interface Accepted {
  /** What came of children whose files are merged, or that have no task in review. */
  readonly done: readonly ChildAccepted[];
  /** What was not accepted and why, each in a sentence. */
  readonly failures: readonly string[];
  /** What is further than it was when it was shown, and was left alone. */
  readonly goneOn: readonly Acceptable[];
}

/** Accepts everything as it was shown: the task where it was in review, else what is left of the changes. What somebody else accepted meanwhile counts as done. Never rejects. */
export async function acceptEach(agent: Agent, shown: readonly Acceptable[]): Promise<Accepted> {
  const done: ChildAccepted[] = [];
  const failures: string[] = [];
  const goneOn: Acceptable[] = [];
  for (const item of shown) {
    if (item.kind === 'child' && hasGoneOn(item.child, agent)) {
      goneOn.push(item);
      continue;
    }
    await acceptOne(agent, item, done).catch((error: unknown) => failures.push(`${nameOf(item)}: ${errorText(error)}`));
  }
  return { done, failures, goneOn };
}

/** Whether a child is in another round, or has come to another end, than when it was shown: then nobody has seen what it did. */
export function hasGoneOn(shown: Pick<ChildView, 'agentId' | 'round' | 'status'>, agent: Pick<LiteAgent, 'child'>): boolean {
  const now = agent.child(shown.agentId);
  return now !== undefined && (now.round !== shown.round || now.status !== shown.status);
}

/** As a message calls it. */
export function nameOf(item: Acceptable): string {
  return truncate(oneLine(item.kind === 'child' ? item.child.displayName : item.task.subject), MAX_NAME);
}

async function acceptOne(agent: Agent, item: Acceptable, done: ChildAccepted[]): Promise<void> {
  const taskId = item.kind === 'task' ? item.task.id : isInReview(item.child) ? item.child.taskId : undefined;
  // What is merged may be in conflict, of which the task list tells in a sentence only.
  if (item.kind === 'child' && (taskId === undefined || item.child.worktree)) {
    const { agentId } = item.child;
    const report = await agent.reviews.accept(agentId);
    done.push({ agentId, report });
    if (report.conflicts.length > 0) return;
  }
  if (taskId !== undefined) await acceptTask(agent, taskId);
}

async function acceptTask({ tasks }: Agent, taskId: string): Promise<void> {
  try {
    await tasks.accept(taskId);
  } catch (error) {
    const isLeft = tasks.list().some(({ id, status }) => id === taskId && status === 'review');
    if (!isAppError(error, 'conflict') || isLeft) throw error;
  }
}
