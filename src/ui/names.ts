import { oneLine, truncate } from '../runtime/base/text.ts';
import type { AgentRef, ChildView, GroupView } from '../runtime/domain/agents.ts';
import { rowChildren } from './children.ts';
import type { L10n } from './l10n.ts';

/** So that the status beside it stays in sight in the usual width of a side bar; the tooltip has the whole name. */
const MAX_NAME = 36;
const MAX_GROUP_NAME = 18;

/** A child's name among its siblings: those that share one get a number, in the order of the call. */
export function childName(child: Pick<ChildView, 'agentId' | 'displayName'>, siblings: readonly Pick<ChildView, 'agentId' | 'displayName'>[]): string {
  const name = truncate(oneLine(child.displayName), MAX_NAME);
  const namesakes = siblings.filter((other) => other.displayName === child.displayName);
  return namesakes.length < 2 ? name : `${name} #${namesakes.findIndex((other) => other.agentId === child.agentId) + 1}`;
}

/** `Dependency audit and 2 more`. */
export function groupName(group: Pick<GroupView, 'children'>, l10n: L10n): string {
  const [first, ...others] = group.children;
  if (first === undefined) return l10n.t('Empty group');
  const name = truncate(oneLine(first.displayName), others.length === 0 ? MAX_NAME : MAX_GROUP_NAME);
  return others.length === 0 ? name : l10n.t('{0} and {1} more', name, others.length);
}

/** Who asks: a child by a name that tells it from every other one that is not settled, or the chat itself. */
export function agentName(agent: AgentRef, groups: readonly GroupView[], l10n: L10n): string {
  if (agent.kind === 'root') return l10n.t('Chat');
  // In a later round it asks from another group than the one in which people know it.
  const home = groups.find((candidate) => rowChildren(candidate).some((child) => child.agentId === agent.agentId));
  if (home === undefined) return oneLine(agent.displayName);
  const name = childName(agent, rowChildren(home));
  const isNamesake = (group: GroupView): boolean => group !== home && group.status === 'running' && rowChildren(group).some((child) => child.displayName === agent.displayName);
  return groups.some(isNamesake) ? l10n.t('{0} ({1}, {2})', name, groupName(home, l10n), new Date(home.createdAt).toLocaleTimeString()) : name;
}
