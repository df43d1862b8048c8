import { lstat, readlink, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { systemCode } from '../base/errors.ts';
import type { PathScope } from '../domain/ports.ts';
import { slashed } from './globs.ts';
import { absolutePath, denied, holds } from './pathForms.ts';

/** A path of an input as it really is. */
export interface ResolvedPath {
  /** Absolute, without links. May not exist yet; then it is where a write would land. */
  readonly real: string;
  /** Absolute as it was asked for, links unresolved: rules that limit look at this name too. */
  readonly asked: string;
  /** True when it lies in a workspace folder. */
  readonly inside: boolean;
  /** The real path relative to the innermost folder that holds it, with `/`; `.` for the folder itself. Outside: absolute. */
  readonly relative: string;
  /** The real and the asked path relative to every folder that holds them. */
  readonly relatives: readonly string[];
  /** True when it lies in one of the run's own folders. */
  readonly own: boolean;
  /** True outside the workspace in one of the run's `readFolders`, or in a folder that this very call was allowed to search. */
  readonly granted?: boolean;
}

const MAX_LINKS = 40;
const SPECIAL_FOLDERS = ['/dev', '/proc', '/sys'];
const MISSING = new Set(['ENOENT', 'ENOTDIR']);

/**
 * Resolves a path of an input: relative to the scope's `cwd`, `~/…` or a `file:` URI, through every link, also
 * dangling ones. `..` is taken from the text before links are followed. Throws `denied` for what no file tool may
 * touch: what `absolutePath` refuses, device files, pipes, sockets, `/dev`, `/proc`, `/sys`, loops of links.
 */
export async function resolveTarget(given: string, scope: PathScope): Promise<ResolvedPath> {
  const asked = absolutePath(given, scope.cwd, scope.roots);
  const { roots, own, readable } = await foldersOf(scope);
  const real = await landing(asked, 0);
  const holders = roots.filter((root) => holds(root, real)).sort((a, b) => b.length - a.length);
  const ownHolders = own.filter((folder) => holds(folder, real));
  // A workspace may lie in such a folder (`/dev/shm`); one above it, such as `/`, doesn't make it a project's.
  const isSpecial = (each: string): boolean => SPECIAL_FOLDERS.some((folder) => holds(folder, each));
  if ((isSpecial(real) || isSpecial(asked)) && ![...holders, ...ownHolders].some(isSpecial)) throw denied(given, 'is a file of the system, not of a project');
  await refuseSpecialFiles(given, real);
  const inner = holders[0];
  const linked = [...scope.roots.map((root) => path.resolve(root)), ...roots].filter((root) => holds(root, asked));
  return {
    real,
    asked,
    inside: inner !== undefined,
    relative: inner === undefined ? slashed(real) : relativeTo(inner, real),
    relatives: [...new Set([...holders.map((root) => relativeTo(root, real)), ...linked.map((root) => relativeTo(root, asked))])],
    own: ownHolders.length > 0,
    granted: readable.some((folder) => holds(folder, real)),
  };
}

/**
 * The real path of a path that is about to be used, which must be one of those that were judged.
 * Throws `denied` when it isn't any more, as after a link was swapped.
 */
export async function resolveJudged(given: string, scope: PathScope, judged: readonly string[]): Promise<string> {
  const { real } = await resolveTarget(given, scope);
  if (!judged.includes(real)) throw denied(given, 'is no longer the file that was allowed');
  return real;
}

interface ScopeFolders {
  readonly roots: readonly string[];
  readonly own: readonly string[];
  readonly readable: readonly string[];
}

/** By scope: a folder swapped for a link later is then outside of what the scope meant. */
const folders = new WeakMap<PathScope, ScopeFolders>();

async function foldersOf(scope: PathScope): Promise<ScopeFolders> {
  const known = folders.get(scope);
  if (known) return known;
  const real = (all: readonly string[]): Promise<readonly string[]> => Promise.all(all.map((each) => landing(path.resolve(each), 0)));
  const found = { roots: await real(scope.roots), own: await real(scope.ownFolders), readable: await real(scope.readFolders ?? []) };
  folders.set(scope, found);
  return found;
}

/** Where a path leads: its real path, or for one that doesn't exist the place in the real folder where it would be made. */
async function landing(given: string, links: number): Promise<string> {
  const real = await unlessMissing(given, realpath(given));
  if (real !== undefined) return real;
  const parent = path.dirname(given);
  if (parent === given) return given;
  const realParent = await landing(parent, links);
  const target = await linkTarget(given);
  if (target === undefined) return path.join(realParent, path.basename(given));
  if (links >= MAX_LINKS) throw denied(given, 'goes through too many links');
  return landing(path.resolve(realParent, target), links + 1);
}

async function linkTarget(given: string): Promise<string | undefined> {
  const info = await unlessMissing(given, lstat(given));
  return info?.isSymbolicLink() ? unlessMissing(given, readlink(given)) : undefined;
}

async function unlessMissing<T>(given: string, result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    const code = systemCode(error);
    if (code !== undefined && MISSING.has(code)) return undefined;
    throw denied(given, code === 'ELOOP' ? 'goes round in a loop of links' : `can't be resolved (${code ?? 'unknown error'})`, error);
  }
}

async function refuseSpecialFiles(given: string, real: string): Promise<void> {
  const info = await unlessMissing(given, stat(real));
  if (info && !info.isFile() && !info.isDirectory()) throw denied(given, 'is a device, a pipe or a socket, not a plain file');
}

function relativeTo(folder: string, file: string): string {
  return slashed(path.relative(folder, file)) || '.';
}
