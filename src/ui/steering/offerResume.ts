import * as vscode from 'vscode';
import { showWarning } from '../../host/messages.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import { nameOf } from './steerable.ts';

/** Says that a message came too late for these children, and asks whether they go on with it. */
export async function offerResume(agent: Pick<LiteAgent, 'child' | 'group'>, agentIds: readonly string[]): Promise<boolean> {
  const [first = ''] = agentIds;
  const question = agentIds.length === 1 ? vscode.l10n.t('“{0}” has ended before it could read your message.', nameOf(agent, first)) : vscode.l10n.t('{0} subagents have ended before they could read your message.', agentIds.length);
  const resume = vscode.l10n.t('Resume With This Message');
  return (await showWarning(question, resume)) === resume;
}
