import * as vscode from 'vscode';
import { COMMANDS, STATUS_BAR_ITEM } from '../ids.ts';
import { DisposableStore, type Disposable } from '../runtime/base/lifecycle.ts';
import { watchAttention } from './attentionWatch.ts';
import type { UiContext } from './context.ts';
import { statusText } from './statusText.ts';

/** One item: running, approvals, reviews. Hidden when idle; a click leads to what waits, else to the panel. */
export function registerStatusBar(context: UiContext): Disposable {
  const store = new DisposableStore();
  const item = store.add(vscode.window.createStatusBarItem(STATUS_BAR_ITEM, vscode.StatusBarAlignment.Left, 10));
  item.name = vscode.l10n.t('Subagents');
  store.add(watchAttention(context, (attention, l10n) => {
    const status = statusText(attention, l10n);
    if (status === undefined) {
      item.hide();
      return;
    }
    item.text = status.text;
    item.tooltip = status.spoken;
    item.accessibilityInformation = { label: status.spoken };
    item.command = status.isBlocked ? COMMANDS.reviewApprovals : COMMANDS.showPanel;
    // The one case for a background: the work stands still until the person answers.
    item.backgroundColor = status.isBlocked ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    item.show();
  }));
  return store;
}
