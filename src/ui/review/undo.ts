import * as vscode from 'vscode';
import { confirm, showBriefly, showError, showInfo, showWarning } from '../../host/messages.ts';
import { errorText } from '../../runtime/base/errors.ts';
import type { ChildView } from '../../runtime/domain/agents.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import type { Log } from '../../runtime/domain/ports.ts';
import type { ReviewChoice, UndoReport } from '../../runtime/domain/reviews.ts';
import { rowChildren } from '../children.ts';
import { eachInTurn } from '../failures.ts';
import { hasGoneOn } from './acceptEach.ts';
import type { ChangeScope } from './diff/changeUris.ts';
import { openChanges } from './diff/openChanges.ts';
import { changesOf, scopeName } from './diff/scopes.ts';
import { isOpen } from './fileFacts.ts';
import { joinReports, undoQuestion, undoResult } from './undoText.ts';

const DONE_MS = 5000;

/** What is left to undo of one's changes. */
interface Left {
  readonly scope: ChangeScope;
  readonly paths: readonly string[];
}

/** Asks once, then takes back all that is left of what children, or the children of groups, changed. */
export async function undoAll(agent: LiteAgent, scopes: readonly ChangeScope[], log: Log): Promise<void> {
  const all = await Promise.all(scopes.map(async (scope): Promise<Left> => ({ scope, paths: (await changesOf(agent, scope)).filter(isOpen).map(({ path }) => path) })));
  const left = all.filter(({ paths }) => paths.length > 0);
  if (left.length === 0) {
    void showInfo(vscode.l10n.t('Nothing is left to undo.'));
    return;
  }
  const names = left.map(({ scope }) => scopeName(agent, scope, vscode.l10n));
  const { text, detail } = undoQuestion(names, [...new Set(left.flatMap(({ paths }) => paths))], vscode.l10n);
  const undo = vscode.l10n.t('Undo Changes');
  const shown = childrenIn(agent, left.map(({ scope }) => scope));
  if (!(await confirm(text, detail, undo))) return;
  if (shown.some((child) => hasGoneOn(child, agent))) {
    void showWarning(vscode.l10n.t('Somebody went on while you were asked, so nothing was undone. Look at the changes again.'));
    return;
  }
  await undoEach(agent, left.map(({ scope }) => ({ scope, run: () => (scope.kind === 'child' ? agent.reviews.undo(scope.agentId) : agent.reviews.undoGroup(scope.groupId)) })), log);
}

function childrenIn(agent: LiteAgent, scopes: readonly ChangeScope[]): readonly ChildView[] {
  return scopes.flatMap((scope) => (scope.kind === 'child' ? (agent.child(scope.agentId) ?? []) : rowChildren(agent.group(scope.groupId) ?? { groupId: scope.groupId, children: [] })));
}

/** Takes back parts of what children changed, without asking: they were named one by one. */
export function undoParts(agent: LiteAgent, parts: readonly { readonly agentId: string; readonly choice: ReviewChoice }[], log: Log): Promise<void> {
  return undoEach(agent, parts.map(({ agentId, choice }) => ({ scope: { kind: 'child', agentId }, run: () => agent.reviews.undo(agentId, choice) })), log);
}

interface Undo {
  readonly scope: ChangeScope;
  readonly run: () => Promise<UndoReport>;
}

async function undoEach(agent: LiteAgent, undos: readonly Undo[], log: Log): Promise<void> {
  const done: { readonly scope: ChangeScope; readonly report: UndoReport }[] = [];
  try {
    await eachInTurn(undos, async ({ scope, run }) => done.push({ scope, report: await run() }));
  } finally {
    // What was undone is told, whatever failed beside it.
    if (done.length > 0) tell(joinReports(done.map(({ report }) => report)), () => showConflicts(agent, done, log), log);
  }
}

/** One message for all; none has to be answered. */
function tell(report: UndoReport, showAll: () => Promise<void>, log: Log): void {
  const text = undoResult(report, vscode.l10n);
  if (report.conflicts.length > 0) {
    const show = vscode.l10n.t('Show');
    void showWarning(text, show)
      .then((answer) => (answer === show ? showAll() : undefined))
      .then(undefined, (error: unknown) => {
        log.error(`undo: ${errorText(error)}`);
        void showError(errorText(error));
      });
  } else if (report.unsaved.length > 0) {
    void showInfo(text);
  } else {
    showBriefly(text, DONE_MS);
  }
}

async function showConflicts(agent: LiteAgent, done: readonly { readonly scope: ChangeScope; readonly report: UndoReport }[], log: Log): Promise<void> {
  const paths = new Map<ChangeScope, readonly string[]>();
  for (const { scope, report } of done) if (report.conflicts.length > 0) paths.set(scope, report.conflicts.map(({ path }) => path));
  for (const [scope, some] of paths) await openChanges(agent, scope, log, some);
}
