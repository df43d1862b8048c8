import { realpath } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { WorktreeLimits } from '../domain/ports.ts';
import { holds } from './pathForms.ts';

/** True for what the user has, for other worktrees, and for the file by which git knows this one. */
export function isProtected(path: string, limits: WorktreeLimits): boolean {
  return isUsers(path, limits) || (holds(dirname(limits.top), path) && !holds(limits.top, path));
}

/** True for what is protected, and for a folder that holds some of it: what a program does to a folder it may do to all in it. */
export function reaches(path: string, limits: WorktreeLimits): boolean {
  return isProtected(path, limits) || reachesUsers(path, limits) || holds(path, dirname(limits.top));
}

/** The same of what the user has alone. */
export function reachesUsers(path: string, limits: WorktreeLimits): boolean {
  return isUsers(path, limits) || limits.protects.some((folder) => holds(path, folder) && !holds(limits.top, path));
}

function isUsers(path: string, { top, protects }: WorktreeLimits): boolean {
  if (holds(top, path)) return holds(join(top, '.git'), path);
  return protects.some((folder) => holds(folder, path));
}

/** True where a text names one of the user's folders, such as a script that is given to another program. */
export function mentions(text: string, { top, protects }: WorktreeLimits): boolean {
  return protects.filter((folder) => folder !== '/').some((folder) => {
    for (let at = text.indexOf(folder); at >= 0; at = text.indexOf(folder, at + 1)) {
      const isWhole = !/^(?:[\w-]|\.\w)/.test(text.slice(at + folder.length));
      if (isWhole && !text.startsWith(top, at)) return true;
    }
    return false;
  });
}

/** Where a path leads, as far as it is there. */
export async function realOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realOf(parent), relative(parent, path));
  }
}
