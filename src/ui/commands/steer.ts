import * as vscode from 'vscode';
import { showInfo } from '../../host/messages.ts';
import { COMMANDS } from '../../ids.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import { MAX_MESSAGE } from '../../runtime/steering.ts';
import { allSettled } from '../failures.ts';
import { offerModel } from '../resume/offerModel.ts';
import { offerResume } from '../steering/offerResume.ts';
import { redirect } from '../steering/redirect.ts';
import { sendMessage } from '../steering/sendMessage.ts';
import { nameOf, steered } from '../steering/steerable.ts';
import type { Command, CommandContext, PanelCommandId } from './command.ts';

type Ids = typeof COMMANDS.sendMessage | typeof COMMANDS.retryTurn | typeof COMMANDS.redirect;

/** Commands on children at work. From the palette they ask which one is meant. */
export function steerCommands(context: CommandContext): Record<Extract<PanelCommandId, Ids>, Command> {
  const offer = (message: string): Promise<string | undefined> => offerModel(context, message);
  return {
    [COMMANDS.sendMessage]: async (targets) => {
      const agent = await context.access.agent();
      const agentIds = await steered(agent, targets, ['running', 'queued'], vscode.l10n.t('Which subagent is the message for?'));
      const text = await askForWords(agent, agentIds, {
        one: (name) => vscode.l10n.t('Message to “{0}”', name),
        several: (count) => vscode.l10n.t('Message to {0} subagents', count),
        prompt: vscode.l10n.t('It goes on working, and reads this before its next step.'),
      });
      if (text !== undefined) await sendMessage(agent, agentIds, text, { resume: (late) => offerResume(agent, late), model: offer });
    },
    [COMMANDS.retryTurn]: async (targets) => {
      const agent = await context.access.agent();
      const agentIds = await steered(agent, targets, ['running'], vscode.l10n.t('Which subagent is stuck?'));
      await allSettled(agentIds.map((agentId) => agent.retryTurn(agentId)));
      const [first] = agentIds;
      if (first === undefined) return;
      void showInfo(agentIds.length === 1 ? vscode.l10n.t('“{0}” stops what it is at and asks its model again.', nameOf(agent, first)) : vscode.l10n.t('{0} subagents stop what they are at and ask their models again.', agentIds.length));
    },
    [COMMANDS.redirect]: async (targets) => {
      const agent = await context.access.agent();
      const agentIds = await steered(agent, targets, ['running'], vscode.l10n.t('Which subagent is to do something else?'));
      const text = await askForWords(agent, agentIds, {
        one: (name) => vscode.l10n.t('Stop and redirect “{0}”', name),
        several: (count) => vscode.l10n.t('Stop and redirect {0} subagents', count),
        prompt: vscode.l10n.t('It is stopped, keeps everything it has read and done, and goes on with this.'),
      });
      if (text !== undefined) await redirect(agent, agentIds, text, offer);
    },
  };
}

interface Question {
  readonly one: (name: string) => string;
  readonly several: (count: number) => string;
  readonly prompt: string;
}

/** Trimmed and not empty; nothing where nobody is meant, or the person leaves. */
async function askForWords(agent: LiteAgent, agentIds: readonly string[], { one, several, prompt }: Question): Promise<string | undefined> {
  const [first] = agentIds;
  if (first === undefined) return undefined;
  const words = await vscode.window.showInputBox({
    title: agentIds.length === 1 ? one(nameOf(agent, first)) : several(agentIds.length),
    placeHolder: vscode.l10n.t('What it should do'),
    prompt,
    ignoreFocusOut: true,
    validateInput: (text) => (text.length > MAX_MESSAGE ? vscode.l10n.t('This is too long. Put it into a file, and name the file here.') : undefined),
  });
  return words?.trim() || undefined;
}
