import { join } from 'node:path';
import { displayPath } from './display.ts';
import { plainPath } from './search.ts';

export type OutputMode = 'content' | 'files' | 'count';

export interface RecordOptions {
  readonly mode: OutputMode;
  /** The folder that ripgrep's paths start in. */
  readonly folder: string;
  /** The folder that shown paths start in. */
  readonly cwd: string;
  readonly limit: number;
  isShown(path: string): Promise<boolean>;
}

export interface RecordReader {
  readonly separator: '\n' | '\0';
  /** What to show, at most `limit` lines. */
  readonly lines: readonly string[];
  /** False when there is more than the limit. */
  readonly take: (record: string) => Promise<boolean>;
}

/** Stands between groups of lines that don't adjoin. */
const GAP = '--';

/** Reads ripgrep's output with `--null`: a path, a NUL, then the rest of the line. */
export function recordReader(options: RecordOptions): RecordReader {
  const lines: string[] = [];
  let shown = 0;
  let gap = false;
  const take = async (record: string): Promise<boolean> => {
    const line = record.replace(/\r$/, '');
    if (line === GAP) {
      gap = true;
      return true;
    }
    const entry = parse(line, options.mode);
    if (!entry || !(await options.isShown(entry.path))) return true;
    if (shown === options.limit) return false;
    // A gap is shown only between lines that are, whatever was left out around it.
    if (gap && shown > 0) lines.push(GAP);
    gap = false;
    shown++;
    lines.push(`${displayPath(join(options.folder, entry.path), options.cwd)}${entry.rest}`);
    return true;
  };
  return { separator: options.mode === 'files' ? '\0' : '\n', lines, take };
}

function parse(line: string, mode: OutputMode): { readonly path: string; readonly rest: string } | undefined {
  if (mode === 'files') return line === '' ? undefined : { path: plainPath(line), rest: '' };
  const end = line.indexOf('\0');
  if (end === -1) return binaryNote(line);
  const path = plainPath(line.slice(0, end));
  const rest = line.slice(end + 1);
  return { path, rest: `${mode === 'content' && /^\d+-/.test(rest) ? '-' : ':'}${rest}` };
}

/** What ripgrep says, without a NUL, of a binary file that was named itself. */
function binaryNote(line: string): { readonly path: string; readonly rest: string } | undefined {
  const at = line.indexOf(': binary file matches');
  return at === -1 ? undefined : { path: plainPath(line.slice(0, at)), rest: line.slice(at).replace(/ \(found .*$/, '') };
}
