import * as vscode from 'vscode';
import { COMMANDS, SETTINGS_SECTION } from '../../ids.ts';
import { AppError } from '../../runtime/base/errors.ts';
import type { FoundDefinition } from '../../runtime/domain/definitions.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import { definitionOf } from '../agents/agentNodes.ts';
import { copyToWorkspace } from '../agents/copyDefinition.ts';
import { openDefinition } from '../agents/definitionDocuments.ts';
import { deleteDefinitions } from '../agents/deleteDefinitions.ts';
import { runDefinition } from '../agents/runDefinition.ts';
import { reviewDefinitions } from '../authoring/definitionReview.ts';
import { eachInTurn } from '../failures.ts';
import { previewTarget } from '../preview/previewTarget.ts';
import type { Command, CommandContext, PanelCommandId } from './command.ts';
import type { Target } from './targets.ts';

type Ids = typeof COMMANDS.newAgent | typeof COMMANDS.openAgentSettings | typeof COMMANDS.openDefinition | typeof COMMANDS.runDefinition | typeof COMMANDS.previewAgent | typeof COMMANDS.copyDefinition | typeof COMMANDS.approveDefinition
  | typeof COMMANDS.revealDefinition | typeof COMMANDS.revealDefinitionInOs | typeof COMMANDS.deleteDefinition;

/** Commands about the definitions of agents. */
export function agentCommands(context: CommandContext): Record<Extract<PanelCommandId, Ids>, Command> {
  const forAll = (work: (agent: LiteAgent, found: readonly FoundDefinition[]) => Promise<unknown>): Command => async (targets) => {
    const agent = await context.access.agent();
    const found = foundOf(agent, targets);
    if (found.length > 0) await work(agent, found);
  };
  const forEach = (work: (agent: LiteAgent, found: FoundDefinition) => Promise<unknown>): Command => forAll((agent, all) => eachInTurn(all, (found) => work(agent, found)));
  const forFirst = (work: (agent: LiteAgent, found: FoundDefinition) => Promise<unknown>): Command => forAll(async (agent, [first]) => first && work(agent, first));
  const onFile = (command: string): Command => forFirst(async (_agent, { path }) => {
    if (path !== undefined) await vscode.commands.executeCommand(command, vscode.Uri.file(path));
  });
  return {
    [COMMANDS.newAgent]: async () => {
      const { createAgent } = await import('../agents/newAgent/createAgent.ts');
      await createAgent(context, await context.access.agent());
    },
    [COMMANDS.openAgentSettings]: async () => {
      await vscode.commands.executeCommand('workbench.action.openSettings', `${SETTINGS_SECTION}.agents`);
    },
    [COMMANDS.openDefinition]: forEach((_agent, found) => openDefinition(found)),
    [COMMANDS.runDefinition]: forFirst(async (_agent, { name, status }) => {
      if (status !== 'active') throw new AppError('conflict', vscode.l10n.t('“{0}” can’t be run as it stands: its row says why.', name));
      const group = await runDefinition(context, name);
      if (group !== undefined) await context.view.show(group.groupId);
    }),
    [COMMANDS.previewAgent]: async (targets) => {
      const key = await previewTarget(await context.access.agent(), targets);
      if (key !== undefined) await context.previews.open(key);
    },
    [COMMANDS.copyDefinition]: forEach(copyToWorkspace),
    [COMMANDS.approveDefinition]: forAll(async (agent, found) => {
      if (found[0] !== undefined) await openDefinition(found[0]);
      await reviewDefinitions(context, agent, found.map(({ name }) => name));
    }),
    [COMMANDS.revealDefinition]: onFile('revealInExplorer'),
    [COMMANDS.revealDefinitionInOs]: onFile('revealFileInOS'),
    [COMMANDS.deleteDefinition]: forAll((agent, found) => deleteDefinitions(agent, found, context.log)),
  };
}

/** The definitions that are meant, as they are now; one that is gone is left out. */
function foundOf({ definitions }: LiteAgent, targets: readonly Target[]): readonly FoundDefinition[] {
  const found = definitions.found();
  return targets.flatMap(({ definitionId }) => (definitionId === undefined ? [] : (definitionOf(found, definitionId) ?? [])));
}
