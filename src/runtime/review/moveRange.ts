import type { LineRange } from '../domain/reviews.ts';
import { lineChanges } from './lineDiff.ts';

/**
 * Where lines of a text are in a later one. Lines in place of which others stand are where these are; nothing where
 * they are gone, or never were.
 */
export function moveRange({ start, end }: LineRange, before: readonly string[], after: readonly string[]): LineRange | undefined {
  const [first, last] = [Math.min(start, before.length), Math.min(Math.max(start, end), before.length)];
  if (first === last && start < end) return undefined;
  const changes = lineChanges(before, after);
  // A line is found by the change that it is in, if any, and else by how much those above have moved it.
  const placeOf = (line: number, edge: 'start' | 'end'): number => {
    let shift = 0;
    for (const change of changes) {
      if (change.start > line) break;
      if (line < change.end) return change.start + shift + (edge === 'start' ? 0 : change.lines.length);
      // What was put in right before a line moves it; a line that was taken out has its place.
      shift += change.lines.length - (change.end - change.start);
    }
    return line + shift + (edge === 'start' ? 0 : 1);
  };
  if (first === last) return emptyAt(placeOf(first, 'start'), after);
  const moved = { start: placeOf(first, 'start'), end: placeOf(last - 1, 'end') };
  return moved.start < moved.end ? moved : undefined;
}

function emptyAt(place: number, { length }: readonly string[]): LineRange {
  const at = Math.min(place, length);
  return { start: at, end: at };
}
