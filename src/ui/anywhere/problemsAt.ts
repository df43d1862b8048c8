import * as vscode from 'vscode';
import type { Problem } from './problemTask.ts';
import type { Selection } from './selectionTask.ts';

/** Lines before and after a problem that its task quotes. */
const AROUND = 10;

const SEVERITIES: Readonly<Record<vscode.DiagnosticSeverity, Problem['severity']>> = {
  [vscode.DiagnosticSeverity.Error]: 'error',
  [vscode.DiagnosticSeverity.Warning]: 'warning',
  [vscode.DiagnosticSeverity.Information]: 'information',
  [vscode.DiagnosticSeverity.Hint]: 'hint',
};

/** The problems that VS Code shows in that place of a document, with the lines around them; nothing where there are none. */
export function problemsAt(document: vscode.TextDocument, range: vscode.Range): { readonly problems: readonly Problem[]; readonly around: Selection } | undefined {
  const found = vscode.languages.getDiagnostics(document.uri).filter((diagnostic) => diagnostic.range.intersection(range) !== undefined);
  const [first] = found;
  if (first === undefined) return undefined;
  const whole = found.reduce((all, diagnostic) => all.union(diagnostic.range), first.range);
  return { problems: found.map(problemOf), around: linesOf(document, whole.start.line - AROUND, whole.end.line + AROUND) };
}

/** Lines of a document, from 0, as far as there are such. */
export function linesOf(document: vscode.TextDocument, from: number, to: number): Selection {
  const range = document.validateRange(new vscode.Range(Math.max(0, from), 0, to, Number.MAX_SAFE_INTEGER));
  return selectionOf(document, range);
}

/** A range of a document. One of whole lines ends before the first character of the next one. */
export function selectionOf(document: vscode.TextDocument, range: vscode.Range): Selection {
  const { start, end } = range;
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  return { path: pathOf(document.uri), from: start.line + 1, to: last + 1, text: document.getText(range), language: document.languageId };
}

function pathOf(uri: vscode.Uri): string {
  return vscode.workspace.getWorkspaceFolder(uri) ? vscode.workspace.asRelativePath(uri, false) : uri.scheme === 'file' ? uri.fsPath : uri.toString();
}

function problemOf({ range, severity, message, source = '', code }: vscode.Diagnostic): Problem {
  const number = typeof code === 'object' ? code.value : code;
  return { line: range.start.line + 1, column: range.start.character + 1, severity: SEVERITIES[severity], message, origin: [source, number ?? ''].join(' ').trim() };
}
