import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../base/errors.ts';
import type { Git } from '../git/git.ts';
import { rawName, splitNul } from '../git/names.ts';
import { contentAt } from '../git/present.ts';
import type { GitAt } from './changedFiles.ts';

/**
 * A file as it stood on the disk after the checkout; `undefined` for none. It is checked out anew where no attributes of the
 * child's stand: those of the index hold, as they did then. Rejects with what git or the system says.
 * @param at with the index as it stood at the start
 * @param folder absolute: where there is room for a moment
 * @param name relative to the top of the worktree
 */
export async function readBaseFile(git: Git, at: GitAt, folder: string, name: string): Promise<Uint8Array | undefined> {
  // Of a folder git tells the files in it.
  const found = splitNul(await git(['--literal-pathspecs', 'ls-files', '-z', '--', name], at));
  if (!found.includes(rawName(name))) return undefined;
  const aside = await mkdtemp(join(folder, 'base-'));
  try {
    await git(['checkout-index', '--quiet', '--', name], { ...at, cwd: aside, env: { ...at.env, GIT_WORK_TREE: aside } });
    const content = await contentAt(join(aside, name));
    if (content instanceof Uint8Array) return content;
    throw new AppError('unavailable', content?.kind === 'unknown' ? content.why : 'Git did not check it out.');
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}
