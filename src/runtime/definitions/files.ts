import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isUtf8 } from 'node:buffer';
import { errorText, systemCode } from '../base/errors.ts';
import type { DefinitionDiagnostic } from '../domain/definitions.ts';
import { compareText } from './names.ts';

/** A file's text, or why it can't be had. */
export type FileText =
  | { readonly path: string; readonly text: string }
  | { readonly path: string; readonly problem: DefinitionDiagnostic };

const MAX_BYTES = 256 * 1024;

/** The `.md` entries directly in a folder, in one order on every machine. A missing folder is empty; rejects when the folder can't be read. */
export async function listMarkdown(folder: string): Promise<readonly string[]> {
  try {
    const names = await readdir(folder);
    return names.filter((name) => /\.md$/i.test(name)).sort(compareText).map((name) => join(folder, name));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Reads a small UTF-8 file. Never throws. */
export async function readText(path: string): Promise<FileText> {
  const problem = (code: string, message: string, line = 1, column = 1): FileText => ({ path, problem: { severity: 'error', code, message, path, line, column } });
  try {
    const info = await stat(path);
    // Checked before opening: reading a pipe or a device would wait for ever.
    if (!info.isFile()) return { path, problem: { severity: 'warning', code: 'not_a_file', message: `${basename(path)} is no file.`, path, line: 1, column: 1 } };
    if (info.size > MAX_BYTES) return problem('too_large', `The file is larger than ${MAX_BYTES / 1024} KB.`);
    const bytes = await readFile(path);
    if (isUtf8(bytes)) return { path, text: bytes.toString('utf8') };
    const before = bytes.toString('utf8').split('\uFFFD', 1)[0] ?? '';
    const lines = before.split(/\r\n?|\n/);
    return problem('not_utf8', 'The file is not UTF-8. Save it with that encoding.', lines.length, (lines.at(-1) ?? '').length + 1);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return problem('missing', 'The file is gone, or is a link to nothing.');
    return problem('unreadable', `The file can't be read: ${errorText(error)}`);
  }
}
