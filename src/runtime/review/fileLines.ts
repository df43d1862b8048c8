import { AppError } from '../base/errors.ts';
import { contentHash, decodeText, encodeText, type TextFormat } from '../base/textFile.ts';

/**
 * A file as lines with their ends. One that is there begins with a marker line, which holds how its text is encoded;
 * one that isn't is an empty list; a binary one is the marker and one line with its hash. So a file that comes, goes or
 * is encoded anew is a change of lines like any other. Marker and hash begin with a line end and go on behind it, as no
 * line of a text can.
 */
export type FileLines = readonly string[];

/** What lines stand for. `stored`: a binary content, to be found under its hash. */
export type FileOf = { readonly kind: 'absent' } | { readonly kind: 'bytes'; readonly bytes: Uint8Array } | { readonly kind: 'stored'; readonly hash: string };

const MARKER = '\n:';
const HASH = '\n#';
const BINARY = `${MARKER}binary`;
const FORMATS: readonly TextFormat[] = [
  { encoding: 'utf8', bom: false },
  { encoding: 'utf8', bom: true },
  { encoding: 'utf16le', bom: true },
  { encoding: 'utf16be', bom: true },
  { encoding: 'bytes', bom: false },
];
const LINE = /[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g;

/** The lines of a file's bytes; `undefined` is no file. */
export function linesOf(bytes: Uint8Array | undefined): FileLines {
  if (!bytes) return [];
  const file = decodeText(bytes);
  return file ? [markerOf(file), ...(file.text.match(LINE) ?? [])] : [BINARY, HASH + contentHash(bytes)];
}

/** The very file that `linesOf` took apart, or that was put together from such lines. Throws `invalid_input` where its encoding has no bytes for a character. */
export function fileOf(lines: FileLines): FileOf {
  const [marker, ...rest] = lines;
  if (marker === undefined) return { kind: 'absent' };
  if (marker === BINARY) return { kind: 'stored', hash: (rest[0] ?? HASH).slice(HASH.length) };
  const format = FORMATS.find((known) => markerOf(known) === marker);
  if (!format) throw new AppError('invalid_input', 'These lines are no file: they lack what it is encoded in.');
  return { kind: 'bytes', bytes: encodeText(rest.join(''), format) };
}

export function isBinary(lines: FileLines): boolean {
  return lines[0] === BINARY;
}

/** What kind of content lines begin with. Lines of one kind mean something else in a file of another, so no line outlives a change of it. Nothing where no marker is among them. */
export function kindOf(lines: FileLines): 'binary' | 'bytes' | 'unicode' | undefined {
  const first = lines[0];
  if (!first?.startsWith(MARKER)) return undefined;
  if (first === BINARY) return 'binary';
  return first === `${MARKER}bytes` ? 'bytes' : 'unicode';
}

/** Those that a person sees: without marker, hash and line ends. */
export function shownLines(lines: FileLines): string[] {
  return lines.filter(isShown).map((line) => line.replace(/(?:\r\n|\n|\r)$/, ''));
}

/** How many of them a person sees. */
export function countShown(lines: FileLines): number {
  return lines.reduce((count, line) => (isShown(line) ? count + 1 : count), 0);
}

/** The place in the text, counted from 0, of a place in the list. */
export function shownPlace(lines: FileLines, at: number): number {
  return isBinary(lines) ? 0 : Math.max(0, at - 1);
}

/** False where one line behind the other is not the same two lines in a file: the first has no end, or half of one. */
export function mayFollow(line: string, next: string): boolean {
  return isMeta(line) || (line.endsWith('\r') ? !next.startsWith('\n') : line.endsWith('\n'));
}

function isShown(line: string): boolean {
  return !isMeta(line);
}

function isMeta(line: string): boolean {
  return line.length > 1 && line.startsWith('\n');
}

function markerOf({ encoding, bom }: TextFormat): string {
  return `${MARKER}${encoding}${bom && encoding === 'utf8' ? ' bom' : ''}`;
}
