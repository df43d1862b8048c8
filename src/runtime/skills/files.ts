import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { systemCode } from '../base/errors.ts';
import { compareText } from '../base/names.ts';

/** What lies beside a skill's instructions. */
export interface SkillFiles {
  /** Relative to its folder, with `/`, sorted. */
  readonly paths: readonly string[];
  /** True where there are more. */
  readonly isCut: boolean;
}

const MAX_FILES = 100;
const MAX_DEPTH = 5;
/** Entries that are looked at, however many of them count. */
const MAX_ENTRIES = 2000;

/**
 * The files in a skill's folder but its `SKILL.md`, bounded: nothing hidden, no installed packages, and no link but to
 * a file inside. What can't be listed is left out.
 * @param folder absolute real path.
 * @param mayRead whether its agent may see what is in the file at that real path.
 */
export async function listSkillFiles(folder: string, mayRead: (realPath: string) => boolean): Promise<SkillFiles> {
  const paths: string[] = [];
  let [looked, isCut] = [0, false];

  const walk = async (parent: string, depth: number): Promise<void> => {
    for (const entry of await entriesOf(parent)) {
      looked += 1;
      if (looked > MAX_ENTRIES || paths.length > MAX_FILES) return;
      const path = join(parent, entry.name);
      if (entry.isDirectory() && depth < MAX_DEPTH) await walk(path, depth + 1);
      else if (entry.isDirectory()) isCut = true;
      else if (!(depth === 0 && entry.name.toLowerCase() === 'skill.md') && (await isInside(entry, path, folder, mayRead))) paths.push(relative(folder, path).replaceAll(sep, '/'));
    }
  };
  await walk(folder, 0);
  return { paths: paths.slice(0, MAX_FILES).sort(compareText), isCut: isCut || looked > MAX_ENTRIES || paths.length > MAX_FILES };
}

/** Those that count, in order. Names with control characters would forge lines of the list. */
async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
  return entries.filter(({ name }) => !name.startsWith('.') && name !== 'node_modules' && !/\p{Cc}/u.test(name)).sort((a, b) => compareText(a.name, b.name));
}

async function isInside(entry: Dirent, path: string, folder: string, mayRead: (realPath: string) => boolean): Promise<boolean> {
  if (entry.isFile()) return mayRead(path);
  if (!entry.isSymbolicLink()) return false;
  try {
    const real = await realpath(path);
    return real.startsWith(`${folder}${sep}`) && (await stat(real)).isFile() && mayRead(real);
  } catch (error) {
    if (systemCode(error) !== undefined) return false;
    throw error;
  }
}
