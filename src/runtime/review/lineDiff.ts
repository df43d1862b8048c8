import { diffArrays } from 'diff';
import { kindOf, type FileLines } from './fileLines.ts';

/** Lines of one list, from `start` to before `end`, that other lines stand for in the other. Either may be none. */
export interface LineChange {
  readonly start: number;
  readonly end: number;
  readonly lines: FileLines;
}

/** Lines removed and added, in a stretch without any line of its own kind, beyond which the stretch is taken as changed as a whole: the effort grows with the square. */
const MAX_EDITS = 300;

/**
 * What makes the one list of lines the other, from the top to the end, with at least one common line between two
 * changes. The same for the same lists always. A file that comes, goes or becomes of another kind is one change.
 */
export function lineChanges(before: FileLines, after: FileLines): LineChange[] {
  if (before === after) return [];
  if (kindOf(before) !== kindOf(after)) return [{ start: 0, end: before.length, lines: after }];
  const { start, endBefore, endAfter } = withoutCommonEnds(before, after, 0, before.length, 0, after.length);
  const changes: LineChange[] = [];
  let [fromBefore, fromAfter] = [start, start];
  for (const [atBefore, atAfter] of [...anchors(before, after, start, endBefore, endAfter), [endBefore, endAfter] as const]) {
    addChanges(changes, before, after, fromBefore, atBefore, fromAfter, atAfter);
    [fromBefore, fromAfter] = [atBefore + 1, atAfter + 1];
  }
  return changes;
}

export function sameLines(a: FileLines, b: FileLines): boolean {
  return a === b || (a.length === b.length && a.every((line, index) => line === b[index]));
}

/** Pairs of lines that occur once on either side, as many as are in the same order on both: no diff may pass over these, so rewriting much of a file stays cheap and what nobody touched stays what it is. */
function anchors(before: FileLines, after: FileLines, start: number, endBefore: number, endAfter: number): (readonly [number, number])[] {
  const places = uniquePlaces(after, start, endAfter);
  const pairs: (readonly [number, number])[] = [];
  for (const [line, at] of uniquePlaces(before, start, endBefore)) {
    const other = at < 0 ? undefined : places.get(line);
    if (other !== undefined && other >= 0) pairs.push([at, other]);
  }
  return longestRise(pairs);
}

/** Each line with its place; -1 where it occurs more than once. In order of the first occurrence. */
function uniquePlaces(lines: FileLines, start: number, end: number): Map<string, number> {
  const places = new Map<string, number>();
  for (let at = start; at < end; at++) places.set(lines[at]!, places.has(lines[at]!) ? -1 : at);
  return places;
}

/** The longest row of pairs that rise on both sides; they come sorted by the first. */
function longestRise(pairs: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const lasts: number[] = [];
  const previous: number[] = [];
  pairs.forEach(([, place], index) => {
    let [low, high] = [0, lasts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[lasts[middle]!]![1] < place) low = middle + 1;
      else high = middle;
    }
    previous[index] = low > 0 ? lasts[low - 1]! : -1;
    lasts[low] = index;
  });
  const row: (readonly [number, number])[] = [];
  for (let at = lasts.at(-1) ?? -1; at >= 0; at = previous[at]!) row.push(pairs[at]!);
  return row.reverse();
}

/** Adds the changes of one stretch of both lists. */
function addChanges(changes: LineChange[], before: FileLines, after: FileLines, fromBefore: number, toBefore: number, fromAfter: number, toAfter: number): void {
  const { start, startAfter, endBefore, endAfter } = withoutCommonEnds(before, after, fromBefore, toBefore, fromAfter, toAfter);
  if (start === endBefore && startAfter === endAfter) return;
  const [removed, added] = [before.slice(start, endBefore), after.slice(startAfter, endAfter)];
  const known = new Set(removed);
  const parts = added.some((line) => known.has(line)) ? diffArrays([...removed], [...added], { maxEditLength: MAX_EDITS }) : undefined;
  if (!parts) {
    changes.push({ start, end: endBefore, lines: added });
    return;
  }
  let at = start;
  let open: { start: number; lines: string[] } | undefined;
  const close = (): void => {
    if (open) changes.push({ start: open.start, end: at, lines: open.lines });
    open = undefined;
  };
  for (const part of parts) {
    if (!part.added && !part.removed) close();
    else open ??= { start: at, lines: [] };
    if (part.added) for (const line of part.value) open!.lines.push(line);
    else at += part.value.length;
  }
  close();
}

function withoutCommonEnds(before: FileLines, after: FileLines, start: number, endBefore: number, startAfter: number, endAfter: number): { start: number; startAfter: number; endBefore: number; endAfter: number } {
  while (start < endBefore && startAfter < endAfter && before[start] === after[startAfter]) [start, startAfter] = [start + 1, startAfter + 1];
  while (start < endBefore && startAfter < endAfter && before[endBefore - 1] === after[endAfter - 1]) [endBefore, endAfter] = [endBefore - 1, endAfter - 1];
  return { start, startAfter, endBefore, endAfter };
}
