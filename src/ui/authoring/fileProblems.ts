import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../runtime/base/lifecycle.ts';
import type { DefinitionDiagnostic, DiagnosticSeverity } from '../../runtime/domain/definitions.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import { onAgent, type UiContext } from '../context.ts';

const SEVERITIES: Readonly<Record<DiagnosticSeverity, vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
};

/** Shows what is wrong with definition files in the Problems view, as of each load. */
export function registerDefinitionProblems(context: UiContext): Disposable {
  return registerProblemsOf(context, 'subagents', { type: 'definitions.reloaded', now: (agent) => agent.definitions.diagnostics() });
}

/** Shows what is wrong with skills in the Problems view, as of each look at their folders. */
export function registerSkillProblems(context: UiContext): Disposable {
  return registerProblemsOf(context, 'subagents-skills', { type: 'skills.reloaded', now: (agent) => agent.skills.diagnostics() });
}

interface ProblemSource {
  /** Tells of other problems than before. */
  readonly type: 'definitions.reloaded' | 'skills.reloaded';
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

function toDiagnostic({ severity, code, message, line, column }: DefinitionDiagnostic): vscode.Diagnostic {
  const start = new vscode.Position(line - 1, column - 1);
  const diagnostic = new vscode.Diagnostic(new vscode.Range(start, start.translate(0, 1)), message, SEVERITIES[severity]);
  diagnostic.source = 'Subagent Panel';
  diagnostic.code = code;
  return diagnostic;
}
