import { sep } from 'node:path';
import type { WorktreeChange } from '../domain/worktrees.ts';

/** A file in the place of a folder, or a folder in the place of a file: neither half of it can stand without the other. */
export interface Swap {
  /** What is or was the file. */
  readonly file: WorktreeChange;
  /** The files in the folder. */
  readonly inside: readonly WorktreeChange[];
}

/** The swap that a path has part in. */
export function swapOf(path: string, changes: ReadonlyMap<string, WorktreeChange> | undefined): Swap | undefined {
  const found = [...(changes?.values() ?? [])].filter((file) => path === file.path || path.startsWith(file.path + sep));
  for (const file of found) {
    const inside = [...(changes?.values() ?? [])].filter((change) => change.path.startsWith(file.path + sep) && isOpposite(change, file));
    if (inside.length > 0) return { file, inside };
  }
  return undefined;
}

/** The paths with all that belongs to their swaps: in units of which all or nothing is decided, in the order of the first of each. */
export function unitsOf(paths: readonly string[], changes: ReadonlyMap<string, WorktreeChange> | undefined): readonly { readonly paths: readonly string[]; readonly swap?: Swap }[] {
  const units = new Map<string, { readonly paths: readonly string[]; readonly swap?: Swap }>();
  for (const path of paths) {
    const swap = swapOf(path, changes);
    units.set(swap?.file.path ?? path, swap ? { paths: [swap.file, ...swap.inside].map((change) => change.path), swap } : { paths: [path] });
  }
  return [...units.values()];
}

function isOpposite({ kind }: WorktreeChange, file: WorktreeChange): boolean {
  return (kind === 'created' && file.kind === 'deleted') || (kind === 'deleted' && file.kind === 'created');
}
