import { findFrontmatter, linesOf, writtenFields } from './frontmatterBlock.ts';

/** A part of a text to be replaced; lines and columns from zero. Ends of lines in the new text are `\n`. */
export interface TextChange {
  readonly line: number;
  readonly start: number;
  readonly endLine: number;
  readonly end: number;
  readonly text: string;
}

/** What a problem marks, as problems say it: from one. */
export interface Marked {
  readonly line: number;
  readonly column: number;
  readonly endLine?: number;
  readonly endColumn?: number;
}

/** Replaces the marked word, in its quotes if it has some; several words become entries of the list that it is in. */
export function replaceWord(text: string, mark: Marked, words: readonly string[]): readonly TextChange[] | undefined {
  const range = wordRange(mark);
  const written = linesOf(text)[mark.line - 1];
  if (!range || written === undefined) return undefined;
  const old = written.slice(range.start, range.end);
  const quote = /^(["']).*\1$/.exec(old)?.[1] ?? '';
  const [, indent] = /^(\s*)-\s/.exec(written) ?? [];
  // A pattern such as `github/*` needs no quotes, but what begins with `*` does.
  const wrapped = words.map((word) => `${quote}${word}${quote}`);
  return [{ ...range, text: wrapped.join(indent === undefined ? ', ' : `\n${indent}- `) }];
}

/** Takes the marked word out of its list. Nothing where it is the only one: what the list then says is another matter. */
export function removeWord(text: string, mark: Marked): readonly TextChange[] | undefined {
  const range = wordRange(mark);
  const lines = linesOf(text);
  const written = lines[mark.line - 1];
  if (!range || written === undefined) return undefined;
  if (/^\s*-\s/.test(written)) {
    const isItem = (line: string | undefined): boolean => line !== undefined && /^\s*-\s/.test(line) && !line.startsWith('---');
    if (!isItem(lines[range.line - 1]) && !isItem(lines[range.line + 1])) return undefined;
    return [{ line: range.line, start: 0, endLine: range.line + 1, end: 0, text: '' }];
  }
  const [behind] = /^\s*,\s*/.exec(written.slice(range.end)) ?? [];
  if (behind !== undefined) return [{ ...range, end: range.end + behind.length, text: '' }];
  const [before] = /\s*,\s*$/.exec(written.slice(0, range.start)) ?? [];
  return before === undefined ? undefined : [{ ...range, start: range.start - before.length, text: '' }];
}

/** Takes out the whole field that the mark is in, or writes that line in its place. Within a map only fields of one line. */
export function removeField(text: string, mark: Marked, line?: string): readonly TextChange[] | undefined {
  const block = findFrontmatter(text);
  const at = mark.line - 1;
  const field = block && writtenFields(block).find((each) => each.line <= at && at < each.end);
  if (!block || !field) return undefined;
  if (field.line !== at && line === undefined) {
    const indent = (each: string | undefined): number => /^\s*/.exec(each ?? '')?.[0].length ?? 0;
    if (at + 1 < field.end && indent(block.lines[at + 1]) > indent(block.lines[at])) return undefined;
    return [{ line: at, start: 0, endLine: at + 1, end: 0, text: '' }];
  }
  if (field.line === at && mark.column > 1 && line === undefined) return undefined;
  return [{ line: field.line, start: 0, endLine: field.end, end: 0, text: line === undefined ? '' : `${line}\n` }];
}

/** Puts quotes around what is marked, to the end of its line. */
export function quoteValue(text: string, mark: Marked): readonly TextChange[] | undefined {
  const range = wordRange(mark);
  const written = range && linesOf(text)[range.line]?.slice(range.start, range.end);
  if (!range || written === undefined || written === '') return undefined;
  return [{ ...range, text: /["\\]/.test(written) ? `'${written.replaceAll("'", "''")}'` : `"${written}"` }];
}

/** Two spaces for each tab that indents a line of the frontmatter. */
export function replaceTabs(text: string): readonly TextChange[] {
  const block = findFrontmatter(text);
  if (!block) return [];
  return block.lines.slice(block.start, block.end).flatMap((line, index) => {
    const [blanks = ''] = /^[ \t]*/.exec(line) ?? [];
    const at = block.start + index;
    return blanks.includes('\t') ? [{ line: at, start: 0, endLine: at, end: blanks.length, text: blanks.replaceAll('\t', '  ') }] : [];
  });
}

/** Writes the agent's name. */
export function setName(text: string, name: string): readonly TextChange[] | undefined {
  const block = findFrontmatter(text);
  if (!block) return undefined;
  const line = `name: ${/^[\w][\w .-]*$/.test(name) && !name.endsWith(' ') ? name : JSON.stringify(name)}`;
  const field = writtenFields(block).find((each) => each.name === 'name');
  return field ? removeField(text, { line: field.line + 1, column: 1 }, line) : [{ line: block.start, start: 0, endLine: block.start, end: 0, text: `${line}\n` }];
}

/** The text after changes that don't overlap. */
export function applyChanges(text: string, changes: readonly TextChange[]): string {
  const starts = [...text.matchAll(/\r\n?|\n/g)].reduce<number[]>((all, { index, 0: end }) => [...all, index + end.length], [0]);
  const offset = (line: number, column: number): number => (line < starts.length ? (starts[line] ?? 0) + column : text.length);
  const ordered = changes.toSorted((a, b) => b.line - a.line || b.start - a.start);
  return ordered.reduce((now, change) => now.slice(0, offset(change.line, change.start)) + change.text + now.slice(offset(change.endLine, change.end)), text);
}

function wordRange({ line, column, endLine, endColumn }: Marked): Omit<TextChange, 'text'> | undefined {
  if (endColumn === undefined || endLine !== line) return undefined;
  return { line: line - 1, start: column - 1, endLine: line - 1, end: endColumn - 1 };
}
