import * as vscode from 'vscode';
import { showInfo } from '../../host/messages.ts';
import { withoutIcons } from '../../host/messageText.ts';
import type { ChildStatus, ChildView } from '../../runtime/domain/agents.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import { ownChildren } from '../children.ts';
import type { Target } from '../commands/targets.ts';
import { scopeName } from '../review/diff/scopes.ts';
import { childDescription } from '../tree/childItem.ts';
import { childContext } from '../tree/treeItems.ts';

type Agents = Pick<LiteAgent, 'groups' | 'group' | 'child' | 'approvals' | 'definitions'>;

/** The children of this window in one of the states, in the order in which they were accepted. */
export function steerable(agent: Pick<LiteAgent, 'groups'>, statuses: readonly ChildStatus[]): readonly ChildView[] {
  return ownChildren(agent.groups()).filter(({ status }) => statuses.includes(status));
}

/** The children that are meant: those of the chosen rows, or else the one that is chosen now from all in these states. None where the person leaves, or there is none, which is said. */
export async function steered(agent: Agents, targets: readonly Target[], statuses: readonly ChildStatus[], placeHolder: string): Promise<readonly string[]> {
  const chosen = [...new Set(targets.flatMap(({ agentId }) => agentId ?? []))];
  if (chosen.length > 0) return chosen;
  const children = steerable(agent, statuses);
  if (children.length === 0) {
    void showInfo(vscode.l10n.t('No subagent is running.'));
    return [];
  }
  const items = children.map((child) => ({
    label: withoutIcons(nameOf(agent, child.agentId)),
    description: withoutIcons(childDescription(child, childContext(child, agent))),
    agentId: child.agentId,
  }));
  const picked = await vscode.window.showQuickPick(items, { placeHolder });
  return picked === undefined ? [] : [picked.agentId];
}

/** A child's name among its siblings; for one that is gone, its id. */
export function nameOf(agent: Pick<LiteAgent, 'child' | 'group'>, agentId: string): string {
  return scopeName(agent, { kind: 'child', agentId }, vscode.l10n) || agentId;
}
