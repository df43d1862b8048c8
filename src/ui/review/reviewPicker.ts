import * as vscode from 'vscode';
import { deferred } from '../../runtime/base/async.ts';
import type { ChildView } from '../../runtime/domain/agents.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import { rowChildren } from '../children.ts';
import type { UiContext } from '../context.ts';
import { childName, groupName } from '../names.ts';
import { withoutIcons } from '../plain.ts';
import { acceptChildren, inReview } from './accept.ts';
import type { ReviewDocuments } from './documents.ts';
import { reviewFacts } from './reviewItem.ts';

interface ChildItem extends vscode.QuickPickItem {
  readonly child: ChildView;
}

/** Lists what waits for review, in one group or in all. What is ticked is accepted; each result opens from its row. */
export async function reviewResults(context: UiContext, agent: LiteAgent, documents: ReviewDocuments, groupId?: string): Promise<void> {
  const waiting = inReview(agent, groupId);
  if (waiting.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Nothing waits for your review.'));
    return;
  }
  const chosen = await pickResults(agent, documents, waiting);
  if (chosen !== undefined) await acceptChildren(context, agent, chosen);
}

async function pickResults(agent: LiteAgent, documents: ReviewDocuments, waiting: readonly ChildView[]): Promise<readonly ChildView[] | undefined> {
  const open: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('open-preview'), tooltip: vscode.l10n.t('Open Result') };
  const pick = vscode.window.createQuickPick<ChildItem>();
  pick.title = vscode.l10n.t('Review Results');
  pick.placeholder = vscode.l10n.t('Tick what to accept');
  pick.canSelectMany = true;
  pick.ignoreFocusOut = true;
  const isMixed = new Set(waiting.map((child) => child.groupId)).size > 1;
  pick.items = waiting.map((child) => resultItem(child, agent, open, isMixed));
  const chosen = deferred<readonly ChildView[] | undefined>();
  pick.onDidAccept(() => chosen.resolve(pick.selectedItems.map((item) => item.child)));
  pick.onDidHide(() => chosen.resolve(undefined));
  pick.onDidTriggerItemButton(({ item }) => void documents.openResult(agent, item.child.agentId));
  pick.show();
  try {
    return await chosen.promise;
  } finally {
    pick.dispose();
  }
}

function resultItem(child: ChildView, agent: LiteAgent, open: vscode.QuickInputButton, namesGroup: boolean): ChildItem {
  const group = agent.group(child.groupId);
  const siblings = group === undefined ? [child] : rowChildren(group);
  const name = group === undefined || !namesGroup ? undefined : groupName(group, vscode.l10n);
  return {
    child,
    label: withoutIcons(childName(child, siblings)),
    description: withoutIcons(reviewFacts(child, name, vscode.l10n)),
    buttons: [open],
  };
}
