import type { Git } from '../git/git.ts';
import { splitNul, type RawName } from '../git/names.ts';
import type { GitAt } from './changedFiles.ts';

export interface IndexEntry {
  /** As git writes it, such as `100644`. */
  readonly mode: string;
  readonly object: string;
}

/** What an index holds, by name; what a merge left undecided isn't in it. Rejects with what git says. */
export async function readIndex(git: Git, at: GitAt): Promise<ReadonlyMap<RawName, IndexEntry>> {
  const entries = new Map<RawName, IndexEntry>();
  for (const line of splitNul(await git(['ls-files', '-z', '--stage'], at))) {
    const [, mode, object, name] = /^([0-7]{6}) ([0-9a-f]+) 0\t([^]*)$/.exec(line) ?? [];
    if (mode !== undefined && object !== undefined && name !== undefined) entries.set(name, { mode, object });
  }
  return entries;
}
