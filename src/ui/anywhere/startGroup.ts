import * as vscode from 'vscode';
import { showInfo } from '../../host/messages.ts';
import { COMMANDS } from '../../ids.ts';
import { errorText } from '../../runtime/base/errors.ts';
import type { GroupSpec } from '../../runtime/domain/agents.ts';
import type { TaskInput } from '../../runtime/domain/liteAgent.ts';
import type { UiContext } from '../context.ts';

/** Key of whether the person was told where results appear. */
const TOLD = 'anywhere.told';

export type StartContext = Pick<UiContext, 'access' | 'extension' | 'log'>;

/** Starts a group in a conversation of its own, on whose results no model answers: they are in the panel. Without `cwd`: where the window's agent works. The first one ever says so. Rejects as `LiteSession.delegate`. */
export async function startGroup(context: StartContext, tasks: readonly TaskInput[], cwd?: string): Promise<GroupSpec> {
  const agent = await context.access.agent();
  const session = await agent.openSession({ answers: false, ...(cwd !== undefined && { cwd }) });
  const group = await session.delegate(tasks);
  void tellOnce(context, group.groupId).catch((error: unknown) => context.log.warn(`delegation: ${errorText(error)}`));
  return group;
}

async function tellOnce({ extension }: StartContext, groupId: string): Promise<void> {
  if (extension.globalState.get<boolean>(TOLD) === true) return;
  await extension.globalState.update(TOLD, true);
  const show = vscode.l10n.t('Show in Panel');
  const answer = await showInfo(vscode.l10n.t('Started. What subagents do, and what comes of it, is in the Groups view of the Subagents panel.'), show);
  if (answer === show) await vscode.commands.executeCommand(COMMANDS.showPanel, { groupId });
}
