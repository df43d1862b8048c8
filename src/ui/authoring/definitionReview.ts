import * as vscode from 'vscode';
import { showError, showInfo, showWarning } from '../../host/messages.ts';
import { deferred } from '../../runtime/base/async.ts';
import { errorText } from '../../runtime/base/errors.ts';
import { oneLine, truncate } from '../../runtime/base/text.ts';
import type { AgentDefinition } from '../../runtime/domain/definitions.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import type { UiContext } from '../context.ts';
import { withoutIcons } from '../../host/messageText.ts';
import { approveDefinitions, type ApprovalResult } from './approveDefinitions.ts';

interface DefinitionItem extends vscode.QuickPickItem {
  readonly definition: AgentDefinition;
}

/**
 * Lists the project's definitions that nobody has approved as they are now. What is ticked is approved; each file opens from its row.
 * @param names only these; absent: all
 */
export async function reviewDefinitions(context: UiContext, agent: LiteAgent, names?: readonly string[]): Promise<void> {
  // What is on disk now, so that an approval counts for what the person sees when opening a file.
  await agent.definitions.reload();
  const unapproved = agent.definitions.unapproved().filter(({ name }) => names?.includes(name) ?? true);
  if (unapproved.length === 0) {
    void showInfo(vscode.l10n.t('No agent of this project waits for approval.'));
    return;
  }
  const chosen = await pickDefinitions(context, unapproved);
  if (chosen.length > 0) report(context, await approveDefinitions(agent.definitions, chosen));
}

async function pickDefinitions(context: UiContext, unapproved: readonly AgentDefinition[]): Promise<readonly AgentDefinition[]> {
  const open: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('go-to-file'), tooltip: vscode.l10n.t('Open File') };
  const pick = vscode.window.createQuickPick<DefinitionItem>();
  pick.title = vscode.l10n.t('Review Project Agents');
  pick.placeholder = vscode.l10n.t('Look at each file, then tick those that may be used');
  pick.canSelectMany = true;
  // The list stays while the files are looked at.
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = true;
  pick.items = unapproved.map((definition) => definitionItem(definition, open));
  const chosen = deferred<readonly AgentDefinition[]>();
  pick.onDidAccept(() => chosen.resolve(pick.selectedItems.map(({ definition }) => definition)));
  pick.onDidHide(() => chosen.resolve([]));
  pick.onDidTriggerItemButton(({ item }) => {
    openFile(item.definition).catch((error: unknown) => context.log.warn(`a definition was not opened: ${errorText(error)}`));
  });
  pick.show();
  try {
    return await chosen.promise;
  } finally {
    pick.dispose();
  }
}

function definitionItem(definition: AgentDefinition, open: vscode.QuickInputButton): DefinitionItem {
  const { name, path, description } = definition;
  return {
    definition,
    label: withoutIcons(truncate(oneLine(name), 60)),
    description: path === undefined ? '' : withoutIcons(oneLine(vscode.workspace.asRelativePath(path))),
    detail: withoutIcons(truncate(oneLine(description), 200)),
    buttons: path === undefined ? [] : [open],
  };
}

async function openFile({ path }: AgentDefinition): Promise<void> {
  // The focus stays in the list, from which the next one is opened.
  if (path !== undefined) await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: true, preserveFocus: true });
}

function report(context: UiContext, { approved, changed, failures }: ApprovalResult): void {
  const names = (list: readonly string[]): string => truncate(oneLine(list.join(', ')), 300);
  if (approved.length > 0) void showInfo(vscode.l10n.t('Approved: {0}. Delegate again to use what was refused.', names(approved)));
  if (changed.length > 0) void showWarning(vscode.l10n.t('Changed meanwhile, so not approved: {0}. Look at the files again.', names(changed)));
  if (failures.length === 0) return;
  context.log.error(`approving definitions failed: ${failures.join('; ')}`);
  void showError(vscode.l10n.t('Not everything could be approved: {0}', truncate(oneLine(failures.join('; ')), 300)));
}
