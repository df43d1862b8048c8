import * as vscode from 'vscode';
import { showError, showInfo, showWarning } from '../../host/messages.ts';
import { errorText } from '../../runtime/base/errors.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import type { Log } from '../../runtime/domain/ports.ts';
import type { AcceptReport, ReviewChoice } from '../../runtime/domain/reviews.ts';
import { eachInTurn } from '../failures.ts';
import { acceptResult } from './acceptText.ts';
import { openChanges } from './diff/openChanges.ts';

/** Accepts parts of what children changed. What was left as it is, since it is in conflict, is told with the way to it. */
export async function acceptParts(agent: LiteAgent, parts: readonly { readonly agentId: string; readonly choice: ReviewChoice }[], log: Log): Promise<void> {
  const done: { readonly agentId: string; readonly report: AcceptReport }[] = [];
  try {
    await eachInTurn(parts, async ({ agentId, choice }) => done.push({ agentId, report: await agent.reviews.accept(agentId, choice) }));
  } finally {
    tell(agent, done, log);
  }
}

/** Nothing is said where all went as one would expect it: the rows show it. */
function tell(agent: LiteAgent, done: readonly { readonly agentId: string; readonly report: AcceptReport }[], log: Log): void {
  const all = <T>(of: (report: AcceptReport) => readonly T[]): readonly T[] => done.flatMap(({ report }) => of(report));
  const report: AcceptReport = { accepted: all(({ accepted }) => accepted), conflicts: all(({ conflicts }) => conflicts), unsaved: all(({ unsaved }) => unsaved) };
  if (report.conflicts.length === 0) {
    if (report.unsaved.length > 0) void showInfo(acceptResult(report, vscode.l10n));
    return;
  }
  const show = vscode.l10n.t('Show');
  const showAll = async (): Promise<void> => {
    for (const { agentId, report: { conflicts } } of done) if (conflicts.length > 0) await openChanges(agent, { kind: 'child', agentId }, log, conflicts.map(({ path }) => path));
  };
  void showWarning(acceptResult(report, vscode.l10n), show)
    .then((answer) => (answer === show ? showAll() : undefined))
    .then(undefined, (error: unknown) => {
      log.error(`accept: ${errorText(error)}`);
      void showError(errorText(error));
    });
}
