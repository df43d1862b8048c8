import { readdir, readFile, realpath, rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { systemCode } from '../base/errors.ts';
import type { Git, GitCall } from '../git/git.ts';
import { copyIndex } from '../git/copyIndex.ts';
import type { WorktreeRecord } from './records.ts';

/** Settings beyond those of every git that is run here: only the work tree itself is written, and a record is begun of what is checked out there, which tells of undone commits. */
const SETTINGS = ['submodule.recurse=false', 'core.bare=false', 'advice.detachedHead=false', 'core.logAllRefUpdates=true'].flatMap((setting) => ['-c', setting]);

/** What git exits with where the branch has no commit yet. */
const NO_COMMIT = 1;

/** The files of one worktree. Everything absolute. */
export interface WorktreePlace {
  /** The top of the worktree. */
  readonly tree: string;
  /** How git's index stood when nobody had worked there yet: out of the child's reach, so that it tells what is different since. */
  readonly index: string;
}

/** How git is asked of a worktree: never by way of the `.git` file in it, which its child may have replaced. */
export function gitOf(adminDir: string, { tree, index }: WorktreePlace): { readonly cwd: string; readonly env: Readonly<Record<string, string>> } {
  return { cwd: tree, env: { GIT_DIR: adminDir, GIT_WORK_TREE: tree, GIT_INDEX_FILE: index } };
}

/** Checks the base out, detached. No hook runs; filters do, as in each checkout of the user's. Rejects with what git or the system says; then a part of it may be there. */
export async function checkOut(git: Git, { top, commonDir, base }: WorktreeRecord, place: WorktreePlace, signal: AbortSignal): Promise<void> {
  await git([...SETTINGS, 'worktree', 'add', '--quiet', '--detach', place.tree, base], { cwd: top, signal });
  const adminDir = await adminDirOf(commonDir, place.tree);
  if (adminDir !== undefined) await copyIndex(join(adminDir, 'index'), place.index);
}

/** Removes all of a worktree, also of one that was made or removed in part, and what git keeps of it. Idempotent. Rejects with the system's error. */
export async function discard({ commonDir }: Pick<WorktreeRecord, 'commonDir'>, { tree, index }: WorktreePlace): Promise<void> {
  const adminDir = await adminDirOf(commonDir, tree);
  if (adminDir !== undefined) await rm(adminDir, { recursive: true, force: true });
  // As git does itself: it has no such folder where it has no worktrees.
  if (adminDir !== undefined) await rmdir(join(commonDir, 'worktrees')).catch(() => undefined);
  await Promise.all([tree, index].map((path) => rm(path, { recursive: true, force: true, maxRetries: 3 })));
}

/** Where git keeps what it knows of a worktree; nothing where it knows none there. Rejects with the system's error. */
export async function adminDirOf(commonDir: string, tree: string): Promise<string | undefined> {
  const wanted = join(tree, '.git');
  for (const { adminDir, named } of await knownWorktrees(commonDir)) {
    if (named === wanted || (await realpath(named).catch(() => named)) === wanted) return adminDir;
  }
  return undefined;
}

/** The tops of all worktrees of a repository but one, as they are named and as they really are. Rejects with the system's error. */
export async function otherWorktrees(commonDir: string, tree: string): Promise<readonly string[]> {
  const tops = (await knownWorktrees(commonDir)).map(({ named }) => dirname(named));
  const real = await Promise.all(tops.map((top) => realpath(top).catch(() => top)));
  return [...new Set(tops.flatMap((top, index) => (real[index] === tree ? [] : [top, real[index] ?? top])))];
}

/** `named`: the file `.git` of each, absolute. */
async function knownWorktrees(commonDir: string): Promise<readonly { readonly adminDir: string; readonly named: string }[]> {
  const folder = join(commonDir, 'worktrees');
  const found = await Promise.all(((await readdir(folder).catch(noneIfMissing)) ?? []).map(async (name) => {
    const adminDir = join(folder, name);
    const text = await readFile(join(adminDir, 'gitdir'), 'utf8').catch(noneIfMissing);
    return text === undefined ? [] : [{ adminDir, named: resolve(adminDir, text.replace(/\r?\n$/, '')) }];
  }));
  return found.flat();
}

function noneIfMissing(error: unknown): undefined {
  if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return undefined;
  throw error;
}

/** The branch that a worktree is on, such as `refs/heads/main`; nothing where its head is detached. Rejects with the system's error. */
export async function branchOf(adminDir: string): Promise<string | undefined> {
  return /^ref: *([^\n]*)/.exec(await readFile(join(adminDir, 'HEAD'), 'utf8'))?.[1];
}

/** Takes a worktree off its branch and leaves it at the same commit, or at its base where the branch has none. Branch, index and files stay as they are. Rejects with what git says. */
export async function detach(git: Git, at: Pick<GitCall, 'cwd' | 'env' | 'signal'>, base: string): Promise<void> {
  const commit = (await git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { ...at, accepts: NO_COMMIT })).toString('latin1').trim();
  await git(['-c', 'core.logAllRefUpdates=true', 'update-ref', '--no-deref', '-m', 'taken off its branch', 'HEAD', commit === '' ? base : commit], at);
}
