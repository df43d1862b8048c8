import { constants, type Stats } from 'node:fs';
import { lstat, mkdir, open, readlink, realpath, rename, unlink, type FileHandle } from 'node:fs/promises';
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

/**
 * Writes a file as a whole: a new file beside it takes its name, so that a reader or a crash sees the old or the new
 * content and never a part. Missing folders are made.
 * @param path absolute real path.
 * @param old what stands there now; its mode and owner are kept. Absent: nothing does.
 * @throws `AppError` `conflict` when a folder of the path was swapped meanwhile; else system errors. Either way the file is as before.
 */
export async function writeAtomically(path: string, bytes: Uint8Array, old: Stats | undefined): Promise<void> {
  const parent = dirname(path);
  await makeFolders(parent);
  const folder = await holdFolder(parent);
  const temporary = folder.entry(`.${basename(path).slice(0, 60)}.${randomId()}.tmp`);
  try {
    await writeNew(temporary, bytes, old);
    await folder.verify();
    await rename(temporary, folder.entry(basename(path)));
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  } finally {
    await folder.release();
  }
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

async function writeNew(path: string, bytes: Uint8Array, old: Stats | undefined): Promise<void> {
  const handle = await open(path, 'wx', old ? 0o600 : 0o666);
  try {
    await handle.writeFile(bytes);
    if (old) await copyOwnership(handle, old);
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
  const handle = await open(parent, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
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
  return new AppError('conflict', `${folder} leads to another place than when it was checked. Nothing was written; look at the folder again.`);
}
