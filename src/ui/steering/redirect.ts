import * as vscode from 'vscode';
import { showProgress } from '../../host/messages.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import { isSettled } from '../children.ts';
import { allSettled } from '../failures.ts';
import { letGoOn, type OfferModel } from '../resume/letGoOn.ts';

type Agent = Pick<LiteAgent, 'child' | 'group' | 'cancelChild' | 'resumeChild' | 'resumeGroup'>;

/** Stops the children, waits until they have really ended, and lets them go on with other words. One that has not ended is left as it is. Rejects as `letGoOn`. */
export async function redirect(agent: Agent, agentIds: readonly string[], prompt: string, offerModel: OfferModel): Promise<void> {
  await showProgress(vscode.l10n.t('Stopping subagents…'), () => allSettled(agentIds.map((agentId) => agent.cancelChild(agentId))));
  const ended = agentIds.filter((agentId) => isSettled(agent.child(agentId)?.status ?? 'running'));
  await letGoOn(agent, ended.map((agentId) => ({ kind: 'child', agentId, prompt })), offerModel);
}
