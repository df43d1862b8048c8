import * as vscode from 'vscode';
import type { DefinitionDiagnostic } from '../../runtime/domain/definitions.ts';

/** What a problem marks; one character where only its start is known. */
export function rangeOfProblem({ line, column, endLine, endColumn }: DefinitionDiagnostic): vscode.Range {
  const start = new vscode.Position(line - 1, column - 1);
  return new vscode.Range(start, endLine === undefined || endColumn === undefined ? start.translate(0, 1) : new vscode.Position(endLine - 1, endColumn - 1));
}
