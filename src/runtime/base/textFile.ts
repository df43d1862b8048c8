import { createHash } from 'node:crypto';
import { AppError } from './errors.ts';

/** How a text stands in its file. `bytes`: no known encoding, each byte is shown as one character. */
export interface TextFormat {
  readonly encoding: 'utf8' | 'utf16le' | 'utf16be' | 'bytes';
  readonly bom: boolean;
}

/** A file's text without its byte order mark, line ends as they are. */
export interface TextFile extends TextFormat {
  readonly text: string;
}

/** Git's own measure: a NUL this early makes a file binary. */
const SNIFFED = 8000;
/** Share of control bytes above which bytes of no known encoding aren't text. */
const MAX_CONTROLS = 0.05;

/** The text of a file; nothing for a binary one. Encoding it again with the same format gives the same bytes. */
export function decodeText(bytes: Uint8Array): TextFile | undefined {
  const wide = utf16Of(bytes);
  if (wide) return decodeWide(bytes.subarray(2), wide);
  const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const start = bytes.subarray(0, SNIFFED);
  if (start.includes(0) || startsWith(bytes, '%PDF-')) return undefined;
  const text = decodeStrictly('utf-8', bom ? bytes.subarray(3) : bytes);
  if (text !== undefined) return { text, encoding: 'utf8', bom };
  const controls = start.reduce((count, byte) => (byte < 32 && !(byte >= 8 && byte <= 13) && byte !== 27 ? count + 1 : count), 0);
  if (controls > start.length * MAX_CONTROLS) return undefined;
  return { text: Buffer.from(bytes).toString('latin1'), encoding: 'bytes', bom: false };
}

/** The bytes of a text in that format. Throws `invalid_input` where the format has no bytes for a character. */
export function encodeText(text: string, { encoding, bom }: TextFormat): Uint8Array {
  switch (encoding) {
    case 'utf8':
      return Buffer.from(bom ? `\ufeff${text}` : text, 'utf8');
    case 'utf16le':
      return Buffer.from(`\ufeff${text}`, 'utf16le');
    case 'utf16be':
      return Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
    case 'bytes':
      if (/[^\0-\xff]/.test(text)) throw new AppError('invalid_input', 'This file is not UTF-8, and its encoding is unknown: only ASCII text can be put into it. Use ASCII, or convert the file first.');
      return Buffer.from(text, 'latin1');
  }
}

/** Names one content of a file. */
export function contentHash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url');
}

/** The lines of a text; an end after the last line doesn't start another. */
export function splitLines(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function utf16Of(bytes: Uint8Array): 'utf16le' | 'utf16be' | undefined {
  if (bytes.length % 2 !== 0) return undefined;
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf16be' : undefined;
}

function decodeWide(bytes: Uint8Array, encoding: 'utf16le' | 'utf16be'): TextFile | undefined {
  const text = decodeStrictly(encoding === 'utf16le' ? 'utf-16le' : 'utf-16be', bytes);
  return text === undefined || text.includes('\0') ? undefined : { text, encoding, bom: true };
}

function decodeStrictly(encoding: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return Buffer.from(bytes.subarray(0, text.length)).toString('latin1') === text;
}
