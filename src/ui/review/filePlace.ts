import { basename, isAbsolute, relative, sep } from 'node:path';
import { oneLine } from '../../runtime/base/text.ts';

/** A path as it is called from a folder: relative inside of it, whole elsewhere. Empty for the folder itself. */
export function placeFrom(folder: string, path: string): string {
  const inside = relative(folder, path);
  return inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? path : inside;
}

/** The name of a file as people are shown it: on one line and in its own direction, whatever a model called it. Never empty. */
export function fileName(path: string): string {
  return oneLine(basename(path)) || '…';
}
