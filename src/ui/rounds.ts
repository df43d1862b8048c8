import type { ChildView, GroupView } from '../runtime/domain/agents.ts';
import type { LiteAgent } from '../runtime/domain/liteAgent.ts';
import { isBusy, isSettled, rowChildren } from './children.ts';

/** Whether this window has something left to do in the group: what is running or interrupted. */
export function isUnfinished({ status, isElsewhere }: Pick<GroupView, 'status' | 'isElsewhere'>): boolean {
  return !isElsewhere && (status === 'running' || status === 'interrupted');
}

/** The groups in which children are interrupted, a later round by itself. Those of another window aren't among them. */
export function interruptedGroups(groups: readonly GroupView[]): readonly GroupView[] {
  return groups.filter((group) => !group.isElsewhere && group.children.some((child) => child.status === 'interrupted' && child.roundGroupId === group.groupId));
}

/** The groups in which what the row of a group shows is unfinished: itself, and later rounds of its children. Empty where nothing is. */
export function unfinishedRuns(group: GroupView, isMeant: (child: ChildView) => boolean = (child) => !isSettled(child.status)): readonly string[] {
  const shown = [...rowChildren(group), ...group.children.filter((child) => child.roundGroupId === group.groupId)];
  return [...new Set(shown.filter(isMeant).map((child) => child.roundGroupId))];
}

/** Whether another living window runs the child's latest round. */
export function runsElsewhere(child: Pick<ChildView, 'roundGroupId'>, agent: Pick<LiteAgent, 'group'>): boolean {
  return agent.group(child.roundGroupId)?.isElsewhere === true;
}

/** Whether what the child changed can be accepted or undone here and now. */
export function canDecide(child: Pick<ChildView, 'status' | 'roundGroupId'>, agent: Pick<LiteAgent, 'group'>): boolean {
  return !isBusy(child) && !runsElsewhere(child, agent);
}

/** The groups under whose row a child of the group, or all of them, stand. */
export function homesOf(agent: Pick<LiteAgent, 'group' | 'child'>, groupId: string, agentId?: string): readonly string[] {
  if (agentId !== undefined) return [agent.child(agentId)?.groupId ?? groupId];
  return [...new Set([groupId, ...(agent.group(groupId)?.children ?? []).map((child) => child.groupId)])];
}
