import { readFile, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { systemCode } from '../base/errors.ts';
import type { Git } from '../git/git.ts';
import { rawName } from '../git/names.ts';

/** A folder to watch, in the work tree that holds it. All paths are absolute real paths. */
export interface WatchedFolder {
  readonly path: string;
  /** Top of the work tree, or the folder itself where no repository holds it. */
  readonly top: string;
  /** The folder, relative to `top`; empty for all of it. */
  readonly within: string;
  readonly repository?: Repository;
  /** The user's own ignore rules, and the repository's that lie outside the work tree. Each character is one byte. */
  readonly ignoreRules: string;
}

/** Where a repository keeps what is needed of it. It is only read. */
export interface Repository {
  readonly gitDir: string;
  readonly index: string;
  readonly objects: string;
  readonly objectFormat: string;
}

/** Finds the repository of a folder. One that ignores the folder, or that is broken, counts as none. */
export async function findFolder(git: Git, folder: string, env: Readonly<Record<string, string | undefined>>, signal: AbortSignal): Promise<WatchedFolder> {
  const ask = async (...args: readonly string[]): Promise<string | undefined> => {
    try {
      return (await git(args, { cwd: folder, signal })).toString('utf8').replace(/\r?\n$/, '');
    } catch (error) {
      if (signal.aborted) throw error;
      return undefined;
    }
  };
  const path = async (...args: readonly string[]): Promise<string | undefined> => {
    const found = await ask('rev-parse', '--path-format=absolute', ...args);
    return found === undefined ? undefined : resolve(found);
  };
  const shared = await readRules((await ask('config', '--type=path', '--get', 'core.excludesFile')) ?? join(env['XDG_CONFIG_HOME'] ?? join(env['HOME'] ?? homedir(), '.config'), 'git', 'ignore'));
  const alone: WatchedFolder = { path: folder, top: folder, within: '', ignoreRules: shared };

  const shownTop = await path('--show-toplevel');
  if (shownTop === undefined) return alone;
  const top = await realpath(shownTop).catch(() => shownTop);
  const within = relative(top, folder);
  if (isAbsolute(within) || within.split(sep)[0] === '..') return alone;
  if (within !== '' && (await ask('check-ignore', '-q', '--', folder)) !== undefined) return alone;
  const [gitDir, index, objects, info, objectFormat] = await Promise.all([path('--git-dir'), path('--git-path', 'index'), path('--git-path', 'objects'), path('--git-path', 'info/exclude'), ask('rev-parse', '--show-object-format')]);
  if (gitDir === undefined || index === undefined || objects === undefined || objectFormat === undefined) return alone;
  return { path: folder, top, within, repository: { gitDir, index, objects, objectFormat }, ignoreRules: `${shared}\n${info === undefined ? '' : await readRules(info)}` };
}

/** The folder with a rule that ignores a folder inside of it. */
export function withoutFolder(folder: WatchedFolder, ignored: string): WatchedFolder {
  const path = relative(folder.top, ignored);
  if (path === '' || isAbsolute(path) || path.split(sep)[0] === '..') return folder;
  const pattern = rawName(path.split(sep).join('/')).replace(/[\\*?[]/g, '\\$&');
  return { ...folder, ignoreRules: `${folder.ignoreRules}\n/${pattern}/\n` };
}

async function readRules(path: string): Promise<string> {
  try {
    return await readFile(path, 'latin1');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EISDIR'].includes(systemCode(error) ?? '')) return '';
    throw error;
  }
}
