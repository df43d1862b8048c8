import * as vscode from 'vscode';
import { showInfo } from '../../host/messages.ts';
import { oneLine, truncate } from '../../runtime/base/text.ts';
import type { ApprovalRequest } from '../../runtime/domain/approvals.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import type { UiContext } from '../context.ts';
import { agentName } from '../names.ts';
import { actionWords, toolWords } from '../toolWords.ts';
import { questionTitle } from './answerItems.ts';
import { answerQuestion } from './answerQuestion.ts';
import { decide } from './decide.ts';
import { decisionItems, type DecisionAction } from './decisionItems.ts';
import { pickPending } from './pendingPicker.ts';
import { untilSettled } from './untilSettled.ts';

/** What opens from a request besides a decision. */
export interface ApprovalViews {
  showDetails(request: ApprovalRequest): Promise<void>;
  openTranscript(agentId: string): Promise<void>;
}

/** Lists all waiting requests; a chosen one goes on to its decisions. */
export async function reviewPending(context: UiContext, agent: LiteAgent, views: ApprovalViews): Promise<void> {
  const pending = agent.approvals.pending();
  if (pending.length === 0) {
    void showInfo(vscode.l10n.t('Nothing waits for your approval or your answer.'));
    return;
  }
  const request = pending.length === 1 ? pending[0] : await pickPending(context, agent);
  if (request !== undefined) await decideMore(context, agent, request, views);
}

/** Offers every decision on one request. Hiding the pick decides nothing. */
export async function decideMore(context: UiContext, agent: LiteAgent, request: ApprovalRequest, views: ApprovalViews): Promise<void> {
  await untilSettled(agent, request.id, async (token) => {
    const action = await pickDecision(agent, request, token);
    if (action !== undefined) await act(context, agent, request, views, action, token);
  });
}

async function pickDecision(agent: LiteAgent, request: ApprovalRequest, token: vscode.CancellationToken): Promise<DecisionAction | undefined> {
  const items = decisionItems(request, vscode.l10n).map((item) => ({ ...item, label: `$(${item.icon}) ${item.label}` }));
  const views = items.findIndex((item) => item.action === 'details');
  const separated = [...items.slice(0, views), { label: '', kind: vscode.QuickPickItemKind.Separator, action: undefined }, ...items.slice(views)];
  const name = agentName(request.agent, agent.groups(), vscode.l10n);
  const title = request.question === undefined ? `${name} · ${toolWords(request.tool)}` : questionTitle(name, request.question, vscode.l10n);
  const chosen = await vscode.window.showQuickPick(separated, { title, placeHolder: truncate(oneLine(actionWords(request)), 200) || toolWords(request.tool) }, token);
  return chosen?.action;
}

async function act(context: UiContext, agent: LiteAgent, request: ApprovalRequest, views: ApprovalViews, action: DecisionAction, token: vscode.CancellationToken): Promise<void> {
  switch (action) {
    case 'allow_once':
    case 'allow_group':
    case 'allow_always':
    case 'deny':
      return decide(context, agent, request.id, { kind: action });
    case 'answer':
      return answerQuestion(context, agent, request);
    case 'deny_message': {
      const title = request.question === undefined ? vscode.l10n.t('Deny with message') : vscode.l10n.t('Don’t answer, with message');
      const placeHolder = request.agent.kind === 'child' ? vscode.l10n.t('What the subagent should do instead') : vscode.l10n.t('What the chat should do instead');
      const message = await vscode.window.showInputBox({ title, placeHolder, ignoreFocusOut: true }, token);
      if (message === undefined) return;
      return decide(context, agent, request.id, message.trim() === '' ? { kind: 'deny' } : { kind: 'deny', message: message.trim() });
    }
    case 'details':
      return views.showDetails(request);
    case 'transcript':
      return request.agent.kind === 'child' ? views.openTranscript(request.agent.agentId) : undefined;
  }
}
