import * as vscode from 'vscode';
import { DELEGATING_COMMANDS } from '../../ids.ts';
import { isAbort } from '../../runtime/base/abort.ts';
import { DisposableStore, type Disposable } from '../../runtime/base/lifecycle.ts';
import { report } from '../commands/command.ts';
import type { AnywhereContext } from './context.ts';

/** Registers the commands that delegate without the chat, which are loaded when one is used. What it throws is logged and shown. */
export function registerAnywhere(context: AnywhereContext): Disposable {
  const store = new DisposableStore();
  for (const id of DELEGATING_COMMANDS) {
    store.add(vscode.commands.registerCommand(id, async (...args: unknown[]) => {
      try {
        const { runCommand } = await import('./runCommand.ts');
        await runCommand(context, id, args);
      } catch (error) {
        if (!isAbort(error)) report(context, id, error);
      }
    }));
  }
  return store;
}
