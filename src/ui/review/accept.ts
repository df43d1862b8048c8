import * as vscode from 'vscode';
import { errorText, isAppError } from '../../runtime/base/errors.ts';
import type { ChildView } from '../../runtime/domain/agents.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import { isInReview, ownChildren } from '../children.ts';
import type { UiContext } from '../context.ts';

/** The children of the group, or of all groups, whose result waits for review. */
export function inReview(agent: LiteAgent, groupId?: string): readonly ChildView[] {
  const ids = new Set(agent.group(groupId ?? '')?.children.map((child) => child.agentId));
  return ownChildren(agent.groups()).filter((child) => isInReview(child) && (groupId === undefined || ids.has(child.agentId)));
}

/** Accepts what waits for review; a result that someone else accepted meanwhile counts as done. All failures make one message. */
export async function acceptChildren(context: UiContext, agent: LiteAgent, children: readonly ChildView[]): Promise<void> {
  const failures: string[] = [];
  for (const { taskId, displayName } of children) {
    if (taskId === undefined) continue;
    try {
      await agent.tasks.accept(taskId);
    } catch (error) {
      if (isAppError(error, 'conflict')) context.log.info(`task ${taskId} was not in review any more`);
      else failures.push(`${displayName}: ${errorText(error)}`);
    }
  }
  if (failures.length === 0) return;
  context.log.error(`accepting failed: ${failures.join('; ')}`);
  void vscode.window.showErrorMessage(vscode.l10n.t('Not everything could be accepted: {0}', failures.join('; ')));
}
