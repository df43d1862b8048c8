import * as vscode from 'vscode';
import { errorText } from '../runtime/base/errors.ts';
import { toDisposable, type Disposable } from '../runtime/base/lifecycle.ts';
import type { UiContext } from './context.ts';

/**
 * Builds the agent soon after start where this workspace has a history, so that badge and status bar show what waits
 * before anyone opens the panel. Elsewhere the agent waits for its first use.
 */
export function restoreHistory(context: UiContext): Disposable {
  const timer = setTimeout(() => {
    restore(context).catch((error: unknown) => context.log.warn(`the history is not shown: ${errorText(error)}`));
  }, 1000);
  return toDisposable(() => clearTimeout(timer));
}

async function restore(context: UiContext): Promise<void> {
  const storage = context.extension.storageUri;
  if (storage === undefined || !(await exists(storage))) return;
  await context.access.agent();
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}
