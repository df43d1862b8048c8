/** Bytes at the beginning among which a page says how it is encoded. */
const HEAD = 4_096;

/**
 * Bytes as text: by their byte order mark, else by the name that the server gave, else by what the text says of itself,
 * else as UTF-8, or as Windows-1252 where they can't be that. A name that nobody knows is passed over; never throws.
 */
export function decodeText(bytes: Uint8Array, named: string | undefined): string {
  return new TextDecoder(encodingOf(bytes, named)).decode(bytes);
}

/** The name of the encoding that `decodeText` takes, in lower case. */
export function encodingOf(bytes: Uint8Array, named: string | undefined): string {
  return markOf(bytes) ?? known(named) ?? known(declared(bytes)) ?? (isUtf8(bytes) ? 'utf-8' : 'windows-1252');
}

function markOf([a, b, c]: Uint8Array): string | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  return a === 0xfe && b === 0xff ? 'utf-16be' : undefined;
}

/** What the head of an HTML or XML text says. It can be read, so that it is none of the encodings of two bytes, whatever it says. */
function declared(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, HEAD)).toString('latin1');
  const name = /<meta\s[^>]{0,500}?charset\s{0,9}=\s{0,9}["']?\s{0,9}([\w.:-]{1,40})/i.exec(head)?.[1] ?? /^\s{0,99}<\?xml\s[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']([\w.:-]{1,40})/i.exec(head)?.[1];
  return name !== undefined && /^utf-?16/i.test(name) ? 'utf-8' : name;
}

/** The name itself, where it is one of an encoding that is known here. */
function known(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  try {
    return new TextDecoder(name).encoding;
  } catch {
    // It throws for a name that it doesn't know, and only then.
    return undefined;
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    // The end may be cut in the middle of a character.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
