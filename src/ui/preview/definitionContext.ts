import * as vscode from 'vscode';
import { CONTEXT_KEYS } from '../../ids.ts';
import { DisposableStore, type Disposable } from '../../runtime/base/lifecycle.ts';
import { editedFile } from '../authoring/definitionFiles.ts';
import type { UiContext } from '../context.ts';

/** Tells menus which of the files in sight are definitions: where these are is up to the settings. */
export function registerDefinitionContext({ authoring, log }: UiContext): Disposable {
  const store = new DisposableStore();
  let told = '';
  const tell = (): void => {
    const files = [...new Set(vscode.window.visibleTextEditors.flatMap(({ document }) => editedFile(document, authoring.folders)?.path ?? []))];
    const text = JSON.stringify(files);
    if (text === told) return;
    told = text;
    vscode.commands.executeCommand('setContext', CONTEXT_KEYS.definitionFiles, files).then(undefined, (error: unknown) => log.warn(`definition files: ${String(error)}`));
  };
  store.add(vscode.window.onDidChangeVisibleTextEditors(tell));
  store.add(authoring.onDidChange(tell));
  tell();
  return store;
}
