import { COMMANDS } from '../../ids.ts';
import { showPrompts } from '../prompts/promptPicker.ts';
import type { Command, CommandContext, PanelCommandId } from './command.ts';

/** Commands about scheduled prompts. */
export function promptCommands(context: CommandContext): Record<Extract<PanelCommandId, typeof COMMANDS.showScheduledPrompts>, Command> {
  return { [COMMANDS.showScheduledPrompts]: async () => showPrompts(context, await context.access.agent()) };
}
