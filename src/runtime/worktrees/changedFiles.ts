import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { mapLimited } from '../base/async.ts';
import type { WorktreeChange } from '../domain/worktrees.ts';
import type { Git, GitCall } from '../git/git.ts';
import { shownName, splitNul, textOf, type RawName } from '../git/names.ts';
import { presentAt, type Present } from '../git/present.ts';
import { holdsAnything } from './folders.ts';
import { readIndex } from './indexEntries.ts';
import { findStaged, hashesOf, type Staged } from './staged.ts';

/** How git is called for one worktree. */
export type GitAt = Pick<GitCall, 'cwd' | 'env' | 'signal'>;

const PARALLEL = 16;
const LINK = '120000';
const MODULE = '160000';
const EXECUTABLE = '100755';

/** A worktree as git is asked about it. */
export interface AskedTree {
  /** With the index as it stood at the start. */
  readonly at: GitAt;
  /** With the index that the child's git works with. */
  readonly own: GitAt;
  /** Absolute: of the worktree, and of the work tree that it stands for. */
  readonly tree: string;
  readonly top: string;
  readonly base: string;
}

/** Finds what differs in a worktree from what was checked out there, by path. Rejects with what git or the system says. */
export async function findChanges(git: Git, asked: AskedTree): Promise<readonly WorktreeChange[]> {
  const { at, own, tree, base } = asked;
  const entries = await readIndex(git, at);
  const names = new Set(splitNul(await git(['ls-files', '-z', '-m', '-d', '-o', '--exclude-standard'], at)));
  // Git looks into no submodule, and here they were all left empty.
  const modules = [...entries].flatMap(([name, { mode }]) => (mode === MODULE ? [name] : []));
  for (const name of modules) if (await holdsAnything(tree, name)) names.add(name);
  const staged = await findStaged(git, own, base);
  // What git ignores is a change where the child wanted it in a commit.
  for (const name of staged.names) if (!entries.has(name)) names.add(name);
  const lost = await lostVersions(git, asked, names, staged.only);
  const found = await mapLimited([...new Set([...names, ...lost])].sort(), PARALLEL, async (name) => lookAt(name, entries.get(name)?.mode, lost.has(name), asked));
  return found.flatMap((each) => each ?? []);
}

/** Of which names a staged version stands in no file. One that the child went on to change is what became of it. */
async function lostVersions(git: Git, { own, tree }: AskedTree, changed: ReadonlySet<RawName>, only: Staged['only']): Promise<ReadonlySet<RawName>> {
  if (only.size === 0) return new Set();
  const looked = await mapLimited([...changed], PARALLEL, async (name) => ((await presentAt(tree, name)).kind === 'file' ? [name] : []));
  const files = new Set(looked.flat());
  const open = [...only].filter(([name]) => !files.has(name));
  // It may have been moved.
  const standing = open.length > 0 ? await hashesOf(git, own, [...files]) : new Set();
  return new Set(open.flatMap(([name, object]) => (standing.has(object) ? [] : [name])));
}

async function lookAt(name: RawName, mode: string | undefined, isLost: boolean, { tree, top }: AskedTree): Promise<WorktreeChange | undefined> {
  // Git names a repository inside as a folder.
  const isRepository = name.endsWith('/');
  const shown = shownName(isRepository ? name.slice(0, -1) : name);
  const place = join(tree, shown);
  const present: Present = isRepository ? { kind: 'absent' } : await presentAt(tree, name);
  // Gone between two looks.
  if (!isRepository && !isLost && mode === undefined && present.kind === 'absent') return undefined;
  const problem = isRepository ? 'It is a repository of its own, which can\'t be merged.' : (problemOf(name, mode, present) ?? (isLost ? STAGED : undefined));
  const isExecutable = present.kind === 'file' && ((await lstat(place)).mode & 0o100) !== 0;
  const isGone = present.kind === 'absent' && !(mode === MODULE && (await holdsAnything(tree, name)));
  const kind = mode === undefined ? 'created' : isGone ? 'deleted' : 'edited';
  return { path: join(top, shown), place, kind, ...(problem !== undefined && { problem }), wasExecutable: mode === EXECUTABLE, isExecutable };
}

const STAGED = 'A version of it is staged in the worktree that stands in no file, so it can\'t be merged: put it into the file there, or unstage it.';

function problemOf(name: RawName, mode: string | undefined, present: Present): string | undefined {
  if (textOf(name) === undefined) return 'Its name is no text, so it can\'t be merged.';
  if (mode === MODULE) return 'It is a submodule, which can\'t be merged: take what you need from its folder in the worktree.';
  if (mode === LINK) return 'It was a symbolic link, which can\'t be merged.';
  return present.kind === 'kept_out' ? `It can't be merged. ${present.why}` : undefined;
}
