/** The frontmatter of a text that may be half written: the lines between its fences. */
export interface FrontmatterBlock {
  /** All lines of the text, without their ends. */
  readonly lines: readonly string[];
  /** Index of its first line; the opening fence is the one before. */
  readonly start: number;
  /** Index of the line behind its last one. */
  readonly end: number;
  readonly isClosed: boolean;
}

/** Finds the frontmatter; nothing where the text doesn't start with a fence. Without a closing fence it goes on to what can be no YAML. */
export function findFrontmatter(text: string): FrontmatterBlock | undefined {
  const lines = linesOf(text);
  if (!/^\uFEFF?---(?!-)\s*(?:ya?ml\s*)?$/i.test(lines[0] ?? '')) return undefined;
  const close = lines.findIndex((line, index) => index > 0 && line.startsWith('---'));
  if (close >= 0) return { lines, start: 1, end: close, isClosed: true };
  const prose = lines.findIndex((line, index) => index > 0 && isProse(line));
  return { lines, start: 1, end: prose < 0 ? lines.length : prose, isClosed: false };
}

export function linesOf(text: string): readonly string[] {
  return text.split(/\r\n?|\n/);
}

/** A field at the start of a line, as far as it is written. */
export interface WrittenField {
  readonly name: string;
  /** The text behind the colon, as written. */
  readonly rest: string;
  readonly line: number;
  /** Index of the line behind its last one, without blank lines and comments at its end. */
  readonly end: number;
}

/** The fields of the frontmatter that begin at the start of a line. */
export function writtenFields({ lines, start, end }: FrontmatterBlock): readonly WrittenField[] {
  const found = lines.slice(start, end).flatMap((text, index) => {
    const [, quoted, plain, rest = ''] = /^(?:"([^"]+)"|([^\s#"'\-[{][^:]*?))\s*:(?:\s+(.*))?$/.exec(text) ?? [];
    const name = quoted ?? plain;
    return name === undefined ? [] : [{ name, rest, line: start + index }];
  });
  return found.map((field, index) => {
    let behind = found[index + 1]?.line ?? end;
    while (behind > field.line + 1 && /^\s*(?:#.*)?$/.test(lines[behind - 1] ?? '')) behind -= 1;
    return { ...field, end: behind };
  });
}

/** Blank lines, comments, indented lines, items, fields, and words that may become a field are none. */
function isProse(line: string): boolean {
  return !/^(?:\s.*|#.*|-\s.*|-|[^\s:#][^:]*:(?:\s.*)?|[\w-]*|[\]}].*)$/.test(line);
}
