import { isAppError } from '../base/errors.ts';
import type { FilePort } from '../domain/ports.ts';

/** What stands at a path now: a content, or nothing, or what can't be looked at, with why in a sentence. */
export type Present = { readonly kind: 'content'; readonly bytes: Uint8Array | undefined; readonly unsaved: boolean } | { readonly kind: 'unreadable'; readonly why: string };

/** True where a folder stands in the place of a file. Never rejects but for defects. */
export async function isFolder(path: string, files: FilePort): Promise<boolean> {
  try {
    return (await files.stat(path))?.kind === 'directory';
  } catch (error) {
    if (isAppError(error)) return false;
    throw error;
  }
}

/** Looks at a path, unsaved content included. Never rejects but for defects. */
export async function lookAt(path: string, files: FilePort): Promise<Present> {
  try {
    return { kind: 'content', ...(await files.read(path)) };
  } catch (error) {
    if (isAppError(error, 'not_found')) return { kind: 'content', bytes: undefined, unsaved: false };
    // A folder, a link, missing rights: nothing of it is read or followed.
    if (isAppError(error)) return { kind: 'unreadable', why: error.message };
    throw error;
  }
}
