import { resolve } from 'node:path';
import { isLiteral } from './shellText.ts';

/** Nobody tells more of them apart. */
const MAX_FOLDERS = 50;

/** Folders in which a command line may be, for nobody knows here which of its changes came to pass. Nothing where it may be anywhere. */
export type Whereabouts = readonly string[] | undefined;

/**
 * Where a command line may be after a change of the folder.
 * @param key `cd`, `pushd` or `popd`
 */
export function afterChange(at: Whereabouts, key: string, operands: readonly string[], home: string): Whereabouts {
  if (at === undefined) return undefined;
  // It goes back to where it may have been anyway.
  if (operands.includes('-') || key === 'popd') return at;
  const [target] = operands.filter((word) => !/^[-+]/.test(word));
  if (target === undefined && key === 'pushd') return at;
  if (target !== undefined && !isLiteral(target)) return undefined;
  const folders = [...new Set([...at, ...at.map((folder) => resolve(folder, target ?? home))])];
  return folders.length > MAX_FOLDERS ? undefined : folders;
}
