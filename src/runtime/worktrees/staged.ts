import type { Git } from '../git/git.ts';
import { splitNul, type RawName } from '../git/names.ts';
import type { GitAt } from './changedFiles.ts';
import { headOf } from './commits.ts';
import { readIndex } from './indexEntries.ts';

/** What the child's own index says beyond what stands in the work tree. */
export interface Staged {
  /** All names in it. */
  readonly names: readonly RawName[];
  /** Those of which a version is staged that stands neither in that file nor in the commit that is checked out, with the hash of that version. */
  readonly only: ReadonlyMap<RawName, string>;
}

/**
 * Looks at the index that the child's git works with. Rejects with what git says.
 * @param own with that index
 */
export async function findStaged(git: Git, own: GitAt, base: string): Promise<Staged> {
  const entries = await readIndex(git, own);
  const commit = (await headOf(git, own)) ?? base;
  const differing = splitNul(await git(['diff-index', '--cached', '--name-only', '--no-renames', '--ignore-submodules', '--diff-filter=AMT', '-z', commit, '--'], own));
  if (differing.length === 0) return { names: [...entries.keys()], only: new Map() };
  const edited = new Set(splitNul(await git(['ls-files', '-z', '-m', '-d'], own)));
  const only = differing.filter((name) => edited.has(name)).flatMap((name) => {
    const entry = entries.get(name);
    return entry ? [[name, entry.object] as const] : [];
  });
  return { names: [...entries.keys()], only: new Map(only) };
}

/** Puts the version of the commit that is checked out in the place of a staged one. Rejects with what git says. */
export async function unstage(git: Git, own: GitAt, name: string): Promise<void> {
  await git(['--literal-pathspecs', 'reset', '--quiet', '--', name], own);
}

/** What git would keep these files as. Those whose names can't be handed over are left out. */
export async function hashesOf(git: Git, at: GitAt, names: readonly RawName[]): Promise<ReadonlySet<string>> {
  const lines = names.filter((name) => !/["\n]/.test(name)).map((name) => `${name}\n`);
  if (lines.length === 0) return new Set();
  return new Set((await git(['hash-object', '--stdin-paths'], { ...at, input: Buffer.from(lines.join(''), 'latin1') })).toString('latin1').split('\n'));
}
