import { readdir } from 'node:fs/promises';
import { systemCode } from '../base/errors.ts';
import type { RawName } from '../git/names.ts';

/** Whether a folder with anything in it stands at a name. Rejects with the system's error. */
export async function holdsAnything(tree: string, name: RawName): Promise<boolean> {
  // A name need not be text.
  const path = Buffer.concat([Buffer.from(`${tree}/`), Buffer.from(name, 'latin1')]);
  try {
    return (await readdir(path)).length > 0;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return false;
    throw error;
  }
}
