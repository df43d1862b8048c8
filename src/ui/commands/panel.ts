import * as vscode from 'vscode';
import { showInfo } from '../../host/messages.ts';
import { COMMANDS, PARTICIPANT } from '../../ids.ts';
import { reviewDefinitions } from '../authoring/definitionReview.ts';
import type { Command, CommandContext, PanelCommandId } from './command.ts';
import { firstWith } from './targets.ts';

type Ids = typeof COMMANDS.showPanel | typeof COMMANDS.showLog | typeof COMMANDS.reloadDefinitions | typeof COMMANDS.reviewDefinitions | typeof COMMANDS.startExample;

/** Commands about the panel itself. */
export function panelCommands(context: CommandContext): Record<Extract<PanelCommandId, Ids>, Command> {
  return {
    [COMMANDS.showPanel]: (targets) => context.view.show(firstWith(targets, 'groupId')),
    [COMMANDS.showLog]: async () => context.showLog(),
    [COMMANDS.reloadDefinitions]: async () => {
      const agent = await context.access.agent();
      await agent.definitions.reload();
      const count = agent.definitions.list().length;
      const problems = agent.definitions.diagnostics().filter((problem) => problem.severity === 'error').length;
      const text = problems === 0 ? vscode.l10n.t('{0} definitions loaded.', count) : vscode.l10n.t('{0} definitions loaded. Errors in other files: {1}, see the Problems view.', count, problems);
      void showInfo(text);
    },
    [COMMANDS.reviewDefinitions]: async () => reviewDefinitions(context, await context.access.agent()),
    [COMMANDS.startExample]: async () => {
      await vscode.commands.executeCommand('workbench.action.chat.open', { query: exampleQuery(), isPartialQuery: true });
    },
  };
}

/** A first delegation, put into the chat's input for the user to change and send. */
function exampleQuery(): string {
  const lines = [
    vscode.l10n.t('Explain what this project does and how its folders are laid out'),
    vscode.l10n.t('List every TODO and FIXME comment with its file and line'),
    vscode.l10n.t('Say which parts of the code have no tests'),
  ];
  return `@${PARTICIPANT.name} /delegate ${lines.join('\n')}`;
}
