import { COMMANDS } from '../../ids.ts';
import { removeWorktree } from '../review/removeWorktree.ts';
import type { Command, CommandContext, PanelCommandId } from './command.ts';
import { firstWith } from './targets.ts';

/** Commands about worktrees of subagents. */
export function worktreeCommands(context: CommandContext): Record<Extract<PanelCommandId, typeof COMMANDS.removeWorktree>, Command> {
  return {
    [COMMANDS.removeWorktree]: async (targets) => {
      const agentId = firstWith(targets, 'agentId');
      if (agentId !== undefined) await removeWorktree(await context.access.agent(), agentId);
    },
  };
}
