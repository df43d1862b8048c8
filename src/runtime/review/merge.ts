import { mayFollow, type FileLines } from './fileLines.ts';
import { lineChanges, sameLines, type LineChange } from './lineDiff.ts';

/** What a three-way merge came to. */
export interface Merged {
  /** Both sides' changes together; absent where some are in conflict. */
  readonly lines?: FileLines;
  /** Those of the one side that are in conflict with the other. */
  readonly conflicts: readonly LineChange[];
}

/**
 * Puts two sides' changes of the same lines together. Changes that meet, or touch each other without a line in between,
 * are in conflict, unless both are the same.
 * @param changes what makes `base` one side, from the top to the end
 */
export function merge(base: FileLines, changes: readonly LineChange[], other: FileLines): Merged {
  const others = lineChanges(base, other);
  const isSame = (a: LineChange, b: LineChange): boolean => a.start === b.start && a.end === b.end && sameLines(a.lines, b.lines);
  const touches = (a: LineChange, b: LineChange): boolean => a.start <= b.end && b.start <= a.end;
  const conflicts: LineChange[] = [];
  const added: LineChange[] = [];
  let next = 0;
  for (const change of changes) {
    while (next < others.length && others[next]!.end < change.start) next++;
    const met: LineChange[] = [];
    for (let at = next; at < others.length && others[at]!.start <= change.end; at++) if (touches(change, others[at]!)) met.push(others[at]!);
    if (met.some((each) => !isSame(change, each))) conflicts.push(change);
    else if (met.length === 0) added.push(change);
  }
  if (conflicts.length > 0) return { conflicts };
  const lines = applied(base, [...others, ...added].toSorted((a, b) => a.start - b.start));
  // Where ends of lines are missing, two lines put side by side would become one.
  return lines.every((line, index) => index + 1 === lines.length || mayFollow(line, lines[index + 1]!)) ? { lines, conflicts } : { conflicts: changes };
}

/** The lines with the changes made: sorted, and none meeting another. */
export function applied(base: FileLines, changes: readonly LineChange[]): FileLines {
  const result: string[] = [];
  const add = (lines: FileLines): void => {
    for (const line of lines) result.push(line);
  };
  let at = 0;
  for (const { start, end, lines } of changes) {
    add(base.slice(at, start));
    add(lines);
    at = end;
  }
  add(base.slice(at));
  return result;
}
