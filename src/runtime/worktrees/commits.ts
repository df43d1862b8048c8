import type { Git } from '../git/git.ts';
import type { GitAt } from './changedFiles.ts';

/** What git exits with for what isn't there. */
const NONE = 1;

/** The commit that is checked out; nothing where a branch without one is. Rejects with what git says. */
export async function headOf(git: Git, at: GitAt): Promise<string | undefined> {
  return commitOf(git, at, 'HEAD');
}

/** Commits in a worktree that would be lost with it. */
export interface OwnCommits {
  /** How many were made in it, undone ones too, that no branch, tag or remote holds. */
  readonly count: number;
  /** False where git's record of what was checked out doesn't go back to the start, so that there may be more. */
  readonly isKnown: boolean;
}

/** Rejects with what git says. */
export async function ownCommits(git: Git, at: GitAt, base: string): Promise<OwnCommits> {
  const was = (await git(['log', '--walk-reflogs', '--format=%H', 'HEAD'], at)).toString('latin1').split('\n').filter((hash) => hash !== '');
  // A branch that was moved while it wasn't checked out is only there.
  const places = [await headOf(git, at) ?? base, await commitOf(git, at, 'ORIG_HEAD') ?? base, ...was];
  const asked = [...new Set(places)].filter((hash) => hash !== base);
  const isKnown = was.at(-1) === base;
  if (asked.length === 0) return { count: 0, isKnown };
  const input = Buffer.from([...asked, `^${base}`].map((line) => `${line}\n`).join(''));
  const count = await git(['rev-list', '--count', '--stdin', '--not', '--branches', '--tags', '--remotes'], { ...at, input });
  return { count: Number(count.toString('latin1').trim()), isKnown };
}

async function commitOf(git: Git, at: GitAt, name: string): Promise<string | undefined> {
  const hash = (await git(['rev-parse', '--verify', '--quiet', `${name}^{commit}`], { ...at, accepts: NONE })).toString('latin1').trim();
  return hash === '' ? undefined : hash;
}
