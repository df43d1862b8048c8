import * as vscode from 'vscode';
import { LM_TOOLS } from '../../ids.ts';
import type { AnywhereContext } from '../anywhere/context.ts';

/** Registers what other chat agents can call. It is loaded with the first call. */
export function registerTools(context: AnywhereContext): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.lm.registerTool(LM_TOOLS.delegate, onCall(async () => new (await import('./delegateTool.ts')).DelegateTool(context))),
    vscode.lm.registerTool(LM_TOOLS.status, onCall(async () => new (await import('./statusTool.ts')).StatusTool(context))),
  );
}

/** A tool that is made when it is first looked at. */
function onCall<T>(create: () => Promise<Required<vscode.LanguageModelTool<T>>>): vscode.LanguageModelTool<T> {
  let made: Promise<Required<vscode.LanguageModelTool<T>>> | undefined;
  const tool = (): Promise<Required<vscode.LanguageModelTool<T>>> => (made ??= create());
  return {
    prepareInvocation: async (...call) => (await tool()).prepareInvocation(...call),
    invoke: async (...call) => (await tool()).invoke(...call),
  };
}
