import { fileOf, linesOf, type FileLines } from '../../src/runtime/review/fileLines.ts';
import type { Step } from '../../src/runtime/review/replay.ts';

/** A file whose lines are these letters, one each; `undefined` is no file. */
export function letters(text: string | undefined): FileLines {
  return text === undefined ? [] : linesOf(Buffer.from([...text].map((letter) => `${letter}\n`).join('')));
}

/** The letters of a file. */
export function lettersOf(lines: FileLines): string | undefined {
  const file = fileOf(lines);
  return file.kind === 'bytes' ? Buffer.from(file.bytes).toString('utf8').replaceAll('\n', '') : undefined;
}

export type Told =
  /** Who makes the file this; `me` is not a child. */
  | readonly [by: string, after: string | undefined]
  | readonly [by: string, verdict: 'accepts' | 'undoes', lines?: readonly (readonly [start: number, end: number])[]];

/** The steps of a file told briefly. A write begins with what stands there. */
export function stepsOf(base: string | undefined, ...told: readonly Told[]): Step[] {
  let now = letters(base);
  return [{ kind: 'seen', content: now }, ...told.map((one): Step => {
    const [by, what] = one;
    if (what === 'accepts' || what === 'undoes') {
      const lines = one[2]?.map(([start, end]) => ({ start, end })) ?? 'all';
      return { kind: 'decision', by: [by], verdict: what === 'accepts' ? 'accepted' : 'undone', content: now, lines };
    }
    const before = now;
    now = letters(what);
    return { kind: 'write', by: by === 'me' ? [] : [by], before, after: now };
  })];
}
