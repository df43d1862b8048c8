import { TextDecoder } from 'node:util';

const BOM = '\uFEFF';

/** The text of UTF-8 bytes without a BOM; nothing for bytes that aren't UTF-8 text. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? undefined : text.replace(/^\uFEFF/, '');
  } catch {
    return undefined;
  }
}

/** UTF-8 bytes, with a BOM where the file has one. */
export function encodeText(text: string, bom: boolean): Uint8Array {
  return Buffer.from(bom ? BOM + text : text, 'utf8');
}

export function hasBom(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

export type LineEnd = '\n' | '\r\n';

/** The one line end of a text, `none` where it is a single line, `mixed` where an editor could not keep it as it is. */
export function lineEndOf(text: string): LineEnd | 'none' | 'mixed' {
  const crlf = (text.match(/\r\n/g) ?? []).length;
  const lf = (text.match(/(?<!\r)\n/g) ?? []).length;
  const cr = (text.match(/\r(?!\n)/g) ?? []).length;
  if (cr > 0 || (crlf > 0 && lf > 0)) return 'mixed';
  if (crlf > 0) return '\r\n';
  return lf > 0 ? '\n' : 'none';
}

/** A replacement of the characters from `start` to `end`. */
export interface TextChange {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The one change between two texts that leaves their common start and end alone, so that cursors stay; nothing when they are equal. */
export function changeBetween(before: string, after: string): TextChange | undefined {
  if (before === after) return undefined;
  const longest = Math.min(before.length, after.length);
  let start = 0;
  while (start < longest && before[start] === after[start]) start++;
  while (start > 0 && (splits(before, start) || splits(after, start))) start--;
  let same = 0;
  while (same < longest - start && before.at(-1 - same) === after.at(-1 - same)) same++;
  while (same > 0 && (splits(before, before.length - same) || splits(after, after.length - same))) same--;
  return { start, end: before.length - same, text: after.slice(start, after.length - same) };
}

/** Whether a cut there would part a surrogate pair or a CRLF, which an editor can't address. */
function splits(text: string, at: number): boolean {
  const left = text.charCodeAt(at - 1);
  const right = text.charCodeAt(at);
  return (left >= 0xd800 && left <= 0xdbff && right >= 0xdc00 && right <= 0xdfff) || (left === 0x0d && right === 0x0a);
}
