import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { mapLimited } from '../base/async.ts';
import type { WorktreeChange } from '../domain/worktrees.ts';
import type { Git, GitCall } from '../git/git.ts';
import { shownName, splitNul, textOf, type RawName } from '../git/names.ts';
import { presentAt, type Present } from '../git/present.ts';


/** How git is called for one worktree. */
export type GitAt = Pick<GitCall, 'cwd' | 'env' | 'signal'>;

const PARALLEL = 16;
const LINK = '120000';
const MODULE = '160000';
const EXECUTABLE = '100755';

/**
 * Finds what differs in a worktree from what was checked out there, by path. Rejects with what git or the system says.
 * @param ownIndex of the child itself: what it added to that counts although git ignores it
 */
export async function findChanges(git: Git, at: GitAt, ownIndex: string, tree: string, top: string): Promise<readonly WorktreeChange[]> {
  const list = async (options: readonly string[], env = at.env): Promise<readonly RawName[]> => splitNul(await git(['ls-files', '-z', ...options, '--exclude-standard'], { ...at, ...(env && { env }) }));
  const [known, ignored] = [new Set(await list(['-c', '-i'])), await list(['-c', '-i'], { ...at.env, GIT_INDEX_FILE: ownIndex })];
  const names = new Set([...(await list(['-m', '-d', '-o'])), ...ignored.filter((name) => !known.has(name))]);
  if (names.size === 0) return [];
  const modes = await modesOf(git, at, names);
  const found = await mapLimited([...names].sort(), PARALLEL, async (name) => lookAt(name, modes.get(name), tree, top));
  return found.flatMap((each) => each ?? []);
}

/** As the index has them. */
async function modesOf(git: Git, at: GitAt, names: ReadonlySet<RawName>): Promise<ReadonlyMap<RawName, string>> {
  const modes = new Map<RawName, string>();
  for (const line of splitNul(await git(['ls-files', '-z', '--stage'], at))) {
    const [, mode, name] = /^([0-7]{6}) [0-9a-f]+ \d\t([^]*)$/.exec(line) ?? [];
    if (mode !== undefined && name !== undefined && names.has(name)) modes.set(name, mode);
  }
  return modes;
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
  const kind = mode === undefined ? 'created' : present.kind === 'absent' ? 'deleted' : 'edited';
  return { path: join(top, shown), place, kind, ...(problem !== undefined && { problem }), wasExecutable: mode === EXECUTABLE, isExecutable };
}

function problemOf(name: RawName, mode: string | undefined, present: Present): string | undefined {
  if (textOf(name) === undefined) return 'Its name is no text, so it can\'t be merged.';
  if (mode === MODULE) return 'It is a submodule, which can\'t be merged.';
  if (mode === LINK) return 'It was a symbolic link, which can\'t be merged.';
  return present.kind === 'kept_out' ? `It can't be merged. ${present.why}` : undefined;
}
