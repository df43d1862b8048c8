import { copyFile, readdir, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemCode } from '../base/errors.ts';

/**
 * Copies the index of a work tree with what it knows of the files' times, so that only files that changed since have to be
 * read. False where there is none yet.
 */
export async function copyIndex(index: string, to: string): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(index);
    await copyFile(index, to);
    // Files of the very moment in which it was written are read to be sure; rounding down only makes them more.
    const seconds = Math.floor(mtimeMs / 1000);
    await utimes(to, seconds, seconds);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
  // Of an index in two parts.
  const shared = (await readdir(dirname(index))).filter((name) => name.startsWith('sharedindex.'));
  await Promise.all(shared.map((name) => copyFile(join(dirname(index), name), join(dirname(to), name))));
  return true;
}
