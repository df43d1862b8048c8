import * as vscode from 'vscode';
import { showError } from '../../host/messages.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import { isInReview, ownChildren } from '../children.ts';
import type { Target } from '../commands/targets.ts';
import type { UiContext } from '../context.ts';
import { canDecide } from '../rounds.ts';
import { waitingReviews, type Acceptable } from '../waiting.ts';
import { acceptEach } from './acceptEach.ts';
import { tellAccepted } from './acceptTold.ts';

/** What waits for review: of the group its children, or everything. */
export function inReview(agent: Pick<LiteAgent, 'groups' | 'group'> & { readonly tasks: Pick<LiteAgent['tasks'], 'list'> }, groupId?: string): readonly Acceptable[] {
  const waiting = waitingReviews(agent.groups(), agent.tasks.list());
  if (groupId === undefined) return waiting;
  const ids = new Set(agent.group(groupId)?.children.map((child) => child.agentId));
  return waiting.filter((item) => item.kind === 'child' && ids.has(item.child.agentId));
}

/** What of the targets can be accepted: children in review, those that ended otherwise and changed files, and tasks that no known child has. */
export function acceptable(agent: Pick<LiteAgent, 'groups' | 'group'> & { readonly tasks: Pick<LiteAgent['tasks'], 'list'> }, targets: readonly Target[]): readonly Acceptable[] {
  const agentIds = new Set(targets.map(({ agentId }) => agentId));
  const taskIds = new Set(targets.map(({ taskId }) => taskId));
  const children = ownChildren(agent.groups()).filter((child) => agentIds.has(child.agentId) && (isInReview(child) || (child.changedFiles.length > 0 && canDecide(child, agent))));
  const alone = waitingReviews(agent.groups(), agent.tasks.list()).filter((item) => item.kind === 'task' && taskIds.has(item.task.id));
  return [...children.map((child) => ({ kind: 'child', child }) as const), ...alone];
}

/** Accepts what was shown, and tells all failures in one message. Resolves to what has gone on since, and was left alone. */
export async function accept(context: Pick<UiContext, 'log'>, agent: LiteAgent, shown: readonly Acceptable[]): Promise<readonly Acceptable[]> {
  const { done, failures, goneOn } = await acceptEach(agent, shown);
  tellAccepted(agent, done, context.log);
  if (failures.length > 0) {
    context.log.error(`accepting failed: ${failures.join('; ')}`);
    void showError(vscode.l10n.t('Not everything could be accepted: {0}', failures.join('; ')));
  }
  return goneOn;
}
