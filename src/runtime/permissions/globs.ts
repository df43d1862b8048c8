import { homedir } from 'node:os';
import picomatch from 'picomatch';
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
  const { absolute, glob } = anchored(text);
  if (glob === '') return 'the pattern is empty';
  const exact = picomatch(glob, { dot: true, nonegate: true, windows: false });
  const broad = picomatch([glob, `${glob}/**`].map(normal), { dot: true, nonegate: true, windows: false, nocase: true });
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

/** picomatch never matches the folder `.` by a wildcard. */
function matchesIn(matcher: (path: string) => boolean, relative: string, glob: string): boolean {
  return relative === '.' ? glob === '.' || /^(\*\*\/?)+\*?$/.test(glob) : matcher(relative);
}

/** File systems differ in how they compose accented letters. */
function normal(text: string): string {
  return text.normalize('NFC');
}
