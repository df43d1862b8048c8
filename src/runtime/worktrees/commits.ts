import type { Git } from '../git/git.ts';
import type { GitAt } from './changedFiles.ts';

/** What git exits with for what isn't there. */
const NONE = 1;
/** Commits in the record of what was checked out of which is asked whether a branch holds them. */
const MAX_ASKED = 500;

/** The commit that is checked out; nothing where a branch without one is. Rejects with what git says. */
export async function headOf(git: Git, at: GitAt): Promise<string | undefined> {
  const hash = (await git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { ...at, accepts: NONE })).toString('latin1').trim();
  return hash === '' ? undefined : hash;
}

/** How many commits were made in a worktree, undone ones too, that no branch, tag or remote holds. Rejects with what git says. */
export async function ownCommits(git: Git, at: GitAt, base: string): Promise<number> {
  const head = await headOf(git, at);
  const was = (await git(['log', '--walk-reflogs', `--max-count=${MAX_ASKED}`, '--format=%H', 'HEAD'], at)).toString('latin1').split('\n');
  const asked = [...new Set([head ?? '', ...was])].filter((hash) => hash !== '' && hash !== base);
  if (asked.length === 0) return 0;
  const count = await git(['rev-list', '--count', ...asked, '--not', base, '--branches', '--tags', '--remotes'], at);
  return Number(count.toString('latin1').trim());
}
