import { isAbsolute, relative, sep } from 'node:path';

/** A path as it is called from a folder: relative inside of it, whole elsewhere. Empty for the folder itself. */
export function placeFrom(folder: string, path: string): string {
  const inside = relative(folder, path);
  return inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? path : inside;
}
