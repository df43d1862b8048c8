import * as vscode from 'vscode';
import { COMMANDS } from '../../ids.ts';

const KIND = vscode.CodeActionKind.QuickFix;

/** Offers **Fix with Subagent** on every problem in a file of the workspace, where a group can start. */
export function registerFixAction(canDelegate: () => boolean): vscode.Disposable {
  return vscode.languages.registerCodeActionsProvider(
    { scheme: 'file' },
    {
      provideCodeActions({ uri }, _range, { diagnostics }) {
        const [first] = diagnostics;
        if (first === undefined || vscode.workspace.getWorkspaceFolder(uri) === undefined || !canDelegate()) return [];
        const action = new vscode.CodeAction(vscode.l10n.t('Fix with Subagent'), KIND);
        action.diagnostics = [...diagnostics];
        const range = diagnostics.reduce((all, diagnostic) => all.union(diagnostic.range), first.range);
        action.command = { command: COMMANDS.fixProblem, title: action.title, arguments: [uri, range] };
        return [action];
      },
    },
    { providedCodeActionKinds: [KIND] },
  );
}
