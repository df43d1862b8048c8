import { mkdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError, systemCode } from '../base/errors.ts';
import { contentHash } from '../base/textFile.ts';
import type { Checkpoints } from '../domain/ports.ts';
import type { FileState } from '../domain/tools.ts';

/** Megabytes of one content above which it isn't kept. */
const LARGEST_MB = 20;
/** A program that runs as another user is nothing to be made by an undo. */
const PERMISSIONS = 0o777;
/** Of what is stored only such a name may become part of a path. */
const HASH = /^[\w-]{43}$/;

/**
 * Contents in a folder, each once, in a file named after its hash that only the owner can read: a file may hold what
 * others must not see. Any number of processes may use one folder.
 * @param folder absolute path; made on first use
 */
export function createCheckpoints(folder: string): Checkpoints {
  const placeOf = (hash: string): string => join(folder, hash.slice(0, 2), hash);
  return {
    async keep(content, mode) {
      if (content === undefined) return { kind: 'absent' };
      if (content.length > LARGEST_MB * 1024 * 1024) return unknown(`The file is larger than ${LARGEST_MB} MB, so its content was not kept.`);
      const hash = contentHash(content);
      try {
        await keepAt(placeOf(hash), content);
        return { kind: 'kept', hash, ...(mode !== undefined && { mode: mode & PERMISSIONS }) };
      } catch (error) {
        return unknown(whyNotKept(error));
      }
    },
    async read(hash) {
      const content = HASH.test(hash) ? await contentAt(placeOf(hash)) : undefined;
      if (content === undefined || contentHash(content) !== hash) throw new AppError('not_found', 'This earlier content of the file is not kept any more, or is damaged.');
      return content;
    },
  };
}

async function keepAt(path: string, content: Uint8Array): Promise<void> {
  if (await holds(path, content)) return;
  const { default: writeFileAtomic } = await import('write-file-atomic');
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    // On the disk before it is relied on: what it is kept for is about to be overwritten there.
    await writeFileAtomic(path, Buffer.from(content), { mode: 0o600, fsync: true });
  } catch (error) {
    // On some systems the same content, kept by another process at this moment, is in the way.
    if (!(await holds(path, content))) throw error;
  }
}

/** A damaged content is kept anew. */
async function holds(path: string, content: Uint8Array): Promise<boolean> {
  try {
    return (await stat(path)).size === content.length && (await readFile(path)).equals(content);
  } catch {
    return false;
  }
}

async function contentAt(path: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw new AppError('unavailable', `An earlier content of the file can't be read (${systemCode(error) ?? 'unknown error'}): look at the storage folder.`, { cause: error });
  }
}

function unknown(why: string): FileState {
  return { kind: 'unknown', why };
}

function whyNotKept(error: unknown): string {
  switch (systemCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'The disk was full, so the content of the file was not kept.';
    case undefined:
    default:
      return `The content of the file could not be kept (${systemCode(error) ?? 'unknown error'}).`;
  }
}
