import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { mapLimited } from '../base/async.ts';
import type { WorktreeChange } from '../domain/worktrees.ts';
import type { Git, GitCall } from '../git/git.ts';
import { shownName, splitNul, textOf, type RawName } from '../git/names.ts';
import { presentAt, type Present } from '../git/present.ts';
import { holdsAnything } from './folders.ts';
import { readIndex } from './indexEntries.ts';

/** How git is called for one worktree. */
export type GitAt = Pick<GitCall, 'cwd' | 'env' | 'signal'>;

const PARALLEL = 16;
const LINK = '120000';
const MODULE = '160000';
const EXECUTABLE = '100755';

/** Finds what differs in a worktree from what was checked out there, by path. Rejects with what git or the system says. */
export async function findChanges(git: Git, at: GitAt, tree: string, top: string): Promise<readonly WorktreeChange[]> {
  const entries = await readIndex(git, at);
  const names = new Set(splitNul(await git(['ls-files', '-z', '-m', '-d', '-o', '--exclude-standard'], at)));
  // Git looks into no submodule, and here they were all left empty.
  const modules = [...entries].flatMap(([name, { mode }]) => (mode === MODULE ? [name] : []));
  for (const name of modules) if (await holdsAnything(tree, name)) names.add(name);
  const found = await mapLimited([...names].sort(), PARALLEL, async (name) => lookAt(name, entries.get(name)?.mode, tree, top));
  return found.flatMap((each) => each ?? []);
}

async function lookAt(name: RawName, mode: string | undefined, tree: string, top: string): Promise<WorktreeChange | undefined> {
  // Git names a repository inside as a folder.
  const isRepository = name.endsWith('/');
  const shown = shownName(isRepository ? name.slice(0, -1) : name);
  const place = join(tree, shown);
  const present: Present = isRepository ? { kind: 'absent' } : await presentAt(tree, name);
  // Gone between two looks.
  if (!isRepository && mode === undefined && present.kind === 'absent') return undefined;
  const problem = isRepository ? 'It is a repository of its own, which can\'t be merged.' : problemOf(name, mode, present);
  const isExecutable = present.kind === 'file' && ((await lstat(place)).mode & 0o100) !== 0;
  const isGone = present.kind === 'absent' && !(mode === MODULE && (await holdsAnything(tree, name)));
  const kind = mode === undefined ? 'created' : isGone ? 'deleted' : 'edited';
  return { path: join(top, shown), place, kind, ...(problem !== undefined && { problem }), wasExecutable: mode === EXECUTABLE, isExecutable };
}

function problemOf(name: RawName, mode: string | undefined, present: Present): string | undefined {
  if (textOf(name) === undefined) return 'Its name is no text, so it can\'t be merged.';
  if (mode === MODULE) return 'It is a submodule, which can\'t be merged: take what you need from its folder in the worktree.';
  if (mode === LINK) return 'It was a symbolic link, which can\'t be merged.';
  return present.kind === 'kept_out' ? `It can't be merged. ${present.why}` : undefined;
}
