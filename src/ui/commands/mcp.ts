import * as vscode from 'vscode';
import { showInfo } from '../../host/messages.ts';
import { COMMANDS } from '../../ids.ts';
import { showServers } from '../mcp/serverPicker.ts';
import type { Command, CommandContext, PanelCommandId } from './command.ts';

type Ids = typeof COMMANDS.showMcpServers | typeof COMMANDS.forgetMcpInputs;

/** Commands about MCP servers. */
export function mcpCommands(context: CommandContext): Record<Extract<PanelCommandId, Ids>, Command> {
  return {
    [COMMANDS.showMcpServers]: async () => showServers(context, await context.access.agent()),
    [COMMANDS.forgetMcpInputs]: async () => {
      await context.mcp.forgetInputs();
      void showInfo(vscode.l10n.t('What MCP servers asked for here is forgotten. It is asked for again when they start next.'));
    },
  };
}
