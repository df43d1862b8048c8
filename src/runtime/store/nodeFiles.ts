import { constants, type Stats } from 'node:fs';
import { access, lstat, open, readlink, realpath, type FileHandle } from 'node:fs/promises';
import { AppError, isAppError, systemCode } from '../base/errors.ts';
import type { FileContent, FilePort, FileStat, WriteOptions } from '../domain/ports.ts';
import { removeEmptyFolder, removeFile, writeAtomically } from './replaceFile.ts';

/** Largest file, in bytes, that is read into memory. */
const MAX_READ = 50 * 1024 * 1024;
const CHUNK = 256 * 1024;
/** Windows knows neither flag; there `lstat` alone guards. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Files on the disk. Paths are absolute real paths. Reading takes regular files of up to 50 MB and never blocks on
 * a pipe or a device; a link in the last position is refused. Rejects with an `AppError`: `not_found`,
 * `invalid_input` for what isn't a regular file or too large, `denied` for missing rights, `conflict` when the path
 * leads elsewhere than it did.
 */
export function createNodeFiles(): FilePort {
  return { stat, read, write, remove };
}

async function stat(path: string): Promise<FileStat | undefined> {
  try {
    const found = await lstatIfThere(path);
    return found && { kind: kindOf(found), size: found.size };
  } catch (error) {
    throw asAppError(error, path);
  }
}

async function read(path: string): Promise<FileContent> {
  try {
    return { bytes: await readRegular(path, path), unsaved: false };
  } catch (error) {
    throw asAppError(error, path);
  }
}

async function write(path: string, bytes: Uint8Array, { expected, replacesFolder, mode }: WriteOptions = {}): Promise<{ readonly bytes: Uint8Array }> {
  try {
    const found = await lstatIfThere(path);
    const makesRoom = replacesFolder === true && found?.isDirectory() === true;
    if (makesRoom) await removeEmptyFolder(path);
    const old = makesRoom ? undefined : found;
    if (expected && (old === undefined) !== (expected.bytes === undefined)) throw changed(path);
    if (old) await requireWritable(path, path);
    await writeAtomically(path, bytes, {
      old,
      ...(mode !== undefined && { mode }),
      ...(expected && { mustBeNew: old === undefined, lastLook: (entry) => requireContent(entry, path, expected.bytes) }),
    });
    return { bytes };
  } catch (error) {
    throw systemCode(error) === 'EEXIST' ? changed(path) : asAppError(error, path);
  }
}

async function remove(path: string, { expected }: WriteOptions = {}): Promise<void> {
  try {
    await removeFile(path, async (entry) => {
      await requireWritable(entry, path);
      if (expected) await requireContent(entry, path, expected.bytes);
    });
  } catch (error) {
    if (!isMissing(error)) throw asAppError(error, path);
    // Missing, but not where it was looked for, is a folder that changed under it.
    if (expected?.bytes !== undefined || (await stat(path)) !== undefined) throw changed(path);
  }
}

/** Throws for what isn't a regular file, and for one that is write-protected: it would be replaced or removed without a word. */
async function requireWritable(entry: string, path: string): Promise<void> {
  requireRegular(await lstat(entry), path);
  await access(entry, constants.W_OK);
}

/** Throws `conflict` unless that stands there; nothing: no file. `entry` leads to the file, whose path is `path`. */
async function requireContent(entry: string, path: string, expected: Uint8Array | undefined): Promise<void> {
  const found = await lstatIfThere(entry);
  if (!found && expected === undefined) return;
  if (!found || expected === undefined) throw changed(path);
  requireRegular(found, path);
  if (found.size !== expected.length) throw changed(path);
  const present = Buffer.from(await readRegular(entry, path));
  const after = await lstat(entry);
  // Somebody may have written while it was read.
  const isStill = after.ino === found.ino && after.size === found.size && after.mtimeMs === found.mtimeMs;
  if (!isStill || !present.equals(expected)) throw changed(path);
}

/** `entry` leads to the file, whose path is `path`. */
async function readRegular(entry: string, path: string): Promise<Uint8Array> {
  // Looked at before opening too: opening a device can do something.
  requireRegular(await lstat(entry), path);
  const handle = await open(entry, READ_FLAGS);
  try {
    const opened = await handle.stat();
    requireRegular(opened, path);
    await requireSame(handle, opened, path);
    if (opened.size > MAX_READ) throw tooLarge(path);
    return await readAll(handle, path);
  } finally {
    await handle.close();
  }
}

async function lstatIfThere(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** A folder of the path may have been swapped for a link since the path was judged: what counts is what was opened. */
async function requireSame(handle: FileHandle, opened: Stats, path: string): Promise<void> {
  const place = process.platform === 'linux' ? await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined) : undefined;
  // One that was replaced as a whole after it was opened is still the file of that path.
  const isSame = place === undefined ? await isThere(path, opened) : place === path || place === `${path} (deleted)`;
  if (!isSame) throw new AppError('conflict', `${path} leads to another place than when it was checked. Look at the folder again.`);
}

/** Where the system doesn't tell the path of an open file. */
async function isThere(path: string, opened: Stats): Promise<boolean> {
  const [real, found] = [await realpath(path), await lstat(path)];
  return real.toLowerCase() === path.toLowerCase() && found.ino === opened.ino && found.dev === opened.dev;
}

/** Reads to the end with a limit of its own, since a size is only what the file had when it was asked for. */
async function readAll(handle: FileHandle, path: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK, null);
    if (bytesRead === 0) return Buffer.concat(chunks, total);
    total += bytesRead;
    if (total > MAX_READ) throw tooLarge(path);
    chunks.push(buffer.subarray(0, bytesRead));
  }
}

function kindOf(found: Stats): FileStat['kind'] {
  if (found.isFile()) return 'file';
  return found.isDirectory() ? 'directory' : 'other';
}

function requireRegular(found: Stats, path: string): void {
  if (found.isFile()) return;
  if (found.isDirectory()) throw new AppError('invalid_input', `${path} is a folder, not a file.`);
  if (found.isSymbolicLink()) throw new AppError('invalid_input', `${path} is a symbolic link; use the path that it leads to.`);
  throw new AppError('invalid_input', `${path} is a pipe, socket or device; only regular files are read and written.`);
}

function changed(path: string): AppError {
  return new AppError('conflict', `${path} has changed meanwhile. Look at it again.`);
}

function tooLarge(path: string): AppError {
  return new AppError('invalid_input', `${path} is larger than ${MAX_READ / 1024 / 1024} MB. Search it with Grep, or take a part of it with a shell command.`);
}

function isMissing(error: unknown): boolean {
  const code = systemCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

function asAppError(error: unknown, path: string): AppError {
  if (isAppError(error)) return error;
  if (isMissing(error)) return new AppError('not_found', `There is no file ${path}.`, { cause: error });
  switch (systemCode(error)) {
    case 'ELOOP':
      return new AppError('invalid_input', `${path} is a symbolic link; use the path that it leads to.`, { cause: error });
    case 'ENXIO':
    case 'EAGAIN':
      return new AppError('invalid_input', `${path} is a pipe, socket or device; only regular files are read and written.`, { cause: error });
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new AppError('denied', `The system does not allow access to ${path}; it may be read-only.`, { cause: error });
    case 'ENOSPC':
    case 'EDQUOT':
      return new AppError('unavailable', `The disk is full; ${path} was not changed.`, { cause: error });
    case undefined:
    default:
      return new AppError('internal', `${path} could not be used: ${systemCode(error) ?? 'unknown error'}.`, { cause: error });
  }
}
