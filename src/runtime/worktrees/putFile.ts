import { chmod, lstat, mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError, isAppError, systemCode } from '../base/errors.ts';
import { removeEmptyFolder } from '../store/replaceFile.ts';
import type { WorktreePlace } from './place.ts';
import type { WorktreeRecord } from './records.ts';

/** Contents by absolute path of the workspace; `undefined` is no file. Without `isExecutable` it stays as it is. */
export type Contents = ReadonlyMap<string, { readonly bytes: Uint8Array | undefined; readonly isExecutable?: boolean }>;

/** Puts contents into a worktree, each where it belongs. Rejects as `putFile`. */
export async function putAll(contents: Contents, { top }: Pick<WorktreeRecord, 'top'>, { tree }: WorktreePlace): Promise<void> {
  for (const [path, { bytes, isExecutable }] of contents) {
    const place = join(tree, path.slice(top.length + 1));
    await putFile(place, bytes, isExecutable ?? (await mayBeRun(place)));
  }
}

/**
 * Puts a file in the place of a file, a link or a folder without files; `undefined` only removes a file or link. Rejects with `conflict` where files
 * stand in such a folder or a link on the way leads elsewhere, and with the system's error.
 */
export async function putFile(place: string, bytes: Uint8Array | undefined, isExecutable: boolean): Promise<void> {
  const folder = dirname(place);
  const isReal = await isFreeOfLinks(folder);
  if (!isReal && bytes === undefined) return;
  if (!isReal) throw new AppError('conflict', IN_THE_WAY);
  if (bytes !== undefined) await mkdir(folder, { recursive: true }).catch(refuse);
  const isFolder = (await lstat(place).catch(() => undefined))?.isDirectory() === true;
  // A folder there is no file either.
  if (isFolder && bytes === undefined) return;
  await (isFolder ? removeEmptyFolder(place).catch(refuse) : rm(place, { force: true }));
  if (bytes === undefined) return;
  await writeFile(place, bytes, { flag: 'wx' });
  if (isExecutable) await chmod(place, 0o755);
}

async function mayBeRun(place: string): Promise<boolean> {
  const found = await lstat(place).catch(() => undefined);
  return found?.isFile() === true && (found.mode & 0o100) !== 0;
}

/** Whether no link leads from the folder elsewhere, as far as it is there. */
async function isFreeOfLinks(folder: string): Promise<boolean> {
  const real = await realpath(folder).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  return real === undefined ? isFreeOfLinks(dirname(folder)) : real === folder;
}

const IN_THE_WAY = 'In the worktree another file, folder or link is in its way. Discard that first.';

function refuse(error: unknown): never {
  if (isAppError(error, 'invalid_input') || ['EEXIST', 'ENOTDIR', 'ENOTEMPTY'].includes(systemCode(error) ?? '')) throw new AppError('conflict', IN_THE_WAY, { cause: error });
  throw error;
}
