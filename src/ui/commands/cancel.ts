import * as vscode from 'vscode';
import { COMMANDS } from '../../ids.ts';
import type { Command, CommandContext, PanelCommandId } from './command.ts';

type Ids = typeof COMMANDS.cancelChild | typeof COMMANDS.cancelGroup | typeof COMMANDS.cancelAll;

/** Commands that stop work. Each waits until what it cancelled has really stopped. */
export function cancelCommands(context: CommandContext): Record<Extract<PanelCommandId, Ids>, Command> {
  return {
    [COMMANDS.cancelChild]: async (targets) => {
      const agent = await context.access.agent();
      await Promise.all(targets.map(async ({ agentId }) => (agentId === undefined ? undefined : agent.cancelChild(agentId))));
    },
    [COMMANDS.cancelGroup]: async (targets) => {
      const agent = await context.access.agent();
      await Promise.all(targets.map(async ({ groupId }) => (groupId === undefined ? undefined : agent.cancelGroup(groupId))));
    },
    [COMMANDS.cancelAll]: async () => {
      // Nothing runs where no agent was built, so none is built for this.
      const agent = context.access.current;
      const isBusy = agent?.groups().some((group) => group.status === 'running' || group.status === 'interrupted') === true;
      if (agent === undefined || !isBusy) void vscode.window.showInformationMessage(vscode.l10n.t('No subagent is running.'));
      else await agent.cancelAll();
    },
  };
}
