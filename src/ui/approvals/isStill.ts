import { decodeText } from '../../runtime/base/textFile.ts';

/**
 * Whether a file still holds what a request for its change was made on.
 * @param before the text of that time; empty for no file
 * @param present nothing where no file is. Of a binary one nothing can be said.
 */
export function isStill(before: string, present: Uint8Array | undefined): boolean {
  if (present === undefined) return before === '';
  const text = decodeText(present)?.text;
  return text === undefined || withPlainEnds(text) === withPlainEnds(before);
}

/** An editor has one line end for all lines, whatever the file had. */
function withPlainEnds(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
