import type { ChildStatus, ChildView } from '../../runtime/domain/agents.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import { groupsOf, type Target } from '../commands/targets.ts';
import { unfinishedRuns } from '../rounds.ts';

/** What is to go on: a child, with words for it or without, or all interrupted children of a group. */
export type Resumption =
  | { readonly kind: 'child'; readonly agentId: string; readonly prompt?: string }
  | { readonly kind: 'group'; readonly groupId: string };

type Views = Pick<LiteAgent, 'group' | 'child'>;

/** The interrupted among the chosen rows, children and groups. Where none is, all of them: the agent then says why they can't go on. */
export function interruptedOf(agent: Views, targets: readonly Target[]): readonly Resumption[] {
  const runs = new Set(groupsOf(targets).flatMap((groupId) => interruptedRuns(agent, groupId)));
  // A child that is chosen together with its group goes on once.
  const children = childrenOf(agent, targets, ['interrupted']).filter(({ agentId }) => !runs.has(agent.child(agentId)?.roundGroupId ?? ''));
  const found: readonly Resumption[] = [...[...runs].map((groupId) => ({ kind: 'group', groupId }) as const), ...children];
  return found.length > 0 ? found : [...groupsOf(targets).map((groupId) => ({ kind: 'group', groupId }) as const), ...resumable(agent, targets, [])];
}

/** The children among the chosen rows that are in one of the states. Where none is, all of them: the agent then says why they can't go on. */
export function resumable(agent: Views, targets: readonly Target[], statuses: readonly ChildStatus[]): readonly Extract<Resumption, { kind: 'child' }>[] {
  const found = childrenOf(agent, targets, statuses);
  return found.length > 0 ? found : targets.flatMap(({ agentId }) => (agentId === undefined ? [] : [{ kind: 'child', agentId }]));
}

function childrenOf(agent: Views, targets: readonly Target[], statuses: readonly ChildStatus[]): readonly Extract<Resumption, { kind: 'child' }>[] {
  const ids = new Set(targets.flatMap(({ agentId }) => (agentId === undefined ? [] : [agentId])));
  return [...ids].filter((agentId) => statuses.some((status) => agent.child(agentId)?.status === status)).map((agentId) => ({ kind: 'child', agentId }));
}

function interruptedRuns(agent: Views, groupId: string): readonly string[] {
  const group = agent.group(groupId);
  return group === undefined ? [] : unfinishedRuns(group, isInterrupted);
}

function isInterrupted(child: ChildView): boolean {
  return child.status === 'interrupted';
}
