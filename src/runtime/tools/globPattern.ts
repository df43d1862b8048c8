import { isAbsolute } from 'node:path';
import { AppError } from '../base/errors.ts';
import { starProblem } from '../base/globStars.ts';

/**
 * Makes a test of paths relative to the folder searched, with `/`. A pattern without `/` is one of file names, at any
 * depth. Throws `invalid_input` for patterns that could only match outside.
 */
export async function pathMatcher(pattern: string): Promise<(path: string) => boolean> {
  const relative = pattern.replace(/^\.\//, '');
  if (isAbsolute(relative) || /(^|\/)\.\.(\/|$)/.test(relative)) {
    throw new AppError('invalid_input', 'The glob is relative to the folder searched: put the folder into path, and leave it and ".." out of the glob.');
  }
  // A model's pattern is matched in the host's own thread, which many stars would hold for hours.
  const tooMany = starProblem(relative);
  if (tooMany !== undefined) throw new AppError('invalid_input', `The glob can't be used: ${tooMany}. Use a simpler one, and narrow the search by path.`);
  const { default: picomatch } = await import('picomatch');
  try {
    return picomatch(relative, { dot: true, basename: !relative.replace(/^!/, '').includes('/') });
  } catch (error) {
    throw new AppError('invalid_input', `The glob ${JSON.stringify(pattern)} can't be understood. Use *, **, ? and {a,b}.`, { cause: error });
  }
}

/**
 * The part of a glob that ripgrep itself can test, on file names, so that it needn't open every file; nothing where
 * there is no plain one. It goes in as a file type: as ripgrep's own glob it would override `.gitignore`.
 */
export function fileNameGlob(pattern: string): string | undefined {
  const name = pattern.slice(pattern.lastIndexOf('/') + 1);
  const plain = /^(?!\*\*$)[\w.*-]*(?:\{[\w.*-]+(?:,[\w.*-]+)+\})?[\w.*-]*$/.test(name);
  return plain && name !== '' && !pattern.startsWith('!') ? name : undefined;
}
