import type { LineRange } from '../../../runtime/domain/reviews.ts';
import { anchorAt, findAnchor, shifted, type Anchor, type TextChange } from './lines.ts';

/** Where a comment stands, and how it is found again. */
export interface DraftLines {
  readonly lines: LineRange;
  readonly anchor: Anchor;
}

/** As placed in a text that nobody watched: where its lines are now, else where they were. */
export function placedIn(text: readonly string[], { lines, anchor }: DraftLines): DraftLines {
  const found = findAnchor(anchor, lines.start, text);
  return found === undefined ? { lines: inside(lines, text.length), anchor } : remembered(text, found, anchor);
}

/**
 * After changes of its text, which `text` already has.
 * @param changes of one edit, all in lines of the text before it
 */
export function afterEdit(text: readonly string[], { lines, anchor }: DraftLines, changes: readonly TextChange[]): DraftLines {
  const upwards = changes.toSorted((a, b) => b.start.line - a.start.line || b.start.character - a.start.character);
  const moved = upwards.reduce((range, change) => shifted(range, change), lines);
  // Where all of it was replaced, as formatters do, or brought back, what it says tells more than where it stood.
  const isUnsure = lines.start === lines.end || changes.some((change) => replaces(change, lines));
  const found = isUnsure ? findAnchor(anchor, moved.start, text) : undefined;
  return remembered(text, found ?? inside(moved, text.length), anchor);
}

/** Whether nothing of the lines is left where they stood. */
function replaces({ start, end }: TextChange, lines: LineRange): boolean {
  const isFromAbove = start.line < lines.start;
  return (isFromAbove && end.line >= lines.end - 1) || (start.line === lines.start && start.character === 0 && end.line >= lines.end);
}

/** Lines that are gone keep what they were known by: an undo may bring them back. */
function remembered(text: readonly string[], lines: LineRange, anchor: Anchor): DraftLines {
  return { lines, anchor: lines.start === lines.end ? anchor : anchorAt(text, lines) };
}

function inside({ start, end }: LineRange, count: number): LineRange {
  return { start: Math.min(start, count), end: Math.min(end, count) };
}
