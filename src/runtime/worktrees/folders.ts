import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
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

/** Whether anything but folders and these stands in a folder; false where there is none. Absolute paths. Rejects with the system's error. */
export async function holdsMore(folder: string, known: readonly string[]): Promise<boolean> {
  if ((await lstat(folder).catch(() => undefined))?.isDirectory() !== true) return false;
  const names = new Set(known);
  const inside = await readdir(folder, { recursive: true, withFileTypes: true });
  return inside.some((entry) => !entry.isDirectory() && !names.has(join(entry.parentPath, entry.name)));
}
