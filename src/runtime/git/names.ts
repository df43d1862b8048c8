import { isUtf8 } from 'node:buffer';

/** A path as git gives it, relative to the top of a work tree: each character is one byte. Not every one is text. */
export type RawName = string;

/** The parts of an output that ends each with a NUL. */
export function splitNul(output: Buffer): RawName[] {
  const names = output.toString('latin1').split('\0');
  names.pop();
  return names;
}

/** As git takes many names on its standard input. */
export function joinNul(names: Iterable<RawName>): Buffer {
  return Buffer.from([...names].map((name) => `${name}\0`).join(''), 'latin1');
}

/** Nothing where the bytes are no text. */
export function textOf(name: RawName): string | undefined {
  const bytes = Buffer.from(name, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

/** For a person: bytes that are no text are shown as a mark. */
export function shownName(name: RawName): string {
  return Buffer.from(name, 'latin1').toString('utf8');
}

export function rawName(text: string): RawName {
  return Buffer.from(text, 'utf8').toString('latin1');
}
