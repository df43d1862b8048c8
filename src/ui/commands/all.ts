import type { Disposable } from '../../runtime/base/lifecycle.ts';
import { agentCommands } from './agents.ts';
import { approvalCommands } from './approve.ts';
import { cancelCommands } from './cancel.ts';
import { changeCommands } from './changes.ts';
import { registerCommands, type Command, type CommandContext, type PanelCommandId } from './command.ts';
import { mcpCommands } from './mcp.ts';
import { panelCommands } from './panel.ts';
import { promptCommands } from './prompts.ts';
import { resumeCommands } from './resume.ts';
import { reviewCommands } from './review.ts';
import { steerCommands } from './steer.ts';
import { worktreeCommands } from './worktree.ts';

/** Registers every command of the panel; leaving one out is a type error. */
export function registerPanelCommands(context: CommandContext): Disposable {
  const commands: Record<PanelCommandId, Command> = { ...panelCommands(context), ...cancelCommands(context), ...approvalCommands(context), ...reviewCommands(context), ...changeCommands(context), ...worktreeCommands(context), ...resumeCommands(context), ...steerCommands(context), ...mcpCommands(context), ...promptCommands(context), ...agentCommands(context) };
  return registerCommands(context, commands);
}
