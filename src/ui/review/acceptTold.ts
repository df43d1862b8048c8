import * as vscode from 'vscode';
import { showError, showInfo, showWarning } from '../../host/messages.ts';
import { errorText } from '../../runtime/base/errors.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import type { Log } from '../../runtime/domain/ports.ts';
import type { AcceptReport } from '../../runtime/domain/reviews.ts';
import { acceptResult } from './acceptText.ts';
import { openConflicts } from './diff/openConflicts.ts';

/** What came of accepting something of one child. */
export interface ChildAccepted {
  readonly agentId: string;
  readonly report: AcceptReport;
}

/** Tells in one message what accepting left as it is, with the way to it. Nothing is said where all went as one would expect it: the rows show it. */
export function tellAccepted(agent: LiteAgent, done: readonly ChildAccepted[], log: Log): void {
  const all = <T>(of: (report: AcceptReport) => readonly T[]): readonly T[] => done.flatMap(({ report }) => of(report));
  const report: AcceptReport = { accepted: all(({ accepted }) => accepted), conflicts: all(({ conflicts }) => conflicts), unsaved: all(({ unsaved }) => unsaved) };
  if (report.conflicts.length === 0) {
    if (report.unsaved.length > 0) void showInfo(acceptResult(report, vscode.l10n));
    return;
  }
  const show = vscode.l10n.t('Show Conflicts');
  const showAll = async (): Promise<void> => {
    for (const { agentId, report: { conflicts } } of done) await openConflicts(agent, agentId, [...new Set(conflicts.map(({ path }) => path))]);
  };
  void showWarning(acceptResult(report, vscode.l10n), show)
    .then((answer) => (answer === show ? showAll() : undefined))
    .then(undefined, (error: unknown) => {
      log.error(`accept: ${errorText(error)}`);
      void showError(errorText(error));
    });
}
