import * as vscode from 'vscode';
import { deferred } from '../../runtime/base/async.ts';
import { oneLine, truncate } from '../../runtime/base/text.ts';
import type { ApprovalRequest } from '../../runtime/domain/approvals.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import type { UiContext } from '../context.ts';
import { agentName } from '../names.ts';
import { withoutIcons } from '../../host/messageText.ts';
import { actionWords, toolWords } from '../toolWords.ts';
import { decide } from './decide.ts';

interface RequestItem extends vscode.QuickPickItem {
  readonly request: ApprovalRequest;
}

/** A quick pick of all waiting requests, oldest first, kept up to date; each can be answered in place. Resolves to the chosen one, or nothing. */
export async function pickPending(context: UiContext, agent: LiteAgent): Promise<ApprovalRequest | undefined> {
  const pick = vscode.window.createQuickPick<RequestItem>();
  const allow: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('check'), tooltip: vscode.l10n.t('Allow') };
  const deny: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('close'), tooltip: vscode.l10n.t('Deny') };
  const dontAnswer: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('close'), tooltip: vscode.l10n.t('Don’t answer') };
  pick.placeholder = vscode.l10n.t('Choose a request to decide on');
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  const refresh = (): void => {
    const pending = agent.approvals.pending();
    if (pending.length === 0) {
      pick.hide();
      return;
    }
    const before = pick.activeItems[0]?.request.id;
    pick.items = pending.map((request) => requestItem(request, agent, request.question === undefined ? [allow, deny] : [dontAnswer]));
    // New items move the cursor to the first one; a person may be about to press Enter on another.
    const active = pick.items.filter((item) => item.request.id === before);
    if (active.length > 0) pick.activeItems = active;
  };
  const listening = agent.subscribe((event) => {
    if (event.type.startsWith('approval.')) refresh();
  });
  const chosen = deferred<ApprovalRequest | undefined>();
  pick.onDidAccept(() => chosen.resolve(pick.selectedItems[0]?.request));
  pick.onDidHide(() => chosen.resolve(undefined));
  pick.onDidTriggerItemButton(({ button, item }) => void decide(context, agent, item.request.id, { kind: button === allow ? 'allow_once' : 'deny' }));
  refresh();
  pick.show();
  try {
    return await chosen.promise;
  } finally {
    listening.dispose();
    pick.dispose();
  }
}

function requestItem(request: ApprovalRequest, agent: LiteAgent, buttons: readonly vscode.QuickInputButton[]): RequestItem {
  return {
    request,
    label: withoutIcons(truncate(agentName(request.agent, agent.groups(), vscode.l10n), 60)),
    description: request.question === undefined ? withoutIcons(toolWords(request.tool)) : vscode.l10n.t('asks you'),
    detail: withoutIcons(truncate(oneLine(actionWords(request)), 200)),
    buttons,
  };
}
