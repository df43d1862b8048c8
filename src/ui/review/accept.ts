import * as vscode from 'vscode';
import { showError } from '../../host/messages.ts';
import { errorText, isAppError } from '../../runtime/base/errors.ts';
import type { ChildView } from '../../runtime/domain/agents.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import { isInReview, ownChildren } from '../children.ts';
import type { UiContext } from '../context.ts';
import { canDecide } from '../rounds.ts';

/** The children of the group, or of all groups, whose result waits for review. */
export function inReview(agent: LiteAgent, groupId?: string): readonly ChildView[] {
  const ids = new Set(agent.group(groupId ?? '')?.children.map((child) => child.agentId));
  return ownChildren(agent.groups()).filter((child) => isInReview(child) && (groupId === undefined || ids.has(child.agentId)));
}

/** The children among those with the ids that can be accepted: those in review, and those that ended otherwise and changed files. */
export function acceptable(agent: Pick<LiteAgent, 'groups' | 'group'>, ids: ReadonlySet<string | undefined>): readonly ChildView[] {
  return ownChildren(agent.groups()).filter((child) => ids.has(child.agentId) && (isInReview(child) || (child.changedFiles.length > 0 && canDecide(child, agent))));
}

/** Accepts what waits for review, and what is left of changes where nothing does; what someone else accepted meanwhile counts as done. All failures make one message. */
export async function acceptChildren(context: Pick<UiContext, 'log'>, agent: Pick<LiteAgent, 'tasks' | 'reviews'>, children: readonly ChildView[]): Promise<void> {
  const failures: string[] = [];
  for (const child of children) {
    try {
      if (!isInReview(child)) await agent.reviews.accept(child.agentId);
      else if (child.taskId !== undefined) await agent.tasks.accept(child.taskId);
    } catch (error) {
      if (isInReview(child) && isAppError(error, 'conflict')) context.log.info(`task ${child.taskId ?? ''} was not in review any more`);
      else failures.push(`${child.displayName}: ${errorText(error)}`);
    }
  }
  if (failures.length === 0) return;
  context.log.error(`accepting failed: ${failures.join('; ')}`);
  void showError(vscode.l10n.t('Not everything could be accepted: {0}', failures.join('; ')));
}
