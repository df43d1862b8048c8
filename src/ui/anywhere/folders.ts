import * as vscode from 'vscode';

/** A folder of the workspace in which a group can work. */
export interface WorkFolder {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
}

/** The folders of the window: those on this disk, or the first of a virtual workspace. */
export function workFolders(): readonly WorkFolder[] {
  const all = vscode.workspace.workspaceFolders ?? [];
  const local = all.filter(({ uri }) => uri.scheme === 'file');
  return (local.length > 0 ? local : all.slice(0, 1)).map(({ name, uri }) => ({ name, path: uri.fsPath }));
}

/** The folder to work in: that of the file where there is one, the only one, or the one that the person picks; nothing where they leave. */
export async function pickFolder(file?: vscode.Uri): Promise<WorkFolder | undefined> {
  const folders = workFolders();
  const own = file && vscode.workspace.getWorkspaceFolder(file);
  const found = folders.find(({ path }) => path === own?.uri.fsPath) ?? (folders.length === 1 ? folders[0] : undefined);
  if (found !== undefined) return found;
  const picked = await vscode.window.showWorkspaceFolderPick({ placeHolder: vscode.l10n.t('The folder to work in'), ignoreFocusOut: true });
  return picked && folders.find(({ path }) => path === picked.uri.fsPath);
}
