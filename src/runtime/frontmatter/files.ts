import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { errorText, systemCode } from '../base/errors.ts';
import type { DefinitionDiagnostic } from '../domain/definitions.ts';

/** A file's text with the hash of its bytes, or why it can't be had. */
export type FileText =
  | { readonly path: string; readonly text: string; readonly hash: string }
  | { readonly path: string; readonly problem: DefinitionDiagnostic };

const MAX_BYTES = 256 * 1024;

/** Reads a small UTF-8 file. Never throws, and never waits for a pipe or a device. */
export async function readText(path: string): Promise<FileText> {
  try {
    const bytes = await readBytes(path);
    if (bytes === undefined) return { path, problem: { severity: 'warning', code: 'not_a_file', message: `${basename(path)} is no file.`, path, line: 1, column: 1 } };
    if (bytes.length > MAX_BYTES) return problem(path, 'too_large', `The file is larger than ${MAX_BYTES / 1024} KB.`);
    const wrong = checkEncoding(path, bytes);
    return wrong ?? { path, text: bytes.toString('utf8'), hash: createHash('sha256').update(bytes).digest('hex') };
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return problem(path, 'missing', 'The file is gone, or is a link to nothing.');
    return problem(path, 'unreadable', `The file can't be read: ${errorText(error)}`);
  }
}

/** The first bytes of a regular file, one more than allowed where it is too large; nothing for anything else. */
async function readBytes(path: string): Promise<Buffer | undefined> {
  if (!(await stat(path)).isFile()) return undefined;
  // It may have been replaced by a pipe since: opening one without this flag would wait for a writer.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!(await file.stat()).isFile()) return undefined;
    const bytes = Buffer.alloc(MAX_BYTES + 1);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await file.read(bytes, length, bytes.length - length, null);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return bytes.subarray(0, length);
  } finally {
    await file.close();
  }
}

function checkEncoding(path: string, bytes: Buffer): FileText | undefined {
  const [first, second] = bytes;
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const zero = bytes.indexOf(0);
  if (isMarked || zero === 0 || zero === 1) return problem(path, 'not_utf8', 'The file is UTF-16. Save it as UTF-8.');
  if (!isUtf8(bytes)) return problemAfter(path, bytes.toString('utf8').split('\uFFFD', 1)[0] ?? '', 'The file is not UTF-8. Save it with that encoding.');
  if (zero > 1) return problemAfter(path, bytes.subarray(0, zero).toString('utf8'), 'The file holds a zero byte, so it is no text. Save it as UTF-8 text.');
  return undefined;
}

/** A problem with the place behind the text before it. */
function problemAfter(path: string, before: string, message: string): FileText {
  const lines = before.split(/\r\n?|\n/);
  return problem(path, 'not_utf8', message, lines.length, (lines.at(-1) ?? '').length + 1);
}

function problem(path: string, code: string, message: string, line = 1, column = 1): FileText {
  return { path, problem: { severity: 'error', code, message, path, line, column } };
}
