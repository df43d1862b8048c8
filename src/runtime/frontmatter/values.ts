import type * as Yaml from 'yaml';
import type { Document, LineCounter, Node, Pair, Scalar } from 'yaml';
import { AppError } from '../base/errors.ts';

/** A place in a file; both start at 1. `end`: the place behind the last character of what stands there, where that is known. */
export interface Position {
  readonly line: number;
  readonly column: number;
  readonly end?: { readonly line: number; readonly column: number };
}

export const FILE_START: Position = { line: 1, column: 1 };

/** A YAML value as plain data that remembers where it stands. `textAt`: where its text starts, if every character of it stands in one line as it is. */
export type Value =
  | { readonly kind: 'scalar'; readonly value: unknown; readonly at: Position; readonly textAt?: Position }
  | { readonly kind: 'list'; readonly items: readonly Value[]; readonly at: Position }
  | { readonly kind: 'map'; readonly entries: readonly Entry[]; readonly at: Position };

/** A key of a map with its value. A key that isn't text is given as text. */
export interface Entry {
  readonly name: string;
  readonly at: Position;
  readonly value: Value;
}

const MAX_DEPTH = 20;
/** Aliases can multiply a small file into a huge tree. */
const MAX_NODES = 5000;

/** Turns a document's contents into values. Throws `invalid_input` for one that is too deep, too large or refers to itself. */
export function toValue(yaml: typeof Yaml, document: Document, lines: LineCounter): Value {
  let nodes = 0;

  const position = (node: Node | null | undefined, fallback: Position): Position => {
    if (!node?.range) return fallback;
    const [start, end] = node.range;
    return { ...place(lines, start), ...(end > start && { end: place(lines, end) }) };
  };

  const convert = (node: unknown, from: Position, depth: number): Value => {
    nodes += 1;
    if (depth > MAX_DEPTH) throw new AppError('invalid_input', 'The frontmatter is nested too deeply, or an alias refers to itself.');
    if (nodes > MAX_NODES) throw new AppError('invalid_input', 'The frontmatter has too many values.');
    if (!yaml.isNode(node)) return { kind: 'scalar', value: null, at: from };
    const at = position(node, from);
    if (yaml.isAlias(node)) return convert(node.resolve(document), at, depth + 1);
    if (yaml.isSeq(node)) return { kind: 'list', at, items: node.items.map((item) => convert(item, at, depth + 1)) };
    if (yaml.isMap(node)) return { kind: 'map', at, entries: node.items.map((pair) => entry(pair, at, depth + 1)) };
    if (!yaml.isScalar(node)) return { kind: 'scalar', value: null, at };
    const textAt = startOfText(node, at);
    return { kind: 'scalar', value: node.value, at, ...(textAt && { textAt }) };
  };

  const entry = (pair: Pair, from: Position, depth: number): Entry => {
    const key = convert(pair.key, from, depth);
    return { name: key.kind === 'scalar' ? String(key.value) : `(${key.kind})`, at: key.at, value: convert(pair.value, key.at, depth) };
  };

  return convert(document.contents, FILE_START, 0);
}

/** The place of an offset. */
export function place(lines: LineCounter, offset: number): { readonly line: number; readonly column: number } {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}

/** The part of a text that stands at a place, from that character on. */
export function partOf({ line, column }: Position, start: number, length: number): Position {
  return { line, column: column + start, end: { line, column: column + start + length } };
}

/** Escapes and folded lines make text shorter than what is written. */
function startOfText({ value, type, range }: Scalar, at: Position): Position | undefined {
  if (typeof value !== 'string' || !range || at.end?.line !== at.line) return undefined;
  const quotes = type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE' ? 1 : 0;
  return range[1] - range[0] === value.length + 2 * quotes ? { line: at.line, column: at.column + quotes } : undefined;
}
