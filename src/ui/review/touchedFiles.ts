import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../runtime/base/lifecycle.ts';

/** Tells of every file of the workspace that somebody changed, and of what a person types in any file, by its path. A single change may be told more than once. */
export function onFileTouched(listener: (path: string) => void): Disposable {
  const store = new DisposableStore();
  const tell = (uri: vscode.Uri): void => {
    if (uri.scheme === 'file') listener(uri.fsPath);
  };
  // VS Code watches the workspace in any case.
  const watcher = store.add(vscode.workspace.createFileSystemWatcher('**/*'));
  for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) store.add(event(tell));
  store.add(vscode.workspace.onDidChangeTextDocument(({ document }) => tell(document.uri)));
  return store;
}
