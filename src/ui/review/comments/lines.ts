import type { LineRange } from '../../../runtime/domain/reviews.ts';

/** How many lines above and below are kept with lines, to find them again. */
const CONTEXT = 3;
/** How far apart the lines above and those below may have come, beyond what stood between them. */
const MAX_GROWTH = 20;

/** Lines with what stands around them, so that they are found again in a text that has changed. All without their ends. */
export interface Anchor {
  readonly above: readonly string[];
  readonly lines: readonly string[];
  readonly below: readonly string[];
}

/** A place in a text, as editors count: both from 0. */
export interface Place {
  readonly line: number;
  readonly character: number;
}

/** One change of a text: what stands from `start` to `end` gives way to a text that holds that many line ends. */
export interface TextChange {
  readonly start: Place;
  readonly end: Place;
  readonly lineEnds: number;
}

/** The lines of a text as an editor counts them: a text that ends with a line end has an empty last line. */
export function editorLines(text: string): readonly string[] {
  return text.split(/\r\n|\n|\r/);
}

export function anchorAt(text: readonly string[], { start, end }: LineRange): Anchor {
  return { above: text.slice(Math.max(0, start - CONTEXT), start), lines: text.slice(start, end), below: text.slice(end, end + CONTEXT) };
}

/**
 * Where the lines stand in a text: as they were, at the place that has most of what stood around them, of several the
 * nearest to `near`; else what stands between the lines around them. Nothing where neither is there.
 * @param near where they began when they were last seen
 */
export function findAnchor(anchor: Anchor, near: number, text: readonly string[]): LineRange | undefined {
  const { lines } = anchor;
  const starts = lines.length === 0 ? [] : indexesOf(lines, text);
  const [best] = starts.map((start) => ({ start, score: around(anchor, start, text), distance: Math.abs(start - near) })).sort((a, b) => b.score - a.score || a.distance - b.distance);
  return best === undefined ? between(anchor, near, text) : { start: best.start, end: best.start + lines.length };
}

/** Lines after a change of their text: they move with what is changed above them, and grow and shrink with what is changed in them. */
export function shifted({ start, end }: LineRange, change: TextChange): LineRange {
  const moved = change.lineEnds - (change.end.line - change.start.line);
  const isAbove = change.end.line < start || (change.end.line === start && change.end.character === 0);
  if (isAbove) return { start: start + moved, end: end + moved };
  if (change.start.line >= end) return { start, end };
  const newStart = Math.min(start, change.start.line);
  if (change.end.line < end) return { start: newStart, end: Math.max(newStart, end + moved) };
  // The end is gone with the change: what is left reaches as far as the new text.
  const last = change.start.line + change.lineEnds;
  const keepsLast = change.start.character > 0 || change.lineEnds > 0;
  return { start: newStart, end: Math.max(newStart, keepsLast ? last + 1 : last) };
}

/** The range inside a text of that many lines, at least one line long, for an editor to show. */
export function shownLines({ start, end }: LineRange, count: number): LineRange {
  const first = Math.min(Math.max(0, end <= start ? start - 1 : start), Math.max(0, count - 1));
  return { start: first, end: Math.min(Math.max(first + 1, end), Math.max(1, count)) };
}

/** Whether the ranges share a line, or one that is a place between two lines lies in or at the edge of the other. */
export function touches(a: LineRange, b: LineRange): boolean {
  if (a.start === a.end || b.start === b.end) return a.start <= b.end && b.start <= a.end;
  return a.start < b.end && b.start < a.end;
}

function indexesOf(lines: readonly string[], text: readonly string[]): readonly number[] {
  const found: number[] = [];
  for (let start = 0; start + lines.length <= text.length; start++) if (lines.every((line, index) => text[start + index] === line)) found.push(start);
  return found;
}

/** How many of the lines around stand around the place, counted outwards up to the first that doesn't. */
function around({ above, lines, below }: Anchor, start: number, text: readonly string[]): number {
  return sameRun(above.toReversed(), (index) => text[start - 1 - index]) + sameRun(below, (index) => text[start + lines.length + index]);
}

function sameRun(expected: readonly string[], at: (index: number) => string | undefined): number {
  const differs = expected.findIndex((line, index) => at(index) !== line);
  return differs < 0 ? expected.length : differs;
}

function between({ above, lines, below }: Anchor, near: number, text: readonly string[]): LineRange | undefined {
  if (above.length === 0 && below.length === 0) return undefined;
  const starts = above.length === 0 ? [0] : indexesOf(above, text).map((start) => start + above.length);
  const ends = below.length === 0 ? [text.length] : indexesOf(below, text);
  const pairs = starts.flatMap((start) => {
    const end = ends.find((candidate) => candidate >= start);
    return end === undefined || end - start > lines.length + MAX_GROWTH ? [] : [{ start, end }];
  });
  return pairs.sort((a, b) => Math.abs(a.start - near) - Math.abs(b.start - near))[0];
}
