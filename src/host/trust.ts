import * as vscode from 'vscode';

/** Whether the user trusts the workspace. Trust can be granted while the window is open; taking it away reloads the window. */
export interface WorkspaceTrust {
  readonly isTrusted: () => boolean;
  readonly onDidGrant: vscode.Event<void>;
}

export const windowTrust: WorkspaceTrust = {
  isTrusted: () => vscode.workspace.isTrusted,
  onDidGrant: vscode.workspace.onDidGrantWorkspaceTrust,
};
