import * as vscode from 'vscode';
import { showInfo } from '../../host/messages.ts';
import { deferred } from '../../runtime/base/async.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import type { Log } from '../../runtime/domain/ports.ts';
import type { FileReview, Hunk } from '../../runtime/domain/reviews.ts';
import { withoutIcons } from '../../host/messageText.ts';
import { acceptParts } from './acceptParts.ts';
import { openDiff } from './diff/openChanges.ts';
import { scopeName } from './diff/scopes.ts';
import { fileName } from './filePlace.ts';
import { hunkWords } from './hunkItem.ts';
import { undoParts } from './undo.ts';

type Answer = { readonly verdict: 'accept' | 'undo'; readonly hunks: readonly string[] };

interface HunkItem extends vscode.QuickPickItem {
  readonly hunk: Hunk;
}

/** Lists what is left to decide in a file, beside its diff. What is ticked is accepted or undone; leaving changes nothing. */
export async function reviewHunks(agent: LiteAgent, agentId: string, path: string, log: Log): Promise<void> {
  const file = await agent.reviews.file(agentId, path);
  if (file.hunks.length === 0) {
    void showInfo(vscode.l10n.t('Nothing is left to decide in {0}.', fileName(path)));
    return;
  }
  await openDiff(agent, { kind: 'child', agentId }, path);
  const title = vscode.l10n.t('{0} ({1})', fileName(path), scopeName(agent, { kind: 'child', agentId }, vscode.l10n));
  const answer = await pickHunks(file, title);
  if (answer === undefined || answer.hunks.length === 0) return;
  if (answer.verdict === 'accept') await acceptParts(agent, [{ agentId, choice: { path, hunks: answer.hunks } }], log);
  else await undoParts(agent, [{ agentId, choice: { path, hunks: answer.hunks } }], log);
}

async function pickHunks(file: FileReview, title: string): Promise<Answer | undefined> {
  const accept: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('check'), tooltip: vscode.l10n.t('Accept What Is Ticked') };
  const undo: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('discard'), tooltip: vscode.l10n.t('Undo What Is Ticked') };
  const pick = vscode.window.createQuickPick<HunkItem>();
  pick.title = withoutIcons(title);
  pick.placeholder = vscode.l10n.t('Tick changes, then accept (Enter) or undo them');
  pick.canSelectMany = true;
  pick.ignoreFocusOut = true;
  pick.buttons = [accept, undo];
  pick.items = file.hunks.map((hunk) => ({ hunk, ...hunkWords(hunk, file, vscode.l10n) }));
  const answer = deferred<Answer | undefined>();
  const give = (verdict: Answer['verdict']): void => answer.resolve({ verdict, hunks: pick.selectedItems.map(({ hunk }) => hunk.id) });
  pick.onDidAccept(() => give('accept'));
  pick.onDidTriggerButton((button) => {
    // A press with nothing ticked is a slip, not an answer.
    if (pick.selectedItems.length > 0) give(button === undo ? 'undo' : 'accept');
  });
  pick.onDidHide(() => answer.resolve(undefined));
  pick.show();
  try {
    return await answer.promise;
  } finally {
    pick.dispose();
  }
}
