import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomId } from '../base/ids.ts';

/** Keeps a text that is too long for a model; resolves to the absolute path of the file that holds it. */
export type Spill = (name: string, text: string) => Promise<string>;

/**
 * Spills into one folder, which is made on first use and readable by its owner only, as are the files: output of
 * commands may hold what others must not see.
 * @param folder absolute path.
 * @returns a function whose files never replace each other; `name` only makes them recognisable. Rejects with the
 * system's error when the disk refuses.
 */
export function createSpill(folder: string): Spill {
  return async (name, text) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const label = name.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 40) || 'output';
    const path = join(folder, `${label}-${randomId()}.txt`);
    await writeFile(path, text, { flag: 'wx', mode: 0o600 });
    return path;
  };
}
