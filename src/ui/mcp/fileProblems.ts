import * as vscode from 'vscode';
import type { McpFileProblem } from '../../host/mcp/mcpFile.ts';
import { DisposableStore, type Disposable } from '../../runtime/base/lifecycle.ts';
import type { UiContext } from '../context.ts';
import { rangeOf } from './configuration.ts';
import { fileProblemWords } from './fileProblemWords.ts';

/** Shows what is wrong with files of servers in the Problems view, as they were last read. */
export function registerServerFileProblems({ mcp }: Pick<UiContext, 'mcp'>): Disposable {
  const store = new DisposableStore();
  const problems = store.add(vscode.languages.createDiagnosticCollection('subagents-mcp'));
  const show = (): void => {
    problems.clear();
    for (const file of mcp.files) problems.set(vscode.Uri.file(file.path), file.problems.map(toDiagnostic));
  };
  store.add(mcp.onDidChange(show));
  show();
  return store;
}

function toDiagnostic(problem: McpFileProblem): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(rangeOf(problem.at), fileProblemWords(problem, vscode.l10n), severityOf(problem));
  diagnostic.source = 'Subagent Panel';
  diagnostic.code = problem.kind;
  return diagnostic;
}

/** What VS Code itself can use is no error of the file. */
function severityOf({ kind }: McpFileProblem): vscode.DiagnosticSeverity {
  switch (kind) {
    case 'unknown_variable':
    case 'command_input':
    case 'no_servers':
      return vscode.DiagnosticSeverity.Warning;
    case 'unreadable':
    case 'syntax':
    case 'no_object':
    case 'bad_servers':
    case 'bad_inputs':
    case 'bad_input':
    case 'bad_server':
    case 'undeclared_input':
      return vscode.DiagnosticSeverity.Error;
  }
}
