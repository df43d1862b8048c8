import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { mapLimited } from '../base/async.ts';
import type { WorktreeChange } from '../domain/worktrees.ts';
import type { Git, GitCall } from '../git/git.ts';
import { shownName, splitNul, textOf, type RawName } from '../git/names.ts';
import { presentAt, type Present } from '../git/present.ts';

/** What the index holds of a file. */
export interface BaseEntry {
  readonly mode: string;
  readonly object: string;
}

/** A change with what git holds of the file before it, where it does. */
export interface FoundChange {
  readonly change: WorktreeChange;
  readonly base?: BaseEntry;
}

/** How git is called for one worktree. */
export type GitAt = Pick<GitCall, 'cwd' | 'env' | 'signal'>;

const PARALLEL = 16;
const LINK = '120000';
const MODULE = '160000';
const EXECUTABLE = '100755';

/** Finds what differs in a worktree from what was checked out there, by path. Rejects with what git or the system says. */
export async function findChanges(git: Git, at: GitAt, tree: string, top: string): Promise<readonly FoundChange[]> {
  const names = new Set(splitNul(await git(['ls-files', '-z', '-m', '-d', '-o', '--exclude-standard'], at)));
  if (names.size === 0) return [];
  const entries = await entriesOf(git, at, names);
  const found = await mapLimited([...names].sort(), PARALLEL, async (name) => lookAt(name, entries.get(name), tree, top));
  return found.flatMap((each) => each ?? []);
}

async function entriesOf(git: Git, at: GitAt, names: ReadonlySet<RawName>): Promise<ReadonlyMap<RawName, BaseEntry>> {
  const entries = new Map<RawName, BaseEntry>();
  for (const line of splitNul(await git(['ls-files', '-z', '--stage'], at))) {
    const [, mode, object, name] = /^([0-7]{6}) ([0-9a-f]+) \d\t([^]*)$/.exec(line) ?? [];
    if (mode !== undefined && object !== undefined && name !== undefined && names.has(name)) entries.set(name, { mode, object });
  }
  return entries;
}

async function lookAt(name: RawName, base: BaseEntry | undefined, tree: string, top: string): Promise<FoundChange | undefined> {
  // Git names a repository inside as a folder.
  const isRepository = name.endsWith('/');
  const shown = shownName(isRepository ? name.slice(0, -1) : name);
  const place = join(tree, shown);
  const present: Present = isRepository ? { kind: 'absent' } : await presentAt(tree, name);
  // Gone between two looks.
  if (!isRepository && !base && present.kind === 'absent') return undefined;
  const problem = isRepository ? 'It is a repository of its own, which can\'t be merged.' : problemOf(name, base, present);
  const isExecutable = present.kind === 'file' && ((await lstat(place)).mode & 0o100) !== 0;
  const kind = !base ? 'created' : present.kind === 'absent' ? 'deleted' : 'edited';
  return { change: { path: join(top, shown), place, kind, ...(problem !== undefined && { problem }), wasExecutable: base?.mode === EXECUTABLE, isExecutable }, ...(base && { base }) };
}

function problemOf(name: RawName, base: BaseEntry | undefined, present: Present): string | undefined {
  if (textOf(name) === undefined) return 'Its name is no text, so it can\'t be merged.';
  if (base?.mode === MODULE) return 'It is a submodule, which can\'t be merged.';
  if (base?.mode === LINK) return 'It was a symbolic link, which can\'t be merged.';
  return present.kind === 'kept_out' ? `It can't be merged. ${present.why}` : undefined;
}
