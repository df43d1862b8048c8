import { constants } from 'node:fs';
import { access, lstat, open, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemCode } from '../base/errors.ts';
import type { Checkpoints } from '../domain/ports.ts';
import type { FileState } from '../domain/tools.ts';
import { textOf, type RawName } from './names.ts';

/** Largest file, in bytes, of which contents are kept. */
export const LARGEST = 20 * 1024 * 1024;
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * What stands at a name now. `file`: one whose content can be had. `kept_out`: anything else, which is told apart by
 * its stamp only; where `path` is absent, not even a change of it can be told as one of a file.
 */
export type Present =
  | { readonly kind: 'absent' }
  | { readonly kind: 'file'; readonly path: string; readonly changedAt: bigint }
  | KeptOut;

export interface KeptOut {
  readonly kind: 'kept_out';
  readonly stamp: string;
  readonly path?: string;
  readonly why: string;
}

/** Looks without following links, neither at the end nor on the way. Folders count as absent. Rejects with the system's error. */
export async function presentAt(top: string, name: RawName): Promise<Present> {
  const text = textOf(name);
  const path = text === undefined ? Buffer.concat([Buffer.from(`${top}/`), Buffer.from(name, 'latin1')]) : join(top, text);
  try {
    if (typeof path === 'string' && (await realpath(dirname(path))) !== dirname(path)) return { kind: 'absent' };
    const found = await lstat(path, { bigint: true });
    if (found.isDirectory()) return { kind: 'absent' };
    const stamp = [found.ino, found.size, found.mtimeNs, found.ctimeNs].join(':');
    if (typeof path !== 'string') return { kind: 'kept_out', stamp, why: 'Its name is no text.' };
    if (!found.isFile()) return { kind: 'kept_out', stamp, why: found.isSymbolicLink() ? 'It was a symbolic link, which is not kept.' : 'It was a pipe, socket or device.' };
    if (found.size > BigInt(LARGEST)) return { kind: 'kept_out', stamp, path, why: TOO_LARGE };
    if (!(await access(path, constants.R_OK).then(() => true, () => false))) return { kind: 'kept_out', stamp, path, why: 'The file could not be read.' };
    return { kind: 'file', path, changedAt: found.ctimeNs };
  } catch (error) {
    if (isGone(error)) return { kind: 'absent' };
    throw error;
  }
}

export const TOO_LARGE = `The file is larger than ${LARGEST / 1024 / 1024} MB, so its content was not kept.`;

/** The content of a file as it is on the disk now; nothing where it is gone or a folder stands there, a state where it can't be had. Never rejects. */
export async function contentAt(path: string): Promise<Uint8Array | FileState | undefined> {
  try {
    const handle = await open(path, READ_FLAGS);
    try {
      const found = await handle.stat();
      if (found.isDirectory()) return undefined;
      if (!found.isFile()) return { kind: 'unknown', why: 'It is no regular file any more.' };
      return found.size > LARGEST ? { kind: 'unknown', why: TOO_LARGE } : await handle.readFile();
    } finally {
      await handle.close();
    }
  } catch (error) {
    return isGone(error) ? undefined : { kind: 'unknown', why: `The file could not be read (${systemCode(error) ?? 'unknown error'}).` };
  }
}

/** The same as a state, its content kept. Never rejects. */
export async function stateAt(path: string, checkpoints: Checkpoints): Promise<FileState> {
  const content = await contentAt(path);
  return content === undefined || content instanceof Uint8Array ? checkpoints.keep(content) : content;
}

function isGone(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'EISDIR'].includes(systemCode(error) ?? '');
}
