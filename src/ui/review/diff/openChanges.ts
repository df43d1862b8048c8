import * as vscode from 'vscode';
import { showInfo } from '../../../host/messages.ts';
import { SCHEMES } from '../../../ids.ts';
import { errorText } from '../../../runtime/base/errors.ts';
import type { LiteAgent } from '../../../runtime/domain/liteAgent.ts';
import type { Log } from '../../../runtime/domain/ports.ts';
import type { FileReview } from '../../../runtime/domain/reviews.ts';
import { shortBase } from '../../childWords.ts';
import { fileName } from '../filePlace.ts';
import { changeQuery, type ChangeKey, type ChangeScope } from './changeUris.ts';
import { changesOf, diffOf, scopeName } from './scopes.ts';

/** Editors for so many files at once are more than anyone looks at, and VS Code reads all of them. */
const MAX_FILES = 200;
/** Where diffs open one by one. */
export const MAX_SINGLE = 10;

/** Opens all that a child, or a group, changed: one file as a diff, several in one editor. With `paths`, only those of them. */
export async function openChanges(agent: LiteAgent, scope: ChangeScope, log: Log, paths?: readonly string[]): Promise<void> {
  const changes = (await changesOf(agent, scope)).filter(({ path }) => paths?.includes(path) ?? true);
  const name = scopeName(agent, scope, vscode.l10n);
  const [first] = changes;
  if (first === undefined) {
    void showInfo(vscode.l10n.t('There are no changes of “{0}” to show.', name));
    return;
  }
  if (changes.length === 1) {
    await openDiff(agent, scope, first.path);
    return;
  }
  const shown = changes.slice(0, MAX_FILES);
  await openTogether(agent, scope, shown, log);
  if (shown.length < changes.length) void showInfo(vscode.l10n.t('“{0}” changed {1} files: the first {2} are shown. The others open from its row.', name, changes.length, shown.length));
}

/** Opens the diff of one file. Rejects with what stands in the way of it. */
export async function openDiff(agent: LiteAgent, scope: ChangeScope, path: string, preview = true): Promise<void> {
  const { before, after, isPresent } = await diffOf(agent, scope, path);
  const left = address({ scope, side: before === undefined ? 'none' : 'before', path, isNote: false });
  const right = after === undefined ? address({ scope, side: 'none', path, isNote: false }) : isPresent ? vscode.Uri.file(path) : address({ scope, side: 'after', path, isNote: false });
  await vscode.commands.executeCommand('vscode.diff', left, right, diffTitle(agent, scope, path), { preview });
}

/** Of a child in a worktree it names the left side: that isn't the workspace's file. */
function diffTitle(agent: LiteAgent, scope: ChangeScope, path: string): string {
  const name = scopeName(agent, scope, vscode.l10n);
  const worktree = scope.kind === 'child' ? agent.child(scope.agentId)?.worktree : undefined;
  return worktree ? vscode.l10n.t('{0} (base {1} ↔ {2})', fileName(path), shortBase(worktree), name) : vscode.l10n.t('{0} ({1})', fileName(path), name);
}

/** What names a file, then both its sides; one that is absent is a file that came or went. */
type Triple = [name: vscode.Uri, before: vscode.Uri | undefined, after: vscode.Uri | undefined];

async function sides(agent: LiteAgent, scope: ChangeScope, { path, isBinary }: FileReview): Promise<Triple> {
  const file = vscode.Uri.file(path);
  try {
    const { before, after, isPresent } = await diffOf(agent, scope, path);
    const side = (which: 'before' | 'after'): vscode.Uri => address({ scope, side: which, path, isNote: isBinary });
    const right = isPresent && !isBinary ? file : side('after');
    if (before === undefined && after === undefined) return [file, undefined, address({ scope, side: 'after', path, isNote: true })];
    return [file, before === undefined ? undefined : side('before'), after === undefined ? undefined : right];
  } catch {
    // The others can be shown, and in its place stands why it can't.
    return [file, undefined, address({ scope, side: 'after', path, isNote: true })];
  }
}

/** The editor for several diffs is no documented command: where it is gone, they open one by one. */
async function openTogether(agent: LiteAgent, scope: ChangeScope, files: readonly FileReview[], log: Log): Promise<void> {
  const title = vscode.l10n.t('{0} (changes)', scopeName(agent, scope, vscode.l10n));
  const triples = await Promise.all(files.map((file) => sides(agent, scope, file)));
  try {
    await vscode.commands.executeCommand('vscode.changes', title, triples);
  } catch (error) {
    log.warn(`no editor for several diffs: ${errorText(error)}`);
    for (const { path } of files.slice(0, MAX_SINGLE)) await openDiff(agent, scope, path, false);
  }
}

/** The address of one side of a diff. */
export function address(key: ChangeKey): vscode.Uri {
  return vscode.Uri.file(key.path).with({ scheme: SCHEMES.change, query: changeQuery(key) });
}
