import * as vscode from 'vscode';
import type { LiteAgent } from '../../../runtime/domain/liteAgent.ts';
import { fileName } from '../filePlace.ts';
import { address, MAX_SINGLE } from './openChanges.ts';
import { scopeName } from './scopes.ts';

/**
 * Opens files of which a child's version, in its worktree, doesn't go into the workspace's: that version on the left, the
 * file itself on the right, where it can be edited and take lines over. From what the child began its other diffs show.
 * Rejects with what stands in the way of it.
 */
export async function openConflicts(agent: LiteAgent, agentId: string, paths: readonly string[]): Promise<void> {
  const shown = paths.slice(0, MAX_SINGLE);
  for (const path of shown) await openConflict(agent, agentId, path, shown.length === 1);
}

async function openConflict(agent: LiteAgent, agentId: string, path: string, preview: boolean): Promise<void> {
  const scope = { kind: 'child', agentId } as const;
  const { after } = await agent.reviews.diff(agentId, path);
  const nothing = address({ scope, side: 'none', path, isNote: false });
  const file = vscode.Uri.file(path);
  const isThere = await vscode.workspace.fs.stat(file).then(() => true, () => false);
  const title = vscode.l10n.t('{0} ({1} ↔ your file)', fileName(path), scopeName(agent, scope, vscode.l10n));
  await vscode.commands.executeCommand('vscode.diff', after === undefined ? nothing : address({ scope, side: 'after', path, isNote: false }), isThere ? file : nothing, title, { preview });
}
