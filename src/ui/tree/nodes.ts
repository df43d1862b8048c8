import type { AgentRef, GroupView } from '../../runtime/domain/agents.ts';
import type { ApprovalRequest } from '../../runtime/domain/approvals.ts';
import type { RuntimeEvent } from '../../runtime/domain/events.ts';
import { isInReview, rowChildren } from '../children.ts';

/** What a row stands for, by ids only: the state is always asked of the agent. */
export type Node =
  | { readonly kind: 'group'; readonly groupId: string; /** Nothing is left to do about it, and it is from before this window: shown folded. */ readonly isOld: boolean }
  | { readonly kind: 'child'; readonly groupId: string; readonly agentId: string }
  /** A file that the child changed. */
  | { readonly kind: 'file'; readonly file: { readonly agentId: string; readonly path: string }; readonly parent: { readonly groupId: string; readonly agentId: string } }
  | { readonly kind: 'approval'; readonly requestId: string; readonly parent: { readonly groupId: string; readonly agentId: string } | undefined };

/** A stable id of a row, which keeps selection and expansion over refreshes. */
export function nodeId(node: Node): string {
  switch (node.kind) {
    case 'group':
      return `group/${node.groupId}`;
    case 'child':
      return `child/${node.agentId}`;
    case 'file':
      return `file/${node.file.agentId}/${node.file.path}`;
    case 'approval':
      return `approval/${node.requestId}`;
  }
}

/**
 * Top rows: requests of the chat itself first, then the groups, newest first. A later round has no row of its own.
 * @param since when this window began: what was accepted after that stays unfolded, however soon it is over
 */
export function topNodes(groups: readonly GroupView[], pending: readonly ApprovalRequest[], since: number): readonly Node[] {
  const isOld = (group: GroupView): boolean => group.createdAt < since && group.status !== 'running' && group.status !== 'interrupted' && !rowChildren(group).some(isInReview);
  const newestFirst = groups.map((group, index) => ({ group, index })).sort((a, b) => b.group.createdAt - a.group.createdAt || b.index - a.index);
  return [
    ...pending.filter((request) => request.agent.kind === 'root').map((request): Node => ({ kind: 'approval', requestId: request.id, parent: undefined })),
    ...newestFirst.filter(({ group }) => !group.isRound).map(({ group }): Node => ({ kind: 'group', groupId: group.groupId, isOld: isOld(group) })),
  ];
}

/** Rows that may say something else now: a child's and, since it counts its children's states, its group's; or a group's with all its children. */
export interface RowChange {
  readonly groupId: string;
  readonly agentId?: string;
}

/** What an event changes: the whole list, one child, or a group. The ids are the event's: the row may stand under another group. Nothing for what no row shows. */
export function affected(event: RuntimeEvent): 'all' | RowChange | undefined {
  switch (event.type) {
    case 'group.accepted':
      return { groupId: event.group.groupId };
    case 'group.settled':
    case 'group.interrupted':
    case 'group.resumed':
    case 'group.refreshed':
      return { groupId: event.groupId };
    case 'child.queued':
    case 'child.started':
    case 'child.settled':
    case 'child.interrupted':
    case 'worktree.created':
    case 'worktree.removed':
    case 'review.decided':
      return { groupId: event.groupId, agentId: event.agentId };
    case 'tool.called':
    case 'tool.ended':
    case 'model.ended':
    case 'context.compacted':
    case 'retry.scheduled':
    case 'message.sent':
    case 'message.delivered':
    case 'permission.granted':
    case 'files.changed':
    case 'commands.changed':
      return ofChild(event.agent);
    case 'approval.wanted':
    case 'approval.decided':
    case 'approval.withdrawn':
      return ofChild(event.request.agent) ?? 'all';
    case 'task.changed': {
      const { groupId, agentId } = event.task;
      return groupId === undefined ? undefined : { groupId, ...(agentId !== undefined && { agentId }) };
    }
    default:
      return undefined;
  }
}

function ofChild(agent: AgentRef): RowChange | undefined {
  return agent.kind === 'child' ? { groupId: agent.groupId, agentId: agent.agentId } : undefined;
}
