import * as vscode from 'vscode';
import { COMMANDS } from '../../ids.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import { letGoOn } from '../resume/letGoOn.ts';
import { scopeName } from '../review/diff/scopes.ts';
import { offerModel } from '../resume/offerModel.ts';
import { pickInterrupted } from '../resume/resumePicker.ts';
import { interruptedOf, resumable, type Resumption } from '../resume/resumptions.ts';
import type { Command, CommandContext, PanelCommandId } from './command.ts';

type Ids = typeof COMMANDS.resume | typeof COMMANDS.resumeWith | typeof COMMANDS.retry | typeof COMMANDS.resumeInterrupted;

/** Commands that let work go on which was interrupted or has ended. */
export function resumeCommands(context: CommandContext): Record<Extract<PanelCommandId, Ids>, Command> {
  const goOn = (agent: LiteAgent, resumptions: readonly Resumption[]): Promise<void> => letGoOn(agent, resumptions, (message) => offerModel(context, message));
  return {
    [COMMANDS.resume]: async (targets) => {
      const agent = await context.access.agent();
      await goOn(agent, interruptedOf(agent, targets));
    },
    [COMMANDS.resumeWith]: async (targets) => {
      const agent = await context.access.agent();
      const children = resumable(agent, targets, ['interrupted', 'completed', 'failed', 'cancelled']);
      const prompt = children.length === 0 ? undefined : await askForPrompt(agent, children.map(({ agentId }) => agentId));
      if (prompt !== undefined) await goOn(agent, children.map((child) => ({ ...child, ...(prompt === '' ? {} : { prompt }) })));
    },
    [COMMANDS.retry]: async (targets) => {
      const agent = await context.access.agent();
      await goOn(agent, resumable(agent, targets, ['failed', 'cancelled']));
    },
    [COMMANDS.resumeInterrupted]: async () => {
      const agent = await context.access.agent();
      await goOn(agent, await pickInterrupted(agent));
    },
  };
}

/** Nothing for an unknown child. */
function nameOf(agent: LiteAgent, agentId: string): string | undefined {
  return scopeName(agent, { kind: 'child', agentId }, vscode.l10n) || undefined;
}

/** What the children are to do next, trimmed; empty where they just go on; nothing where the person leaves. */
async function askForPrompt(agent: LiteAgent, agentIds: readonly string[]): Promise<string | undefined> {
  const [first] = agentIds;
  const name = agentIds.length === 1 && first !== undefined ? nameOf(agent, first) : undefined;
  const prompt = await vscode.window.showInputBox({
    title: name === undefined ? vscode.l10n.t('Resume {0} subagents', agentIds.length) : vscode.l10n.t('Resume “{0}”', name),
    placeHolder: vscode.l10n.t('What it should do next'),
    prompt: vscode.l10n.t('It keeps everything it has read and done. Leave this empty to let it finish what it began.'),
    ignoreFocusOut: true,
  });
  return prompt?.trim();
}
