import * as vscode from 'vscode';
import { showInfo } from '../../host/messages.ts';
import { oneLine, truncate } from '../../runtime/base/text.ts';
import type { RefusedCall } from '../../runtime/domain/approvals.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import { agentName } from '../names.ts';
import { withoutIcons } from '../../host/messageText.ts';
import { actionWords, toolWords } from '../toolWords.ts';

/** Allows a refused call of the child once and lets the child try again; where there are several, asks which. Rejects as `ApprovalAccess.allowOnce`. */
export async function allowOnce(agent: LiteAgent, agentId: string): Promise<void> {
  const refused = agent.approvals.refused(agentId);
  if (refused.length === 0) {
    void showInfo(vscode.l10n.t('No refused call of this subagent can be allowed now: what a rule denies stays denied, and after a reload it asks anew.'));
    return;
  }
  const call = refused.length === 1 ? refused[0] : await pickCall(agent, refused);
  if (call !== undefined) await agent.approvals.allowOnce(agentId, call.callId);
}

/** The latest first. */
async function pickCall(agent: LiteAgent, refused: readonly RefusedCall[]): Promise<RefusedCall | undefined> {
  const items = refused.toReversed().map((call) => ({
    call,
    label: withoutIcons(truncate(oneLine(actionWords(call)), 200)),
    description: withoutIcons(toolWords(call.tool)),
    detail: withoutIcons(truncate(oneLine(call.why), 200)),
  }));
  const first = refused[0];
  const title = first === undefined ? '' : agentName(first.agent, agent.groups(), vscode.l10n);
  const chosen = await vscode.window.showQuickPick(items, { title, placeHolder: vscode.l10n.t('Choose the refused call to allow once'), matchOnDescription: true });
  return chosen?.call;
}
