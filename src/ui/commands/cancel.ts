import * as vscode from 'vscode';
import { showInfo } from '../../host/messages.ts';
import { COMMANDS } from '../../ids.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import { allSettled } from '../failures.ts';
import { isUnfinished, unfinishedRuns } from '../rounds.ts';
import type { Command, CommandContext, PanelCommandId } from './command.ts';
import { groupsOf } from './targets.ts';

type Ids = typeof COMMANDS.cancelChild | typeof COMMANDS.cancelGroup | typeof COMMANDS.cancelAll;

/** Commands that stop work. Each waits until what it cancelled has really stopped. */
export function cancelCommands(context: CommandContext): Record<Extract<PanelCommandId, Ids>, Command> {
  return {
    [COMMANDS.cancelChild]: async (targets) => {
      const agent = await context.access.agent();
      await allSettled(targets.flatMap(({ agentId }) => (agentId === undefined ? [] : [agent.cancelChild(agentId)])));
    },
    [COMMANDS.cancelGroup]: async (targets) => {
      const agent = await context.access.agent();
      const ids = new Set(groupsOf(targets).flatMap((groupId) => runsOf(agent, groupId)));
      await allSettled([...ids].map((groupId) => agent.cancelGroup(groupId)));
    },
    [COMMANDS.cancelAll]: async () => {
      // Nothing runs where no agent was built, so none is built for this.
      const agent = context.access.current;
      const isBusy = agent?.groups().some(isUnfinished) === true;
      if (agent === undefined || !isBusy) void showInfo(vscode.l10n.t('No subagent is running.'));
      else await agent.cancelAll();
    },
  };
}

/** A group's row shows later rounds of its children, too: cancelling it ends those as well. */
function runsOf(agent: LiteAgent, groupId: string): readonly string[] {
  const group = agent.group(groupId);
  return [groupId, ...(group === undefined ? [] : unfinishedRuns(group))];
}
