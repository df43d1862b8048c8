import * as vscode from 'vscode';
import { errorText } from '../../runtime/base/errors.ts';
import type { Log } from '../../runtime/domain/ports.ts';

/** The editor of VS Code's built-in Markdown extension. */
const MARKDOWN_PREVIEW = 'vscode.markdown.preview.editor';

/** Opens a Markdown document rendered, or as text where that is switched off. */
export async function openRendered(uri: vscode.Uri, log: Log, viewColumn: vscode.ViewColumn = vscode.ViewColumn.Active): Promise<void> {
  try {
    // As an editor of its own: the ordinary preview would go over to the next Markdown file that is opened.
    await vscode.commands.executeCommand('vscode.openWith', uri, MARKDOWN_PREVIEW, { preview: true, viewColumn });
  } catch (error) {
    // The built-in Markdown extension can be switched off.
    log.warn(`no Markdown preview: ${errorText(error)}`);
    await vscode.window.showTextDocument(uri, { preview: true, viewColumn });
  }
}
