import * as vscode from 'vscode';
import { errorText } from '../../runtime/base/errors.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import type { Log } from '../../runtime/domain/ports.ts';
import type { ReviewChoice, UndoReport } from '../../runtime/domain/reviews.ts';
import type { ChangeScope } from './diff/changeUris.ts';
import { openChanges } from './diff/openChanges.ts';
import { changesOf, scopeName } from './diff/scopes.ts';
import { isOpen } from './fileFacts.ts';
import { joinReports, undoQuestion, undoResult } from './undoText.ts';

const DONE_MS = 5000;

/** Asks once, then takes back all that is left of what a child, or a group, changed. */
export async function undoAll(agent: LiteAgent, scope: ChangeScope, log: Log): Promise<void> {
  const name = scopeName(agent, scope, vscode.l10n);
  const paths = (await changesOf(agent, scope)).filter(isOpen).map(({ path }) => path);
  if (paths.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Nothing that “{0}” changed is left to undo.', name));
    return;
  }
  const { text, detail } = undoQuestion(name, paths, vscode.l10n);
  const undo = vscode.l10n.t('Undo Changes');
  if ((await vscode.window.showWarningMessage(text, { modal: true, detail }, undo)) !== undo) return;
  const report = scope.kind === 'child' ? await agent.reviews.undo(scope.agentId) : await agent.reviews.undoGroup(scope.groupId);
  tell(agent, scope, report, log);
}

/** Takes back parts of what a child changed, without asking: they were named one by one. */
export async function undoParts(agent: LiteAgent, agentId: string, choices: readonly ReviewChoice[], log: Log): Promise<void> {
  const reports: UndoReport[] = [];
  try {
    for (const choice of choices) reports.push(await agent.reviews.undo(agentId, choice));
  } finally {
    // What was undone before one failed is told all the same.
    if (reports.length > 0) tell(agent, { kind: 'child', agentId }, joinReports(reports), log);
  }
}

/** One message for all; none has to be answered. */
function tell(agent: LiteAgent, scope: ChangeScope, report: UndoReport, log: Log): void {
  const text = undoResult(report, vscode.l10n);
  if (report.conflicts.length > 0) {
    const show = vscode.l10n.t('Show');
    const paths = report.conflicts.map(({ path }) => path);
    void vscode.window.showWarningMessage(text, show)
      .then((answer) => (answer === show ? openChanges(agent, scope, log, paths) : undefined))
      .then(undefined, (error: unknown) => {
        log.error(`undo: ${errorText(error)}`);
        void vscode.window.showErrorMessage(errorText(error));
      });
  } else if (report.unsaved.length > 0) {
    void vscode.window.showInformationMessage(text);
  } else {
    vscode.window.setStatusBarMessage(text, DONE_MS);
  }
}
