import * as vscode from 'vscode';
import { confirm, showBriefly, showInfo } from '../../host/messages.ts';
import { oneLine, truncate } from '../../runtime/base/text.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import { lossText } from './lossText.ts';

const MAX_NAME = 60;
const DONE_MS = 5000;

/** Asks, naming what would be lost, then removes a child's worktree. */
export async function removeWorktree(agent: LiteAgent, agentId: string): Promise<void> {
  const name = truncate(oneLine(agent.child(agentId)?.displayName ?? agentId), MAX_NAME);
  const loss = await agent.worktrees.loss(agentId);
  if (loss === undefined) {
    void showInfo(vscode.l10n.t('“{0}” has no worktree any more.', name));
    return;
  }
  if (!(await confirm(vscode.l10n.t('Remove the worktree of “{0}”?', name), lossText(loss, vscode.l10n), vscode.l10n.t('Remove Worktree')))) return;
  await agent.worktrees.remove(agentId);
  showBriefly(vscode.l10n.t('The worktree of “{0}” is removed.', name), DONE_MS);
}
