import * as vscode from 'vscode';
import { showError } from '../../host/messages.ts';
import { errorText } from '../../runtime/base/errors.ts';
import type { ApprovalDecision } from '../../runtime/domain/approvals.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import type { UiContext } from '../context.ts';

/** Decides a request. One that was settled elsewhere meanwhile is left as it is; that a rule can't be saved, or what else keeps it waiting, is said. */
export async function decide(context: UiContext, agent: LiteAgent, requestId: string, decision: ApprovalDecision): Promise<void> {
  try {
    const counted = await agent.approvals.decide(requestId, decision);
    if (!counted) context.log.info(`request ${requestId} was settled already`);
  } catch (error) {
    context.log.error(`the decision on request ${requestId} failed: ${errorText(error)}`);
    void showError(decision.kind === 'allow_always' ? vscode.l10n.t('The rule could not be saved, so the request still waits: {0}', errorText(error)) : errorText(error));
  }
}
