/** One replacement, as the model wrote it. */
export interface TextEdit {
  readonly oldString: string;
  readonly newString: string;
  readonly replaceAll: boolean;
}

/** Places that an outcome lists. */
const LISTED_PLACES = 10;

/** `line` is that of the first replacement, from 1. `lines` are those of the first places. */
export type EditOutcome =
  | { readonly kind: 'edited'; readonly text: string; readonly count: number; readonly line: number }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'not_unique'; readonly count: number; readonly lines: readonly number[] };

/** Every kind of line end as `\n`. */
export function normaliseEnds(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

/** The number of the line, from 1, that holds the offset of a normalised text. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

/**
 * Replaces exact text. Line ends match whatever their kind; those of the file that the replacement doesn't touch stay
 * as they are, and new ones are of the kind that stands around them.
 */
export function applyEdit(original: string, { oldString, newString, replaceAll }: TextEdit): EditOutcome {
  const text = normaliseEnds(original);
  const from = normaliseEnds(oldString);
  const to = normaliseEnds(newString);
  const places = occurrences(text, from, replaceAll ? from.length : 1);
  const [first] = places;
  if (first === undefined) return { kind: 'not_found' };
  if (places.length > 1 && !replaceAll) return { kind: 'not_unique', count: places.length, lines: places.slice(0, LISTED_PLACES).map((place) => lineAt(text, place)) };

  const { prefix, suffix } = commonEnds(from, to);
  const starts = originalOffsets(original, places.map((place) => place + prefix));
  const ends = originalOffsets(original, places.map((place) => place + from.length - suffix));
  const inserted = to.slice(prefix, to.length - suffix);
  const pieces: string[] = [];
  let done = 0;
  for (const [index, start] of starts.entries()) {
    pieces.push(original.slice(done, start), inserted.replaceAll('\n', lineEndNear(original, start)));
    done = ends[index] ?? start;
  }
  pieces.push(original.slice(done));
  return { kind: 'edited', text: pieces.join(''), count: places.length, line: lineAt(text, first) };
}

function occurrences(text: string, wanted: string, step: number): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + step)) places.push(at);
  return places;
}

/** How much of both is the same at the start and at the end: the lines around a change, given only to find it. */
function commonEnds(a: string, b: string): { readonly prefix: number; readonly suffix: number } {
  const shorter = Math.min(a.length, b.length);
  let prefix = 0;
  while (prefix < shorter && a[prefix] === b[prefix]) prefix++;
  let suffix = 0;
  while (suffix < shorter - prefix && a[a.length - 1 - suffix] === b[b.length - 1 - suffix]) suffix++;
  return { prefix, suffix };
}

/** Where ascending offsets of the normalised text lie in the original: normalising drops one character for each CRLF. */
function originalOffsets(original: string, offsets: readonly number[]): number[] {
  let dropped = 0;
  let next = original.indexOf('\r\n');
  return offsets.map((offset) => {
    while (next !== -1 && next - dropped < offset) {
      dropped++;
      next = original.indexOf('\r\n', next + 2);
    }
    return offset + dropped;
  });
}

/** The line end of the place: of its own line, or of the line before where it has none. */
function lineEndNear(original: string, offset: number): string {
  const next = original.indexOf('\n', offset);
  const at = next === -1 ? original.lastIndexOf('\n') : next;
  if (at === -1) return original.includes('\r') ? '\r' : '\n';
  return original[at - 1] === '\r' ? '\r\n' : '\n';
}
