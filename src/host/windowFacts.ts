import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { AppError } from '../runtime/base/errors.ts';
import type { WorkspaceTrust } from './trust.ts';

/** The facts about a window that decide what its agent may do. */
export interface WindowFacts {
  /** Absolute path of the folder to work in. */
  readonly cwd: string;
  /** Absolute paths of all workspace folders. */
  readonly roots: readonly string[];
  readonly isTrusted: boolean;
  readonly isVirtual: boolean;
  readonly storageDir: string;
  /** The extension's own folder. */
  readonly extensionDir: string;
  /** The user's home folder. */
  readonly homeDir: string;
}

/** The facts as they are now. Throws `unavailable` where no folder is open. */
export function windowFacts(context: Pick<vscode.ExtensionContext, 'storageUri' | 'globalStorageUri' | 'extensionUri'>, trust: WorkspaceTrust): WindowFacts {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const first = folders[0];
  if (first === undefined) throw new AppError('unavailable', vscode.l10n.t('Open a folder first: subagents work in a folder.'));
  const local = folders.filter((folder) => folder.uri.scheme === 'file');
  return {
    cwd: first.uri.fsPath,
    roots: (local.length > 0 ? local : [first]).map((folder) => folder.uri.fsPath),
    isTrusted: trust.isTrusted(),
    isVirtual: local.length === 0,
    storageDir: (context.storageUri ?? context.globalStorageUri).fsPath,
    extensionDir: context.extensionUri.fsPath,
    homeDir: homedir(),
  };
}
