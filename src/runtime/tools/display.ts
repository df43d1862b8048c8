import { isAbsolute, relative, sep } from 'node:path';
import { oneLine, truncate } from '../base/text.ts';

const LABEL_LENGTH = 80;

/** A real path as a model reads it: relative with `/` where it lies inside the working folder, else absolute. */
export function displayPath(path: string, cwd: string): string {
  const inside = relative(cwd, path);
  if (inside === '') return '.';
  const outside = inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return (outside ? path : inside).replaceAll(sep, '/');
}

/** One clean line of what a call does: a verb and what the model wrote. */
export function label(verb: string, subject: string): string {
  return truncate(oneLine(`${verb} ${subject}`), LABEL_LENGTH);
}
