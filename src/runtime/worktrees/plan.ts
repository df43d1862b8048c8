import { realpath } from 'node:fs/promises';
import { basename, dirname, relative, resolve } from 'node:path';
import { AppError, errorText } from '../base/errors.ts';
import { oneLine } from '../base/text.ts';
import type { WorktreePlan } from '../domain/worktrees.ts';
import type { Git } from '../git/git.ts';

/** What git exits with for what isn't there. */
const NONE = 1;
const OTHERWISE = 'Otherwise let an agent without `isolation: worktree` do it.';

/**
 * Looks at the repository that holds a folder, as it is now. Rejects with `unavailable` and what to do where no worktree
 * can be made of it, or git fails.
 * @param cwd absolute
 */
export async function planWorktree(git: Git, cwd: string, signal: AbortSignal): Promise<WorktreePlan> {
  const ask = async (...args: readonly string[]): Promise<string> => (await git(args, { cwd, signal, accepts: NONE })).toString('utf8').replace(/\r?\n$/, '');
  const shown = await ask('rev-parse', '--path-format=absolute', '--show-toplevel').catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw new AppError('unavailable', `${cwd} is in no work tree of a git repository (${oneLine(errorText(error)).replace(/\.$/, '')}), so no worktree can be made of it: open a folder of one, or run \`git init\` and make a first commit. ${OTHERWISE}`, { cause: error });
  });
  const base = await ask('rev-parse', '--verify', '--quiet', 'HEAD^{commit}');
  if (base === '') throw new AppError('unavailable', `The repository of ${cwd} has no commit yet, so there is nothing that a worktree could begin from: make a first commit. ${OTHERWISE}`);
  const [top, folder, commonDir] = await Promise.all([realpath(resolve(shown)), realpath(cwd), ask('rev-parse', '--path-format=absolute', '--git-common-dir').then((path) => realpath(path))]);
  const [branch, status, modules] = await Promise.all([
    ask('symbolic-ref', '--quiet', '--short', 'HEAD'),
    ask('status', '--porcelain', '--untracked-files=normal', '--ignore-submodules=dirty'),
    ask('ls-tree', '--full-tree', base, '--', '.gitmodules'),
  ]);
  return { top, within: relative(top, folder), commonDir, base, ...(branch !== '' && { branch }), leavesOut: status !== '', hasSubmodules: modules !== '' };
}

/** The folders that belong to the user's own work tree and repository. Absolute. */
export function foldersOf({ top, commonDir }: Pick<WorktreePlan, 'top' | 'commonDir'>): readonly string[] {
  // Where the workspace is a linked work tree itself, that of the repository is another one.
  return [...new Set([top, commonDir, ...(basename(commonDir) === '.git' ? [dirname(commonDir)] : [])])];
}
