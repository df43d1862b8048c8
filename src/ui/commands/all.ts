import type { Disposable } from '../../runtime/base/lifecycle.ts';
import { approvalCommands } from './approve.ts';
import { cancelCommands } from './cancel.ts';
import { registerCommands, type CommandContext } from './command.ts';
import { panelCommands } from './panel.ts';
import { resumeCommands } from './resume.ts';
import { reviewCommands } from './review.ts';

/** Registers every command of the panel; leaving one out is a type error. */
export function registerPanelCommands(context: CommandContext): Disposable {
  return registerCommands(context, { ...panelCommands(context), ...cancelCommands(context), ...approvalCommands(context), ...reviewCommands(context), ...resumeCommands(context) });
}
