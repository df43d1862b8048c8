import * as vscode from 'vscode';
import type { FilePlace } from '../../host/mcp/mcpFile.ts';
import type { ServerOrigin } from '../../host/mcp/configuredServers.ts';
import { SETTINGS, SETTINGS_SECTION } from '../../ids.ts';

/** Opens what a server is configured in: its place in a file, else the setting. */
export async function openConfiguration(origin: ServerOrigin | undefined): Promise<void> {
  switch (origin?.kind) {
    case 'file':
      await vscode.window.showTextDocument(vscode.Uri.file(origin.path), { selection: rangeOf(origin.at) });
      return;
    case 'settings':
    case undefined:
      await vscode.commands.executeCommand('workbench.action.openSettings', `${SETTINGS_SECTION}.${SETTINGS.mcpServers}`);
  }
}

export function rangeOf({ line, column, endLine, endColumn }: FilePlace): vscode.Range {
  return new vscode.Range(line - 1, column - 1, endLine - 1, endColumn - 1);
}
