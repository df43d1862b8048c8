import { homedir } from 'node:os';
import picomatch from 'picomatch';
import { starProblem } from '../base/globStars.ts';
import type { ResolvedPath } from './paths.ts';

/** A glob for paths, compiled for both kinds of rule. */
export interface PathPattern {
  readonly kind: 'path';
  /** True for `~/…` and `//…` patterns. */
  readonly absolute: boolean;
  /** Exactly what is written: for rules that allow. */
  allows(path: ResolvedPath): boolean;
  /** Taken broadly, for rules that ask or deny: any case, below a named folder too, also by a link's own name. */
  restricts(path: ResolvedPath): boolean;
}

/** Compiles a pattern, or says what is wrong with it. */
export function pathPattern(text: string): PathPattern | string {
  if (text.startsWith('/') && !text.startsWith('//')) return `use "/${text}" for an absolute path, or leave the first "/" out for one in the workspace`;
  if (text.split('/').includes('..')) return 'use an absolute path ("//…" or "~/…") for what is outside the workspace';
  // picomatch never ends on some of these.
  if (/\\{3}/.test(text)) return 'it has too many backslashes in a row';
  const tooMany = starProblem(text);
  if (tooMany !== undefined) return tooMany;
  const { absolute, glob } = anchored(text);
  if (glob === '') return 'the pattern is empty';
  const exact = tester([glob], {});
  const broad = tester([glob, `${glob}/**`].map(normal), { nocase: true });
  if (!exact || !broad) return 'it is not a glob';
  const anywhere = glob.startsWith('**/');
  return {
    kind: 'path',
    absolute,
    allows: (path) => (absolute ? exact(slashed(path.real)) : path.inside && matchesIn(exact, path.relative, glob)),
    restricts: ({ real, asked, inside, relatives }) => {
      if (absolute) return [real, asked].some((each) => broad(normal(slashed(each))));
      // Where there is no workspace folder to be relative to, only a pattern for any depth can say something.
      return relatives.some((each) => matchesIn(broad, normal(each), glob)) || (!inside && anywhere && [real, asked].some((each) => broad(normal(slashed(each)))));
    },
  };
}

/** The pattern that matches this path and nothing else. */
export function exactGlob(path: string): string {
  return path.replace(/[\\*?[\]{}()!+@|^$,"]/g, '\\$&');
}

/** A path with `/` between its parts on every platform. */
export function slashed(path: string): string {
  return process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
}

function anchored(text: string): { readonly absolute: boolean; readonly glob: string } {
  const trimmed = text.length > 2 ? text.replace(/(?<!\/)\/$/, '') : text;
  if (trimmed.startsWith('~/')) return { absolute: true, glob: `${exactGlob(slashed(homedir()))}/${trimmed.slice(2)}` };
  if (trimmed.startsWith('//')) return { absolute: true, glob: /^\/\/[A-Za-z]:/.test(trimmed) ? trimmed.slice(2) : trimmed.slice(1) };
  return { absolute: false, glob: trimmed.replace(/^(\.\/)+/, '') };
}

/** The bare expressions are several times faster than picomatch's own matchers, and a search asks for thousands of files. Nothing for what is no glob. */
function tester(globs: readonly string[], options: picomatch.PicomatchOptions): ((path: string) => boolean) | undefined {
  const expressions = globs.map((glob) => picomatch.makeRe(plainGlob(glob), { noextglob: true, posix: true, dot: true, nonegate: true, windows: false, ...options }));
  // What picomatch makes of a glob that it can't compile: it would match nothing, and a limit must not vanish.
  if (expressions.some(({ source }) => source === '$^')) return undefined;
  return (path) => expressions.some((each) => each.test(path));
}

/** Parentheses are common in file names; picomatch would take them, `+` and `|` for regular expressions. */
function plainGlob(glob: string): string {
  return glob.replace(/\\[^]|[()+|"]/g, (found) => (found.length > 1 ? found : `\\${found}`));
}

/** picomatch never matches the folder `.` by a wildcard. */
function matchesIn(matcher: (path: string) => boolean, relative: string, glob: string): boolean {
  return relative === '.' ? glob === '.' || /^(\*\*\/?)+\*?$/.test(glob) : matcher(relative);
}

/** File systems differ in how they compose accented letters. */
function normal(text: string): string {
  return text.normalize('NFC');
}
