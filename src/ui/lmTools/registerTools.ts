import * as vscode from 'vscode';
import { LM_TOOLS } from '../../ids.ts';
import type { AnywhereContext } from '../anywhere/context.ts';
import { DelegateTool } from './delegateTool.ts';
import { StatusTool } from './statusTool.ts';

/** Registers what other chat agents can call. */
export function registerTools(context: AnywhereContext): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.lm.registerTool(LM_TOOLS.delegate, new DelegateTool(context)),
    vscode.lm.registerTool(LM_TOOLS.status, new StatusTool(context)),
  );
}
