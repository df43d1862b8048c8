import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../runtime/base/lifecycle.ts';
import type { DefinitionDiagnostic, DiagnosticSeverity } from '../../runtime/domain/definitions.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import { onAgent, type UiContext } from '../context.ts';
import { withOpen } from './acrossFiles.ts';
import { OpenProblems } from './openProblems.ts';
import { rangeOfProblem } from './problemRange.ts';

const SEVERITIES: Readonly<Record<DiagnosticSeverity, vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
};

/** Shows what is wrong with definition files in the Problems view: of those that are open as they are typed, of others as of each load. */
export function registerDefinitionProblems(context: UiContext): Disposable {
  const store = new DisposableStore();
  const problems = store.add(vscode.languages.createDiagnosticCollection('subagents'));
  let loaded: readonly DefinitionDiagnostic[] = [];
  const update = (): void => show(problems, withOpen(loaded, open.found));
  const open = store.add(new OpenProblems(context, () => update()));
  const take = (diagnostics: readonly DefinitionDiagnostic[]): void => {
    // As documents have their paths.
    loaded = diagnostics.map((problem) => ({ ...problem, path: vscode.Uri.file(problem.path).fsPath }));
    update();
  };
  store.add(
    onAgent(context.access, (agent) => {
      take(agent.definitions.diagnostics());
      return agent.subscribe((event) => {
        if (event.type === 'definitions.reloaded') take(event.diagnostics);
        if (event.type === 'definitions.reloaded' || event.type === 'skills.reloaded') open.lookAgain();
      });
    }),
  );
  return store;
}

/** Shows what is wrong with skills in the Problems view, as of each look at their folders. */
export function registerSkillProblems(context: UiContext): Disposable {
  return registerProblemsOf(context, 'subagents-skills', { type: 'skills.reloaded', now: (agent) => agent.skills.diagnostics() });
}

interface ProblemSource {
  /** Tells of other problems than before. */
  readonly type: 'skills.reloaded';
  readonly now: (agent: LiteAgent) => readonly DefinitionDiagnostic[];
}

function registerProblemsOf(context: UiContext, collection: string, source: ProblemSource): Disposable {
  const store = new DisposableStore();
  const problems = store.add(vscode.languages.createDiagnosticCollection(collection));
  store.add(
    onAgent(context.access, (agent) => {
      show(problems, source.now(agent));
      return agent.subscribe((event) => {
        if (event.type === source.type) show(problems, event.diagnostics);
      });
    }),
  );
  return store;
}

function show(problems: vscode.DiagnosticCollection, diagnostics: readonly DefinitionDiagnostic[]): void {
  const byPath = Map.groupBy(diagnostics, ({ path }) => path);
  problems.clear();
  for (const [path, ofFile] of byPath) problems.set(vscode.Uri.file(path), ofFile.map(toDiagnostic));
}

function toDiagnostic(problem: DefinitionDiagnostic): vscode.Diagnostic {
  const { severity, code, message } = problem;
  const diagnostic = new vscode.Diagnostic(rangeOfProblem(problem), message, SEVERITIES[severity]);
  diagnostic.source = 'Subagent Panel';
  diagnostic.code = code;
  return diagnostic;
}
