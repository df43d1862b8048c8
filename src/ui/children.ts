import type { ChildStatus, ChildView, GroupView } from '../runtime/domain/agents.ts';

/** Whether a child has come to an end of its own; an interrupted one hasn't. */
export function isSettled(status: ChildStatus): boolean {
  switch (status) {
    case 'completed':
    case 'failed':
    case 'cancelled':
      return true;
    case 'queued':
    case 'running':
    case 'interrupted':
      return false;
  }
}

/** While it waits for its turn or works, what it did can be looked at only. */
export function isBusy({ status }: Pick<ChildView, 'status'>): boolean {
  return status === 'queued' || status === 'running';
}

/** It has a result at which nobody has looked yet, and that can be accepted. That was in an earlier round where the latest was interrupted or ended before it began: what it did until then still waits. */
export function isInReview(child: Pick<ChildView, 'status' | 'taskStatus'>): boolean {
  return !isBusy(child) && child.taskStatus === 'review';
}

/** Whether it has a worktree of its own that is there, as far as is known. */
export function hasWorktree({ worktree, isWorktreeGone }: Pick<ChildView, 'worktree' | 'isWorktreeGone'>): boolean {
  return worktree !== undefined && !isWorktreeGone;
}

/** The children whose row stands under the group's: one that goes on in a later round keeps the row in its first group. */
export function rowChildren(group: Pick<GroupView, 'groupId' | 'children'>): readonly ChildView[] {
  return group.children.filter((child) => child.groupId === group.groupId);
}

/** The children that this window answers for, each once: the group of a later round holds the child of an earlier one, too. */
export function ownChildren(groups: readonly GroupView[]): readonly ChildView[] {
  const elsewhere = new Set(groups.filter((group) => group.isElsewhere).map((group) => group.groupId));
  const children = groups.flatMap((group) => group.children).filter((child) => !elsewhere.has(child.roundGroupId));
  return [...new Map(children.map((child) => [child.agentId, child])).values()];
}

/** Whether all that it waits for a person for are answers to its questions. */
export function asksOnly({ approvals, questions = [] }: Pick<ChildView, 'approvals' | 'questions'>): boolean {
  return questions.length > 0 && questions.length === approvals.length;
}
