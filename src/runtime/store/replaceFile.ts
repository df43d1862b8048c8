import { constants, type Stats } from 'node:fs';
import { link, lstat, mkdir, open, readdir, readlink, realpath, rename, rmdir, unlink, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError, systemCode } from '../base/errors.ts';
import { randomId } from '../base/ids.ts';

/** A folder held so that swapping a link on its path can't redirect what is done in it. */
interface HeldFolder {
  /** The path of an entry in it. */
  entry(name: string): string;
  /** Throws `conflict` when the folder's path leads elsewhere by now. */
  verify(): Promise<void>;
  release(): Promise<void>;
}

/** Looks at the file, by a path that no swap of a folder redirects, right before something happens to it. Throws to keep it from happening. */
export type LastLook = (entry: string) => Promise<void>;

export interface Replacement {
  /** What stands there now; its mode and owner are kept. Absent: nothing does. */
  readonly old: Stats | undefined;
  /** Permission bits of a new one. Default: the system's. */
  readonly mode?: number;
  /** True where no file may be there: one that comes meanwhile stays. */
  readonly mustBeNew?: boolean;
  readonly lastLook?: LastLook;
}

/**
 * Writes a file as a whole: a new file beside it takes its name, so that a reader or a crash sees the old or the new
 * content and never a part. Missing folders are made.
 * @param path absolute real path.
 * @throws `AppError` `conflict` when a folder of the path was swapped meanwhile, `EEXIST` for one that must be new and
 * isn't, what the last look throws; else system errors. In all cases the file is as before.
 */
export async function writeAtomically(path: string, bytes: Uint8Array, { old, mode, mustBeNew = false, lastLook }: Replacement): Promise<void> {
  const parent = dirname(path);
  await makeFolders(parent);
  const folder = await holdFolder(parent);
  const entry = folder.entry(basename(path));
  const temporary = folder.entry(`.${basename(path).slice(0, 60)}.${randomId()}.tmp`);
  try {
    await writeNew(temporary, bytes, old, mode);
    await folder.verify();
    await lastLook?.(entry);
    if (mustBeNew) await nameNew(temporary, entry);
    else await rename(temporary, entry);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  } finally {
    await folder.release();
  }
}

/**
 * Removes a file.
 * @param path absolute real path.
 * @throws `AppError` `conflict` when a folder of the path was swapped meanwhile, what the last look throws; else system errors.
 */
export async function removeFile(path: string, lastLook: LastLook): Promise<void> {
  const parent = dirname(path);
  // A missing folder is no swapped one.
  await lstat(parent);
  await requireReal(parent);
  const folder = await holdFolder(parent);
  try {
    const entry = folder.entry(basename(path));
    await folder.verify();
    await lastLook(entry);
    await unlink(entry);
  } finally {
    await folder.release();
  }
}

/**
 * Removes a folder with the folders in it.
 * @param path absolute real path.
 * @throws `AppError` `invalid_input` where anything else is in it, `conflict` when a folder of the path was swapped meanwhile; else system errors.
 */
export async function removeEmptyFolder(path: string): Promise<void> {
  await requireReal(path);
  const inside = await readdir(path, { recursive: true, withFileTypes: true });
  if (inside.some((entry) => !entry.isDirectory())) throw new AppError('invalid_input', `${path} is a folder with files in it. Move them elsewhere first.`);
  const folders = inside.map((entry) => join(entry.parentPath, entry.name));
  // Those inside of others first. What comes into one meanwhile keeps it.
  for (const folder of [...folders.sort((a, b) => b.length - a.length), path]) await rmdir(folder);
}

/** Gives a file a name that must be free. A rename would take it from another file without a word. */
async function nameNew(temporary: string, entry: string): Promise<void> {
  try {
    await link(temporary, entry);
  } catch (error) {
    // Some file systems have no links; there the look before the rename has to do.
    if (systemCode(error) === 'EEXIST' || (await exists(entry))) throw error;
    return rename(temporary, entry);
  }
  await unlink(temporary);
}

/** Makes what is missing, one by one, each in a folder that is really where its path says: a link put in between must lead none elsewhere. */
async function makeFolders(folder: string): Promise<void> {
  if ((await exists(folder)) || dirname(folder) === folder) return requireReal(folder);
  await makeFolders(dirname(folder));
  const parent = await holdFolder(dirname(folder));
  try {
    await parent.verify();
    await mkdir(parent.entry(basename(folder)));
  } catch (error) {
    // Another write may have made it meanwhile.
    if (systemCode(error) !== 'EEXIST') throw error;
  } finally {
    await parent.release();
  }
}

async function writeNew(path: string, bytes: Uint8Array, old: Stats | undefined, mode: number | undefined): Promise<void> {
  // Nobody else may read it before it has the mode that it is to have.
  const handle = await open(path, 'wx', old || mode !== undefined ? 0o600 : 0o666);
  try {
    await handle.writeFile(bytes);
    if (old) await copyOwnership(handle, old);
    else if (mode !== undefined) await handle.chmod(mode & 0o777);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function copyOwnership(handle: FileHandle, old: Stats): Promise<void> {
  const now = await handle.stat();
  // Only a privileged process can give a file away; for any other the file becomes its own.
  if (now.uid !== old.uid || now.gid !== old.gid) await handle.chown(old.uid, old.gid).catch(() => undefined);
  await handle.chmod(old.mode & 0o7777);
}

/**
 * On Linux the open folder itself is used (`/proc/self/fd`), which no later swap can redirect. Elsewhere Node offers
 * no such thing, and the path is checked again right before the rename.
 */
async function holdFolder(parent: string): Promise<HeldFolder> {
  const byPath: HeldFolder = { entry: (name) => join(parent, name), verify: () => requireReal(parent), release: async () => undefined };
  if (process.platform !== 'linux') return byPath;
  const handle = await open(parent, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW).catch(async (error: unknown) => {
    // What is a link by now isn't missing.
    await requireReal(parent);
    throw error;
  });
  const held = `/proc/self/fd/${handle.fd}`;
  const place = await readlink(held).catch(() => undefined);
  if (place === parent) return { entry: (name) => join(held, name), verify: () => requireReal(parent), release: () => handle.close() };
  await handle.close();
  if (place !== undefined) throw swapped(parent);
  return byPath;
}

async function requireReal(folder: string): Promise<void> {
  const real = await realpath(folder).catch(() => undefined);
  const ignoresCase = process.platform === 'darwin' || process.platform === 'win32';
  const same = ignoresCase ? real?.toLowerCase() === folder.toLowerCase() : real === folder;
  if (!same) throw swapped(folder);
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: unknown) => {
      if (systemCode(error) === 'ENOENT') return false;
      throw error;
    },
  );
}

function swapped(folder: string): AppError {
  return new AppError('conflict', `${folder} leads to another place than when it was checked. Nothing was changed; look at the folder again.`);
}
