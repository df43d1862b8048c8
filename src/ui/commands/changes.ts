import * as vscode from 'vscode';
import { COMMANDS } from '../../ids.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import type { ChangeScope } from '../review/diff/changeUris.ts';
import { openChanges, openDiff } from '../review/diff/openChanges.ts';
import { openConflicts } from '../review/diff/openConflicts.ts';
import { fileFacts, isInConflict } from '../review/fileFacts.ts';
import { acceptParts } from '../review/acceptParts.ts';
import { reviewHunks } from '../review/hunkPicker.ts';
import { undoAll, undoParts } from '../review/undo.ts';
import type { Command, CommandContext, PanelCommandId } from './command.ts';
import { filesOf, firstWith, groupsOf, type ChangedFile, type Target } from './targets.ts';

type Ids = typeof COMMANDS.openChanges | typeof COMMANDS.openDiff | typeof COMMANDS.openChangedFile | typeof COMMANDS.acceptFile | typeof COMMANDS.undoFile | typeof COMMANDS.reviewHunks | typeof COMMANDS.undo | typeof COMMANDS.undoGroup;

/** Commands about what subagents changed in files. */
export function changeCommands(context: CommandContext): Record<Extract<PanelCommandId, Ids>, Command> {
  const { log } = context;
  const forFile = (work: (agent: LiteAgent, file: ChangedFile) => Promise<void>): Command => async (targets) => {
    const file = firstWith(targets, 'file');
    if (file !== undefined) await work(await context.access.agent(), file);
  };
  const undoScopes = async (scopes: readonly ChangeScope[]): Promise<void> => {
    await undoAll(await context.access.agent(), scopes, log);
  };
  return {
    [COMMANDS.openChanges]: async (targets) => {
      const [scope] = targets.flatMap((target) => scopeOf(target) ?? []);
      if (scope !== undefined) await openChanges(await context.access.agent(), scope, log);
    },
    [COMMANDS.openDiff]: forFile(openFile),
    [COMMANDS.openChangedFile]: forFile(async (_agent, { path }) => {
      await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(path), { preview: true });
    }),
    [COMMANDS.acceptFile]: async (targets) => {
      const agent = await context.access.agent();
      await acceptParts(agent, filesOf(targets).map(({ agentId, path }) => ({ agentId, choice: { path } })), log);
    },
    [COMMANDS.undoFile]: async (targets) => {
      const agent = await context.access.agent();
      await undoParts(agent, filesOf(targets).map(({ agentId, path }) => ({ agentId, choice: { path } })), log);
    },
    [COMMANDS.reviewHunks]: forFile((agent, { agentId, path }) => reviewHunks(agent, agentId, path, log)),
    [COMMANDS.undo]: (targets) => undoScopes([...new Set(targets.flatMap(({ agentId }) => agentId ?? []))].map((agentId) => ({ kind: 'child', agentId }))),
    [COMMANDS.undoGroup]: (targets) => undoScopes(groupsOf(targets).map((groupId) => ({ kind: 'group', groupId }))),
  };
}

/** What a click on a file's row is about: a conflict where it is in one, else what the child did. */
async function openFile(agent: LiteAgent, { agentId, path }: ChangedFile): Promise<void> {
  const isApart = agent.child(agentId)?.worktree !== undefined;
  if (isApart && isInConflict(fileFacts(await agent.reviews.file(agentId, path)))) await openConflicts(agent, agentId, [path]);
  else await openDiff(agent, { kind: 'child', agentId }, path);
}

/** A child's row names its group, too, and means the child. */
function scopeOf({ agentId, groupId }: Target): ChangeScope | undefined {
  if (agentId !== undefined) return { kind: 'child', agentId };
  return groupId === undefined ? undefined : { kind: 'group', groupId };
}
