import { findFrontmatter, linesOf, type FrontmatterBlock } from './frontmatterBlock.ts';

/** A part of one line, from zero, the end not included. */
export interface LineRange {
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

/** Where something stands that is to be written or explained. */
export type CursorPlace =
  /** Nothing is written yet but perhaps the start of a fence. */
  | { readonly kind: 'frame'; readonly replace: LineRange }
  | {
      readonly kind: 'field';
      /** The fields that it is in, outermost first. */
      readonly path: readonly string[];
      readonly word: string;
      readonly replace: LineRange;
      /** Whether a colon follows. */
      readonly hasColon: boolean;
      /** The line of the field that holds it; absent at the top. */
      readonly parentLine?: number;
    }
  | {
      readonly kind: 'value';
      /** Its fields, outermost first. */
      readonly path: readonly string[];
      readonly word: string;
      readonly replace: LineRange;
      readonly style: 'plain' | 'single' | 'double';
      /** How the list is written that it is an entry of; `alone`: as the only text behind the colon. */
      readonly within: 'alone' | 'commas' | 'flow' | 'block';
      /** The other entries of that list. */
      readonly others: readonly string[];
      /** Whether a blank must come first: the word would touch what stands before it. */
      readonly needsBlank: boolean;
    };

interface Entry {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** What is at a place of the text, both from zero; nothing in the body, in comments and where only text may stand. */
export function placeAt(text: string, line: number, column: number): CursorPlace | undefined {
  const block = findFrontmatter(text);
  const place = block ? placeIn(block, line, column) : frameAt(text, line, column);
  // A quote or a comment may begin right behind the cursor.
  return place && place.replace.start <= column && column <= place.replace.end && block?.lines[line]?.[column] !== '#' ? place : undefined;
}

function placeIn(block: FrontmatterBlock, line: number, column: number): CursorPlace | undefined {
  const written = block.lines[line];
  if (written === undefined || line < block.start || line >= block.end || column > written.length) return undefined;
  const blanks = /^[ \t]*/.exec(written)?.[0].length ?? 0;
  const indent = blanks === written.length ? column : blanks;
  if (column < indent) return undefined;
  const item = /^([ \t]*)-(?:[ \t]+|$)/.exec(written);
  if (item) return itemAt(block, line, column, item);
  const key = /^[ \t]*("[^"]*"?|[^\s:#"'[\]{},][^:#]*?)?[ \t]*(?:(:)(?=\s|$).*|(?:\s#.*|#.*)?)$/.exec(written);
  if (!key) return undefined;
  const [, name = '', colon] = key;
  const colonAt = colon === undefined ? -1 : written.indexOf(':', indent + name.length);
  const parents = parentsOf(block, line, indent);
  if (colonAt >= 0 && column > colonAt && endOfText(written) === colonAt + 1 && hasMoreBelow(block, line, indent)) return undefined;
  if (colonAt >= 0 && column > colonAt) return valueAt([...parents.path, unquote(name)], written, line, column, colonAt + 1);
  // What follows a field that has its value on the same line continues that value.
  if (parents.isText) return undefined;
  const end = indent + name.length;
  if (column > end || /\s/.test(name)) return undefined;
  return { kind: 'field', path: parents.path, word: unquote(name), replace: { line, start: indent, end }, hasColon: colonAt >= 0, ...(parents.line !== undefined && { parentLine: parents.line }) };
}

function frameAt(text: string, line: number, column: number): CursorPlace | undefined {
  const lines = linesOf(text.replace(/^\uFEFF/, ''));
  const written = lines[line] ?? '';
  if (lines.some((each, index) => index !== line && each.trim() !== '') || !/^-{0,2}\s*$/.test(written) || line !== 0) return undefined;
  return { kind: 'frame', replace: { line, start: 0, end: Math.max(column, written.length) } };
}

/** The fields that a line of this indentation is in. `isText`: the nearest one has its value beside it, so that nothing else can be below. */
function parentsOf({ lines, start }: FrontmatterBlock, line: number, indent: number): { readonly path: readonly string[]; readonly line?: number; readonly isText: boolean } {
  const path: string[] = [];
  let limit = indent;
  let parentLine: number | undefined;
  let isText = false;
  for (let above = line - 1; above >= start && limit > 0; above -= 1) {
    const written = lines[above] ?? '';
    const [, blanks = '', name, rest = ''] = /^([ \t]*)([^\s:#-][^:]*?)\s*:(?:\s+(.*))?$/.exec(written) ?? [];
    if (name === undefined || blanks.length >= limit) continue;
    if (path.length === 0) {
      parentLine = above;
      isText = rest.replace(/(?:^|\s)#.*$/, '').trim() !== '';
    }
    path.unshift(unquote(name));
    limit = blanks.length;
  }
  return { path, isText, ...(parentLine !== undefined && { line: parentLine }) };
}

function itemAt(block: FrontmatterBlock, line: number, column: number, item: RegExpExecArray): CursorPlace | undefined {
  const written = block.lines[line] ?? '';
  const indent = item[1]?.length ?? 0;
  // Items may stand as far to the left as their field.
  const { path, isText, line: parentLine } = parentsOf(block, line, indent + 1);
  if (path.length === 0 || isText || parentLine === undefined || column <= indent) return undefined;
  const start = Math.min(item[0].length, written.length);
  const entry = wordIn(written, start, endOfText(written));
  if (column > Math.max(entry.end, start) && written.slice(entry.end, column).trim() !== '') return undefined;
  // A server or the like with fields of its own.
  if (/:(?:\s|$)/.test(written.slice(start))) return undefined;
  const others: string[] = [];
  for (let each = parentLine + 1; each < block.end; each += 1) {
    const [, text] = /^[ \t]*-[ \t]+(.*)$/.exec(block.lines[each] ?? '') ?? [];
    if (text !== undefined && each !== line) others.push(unquote(text.trim()));
    else if (/^\S/.test(block.lines[each] ?? '') && !(block.lines[each] ?? '').startsWith('-')) break;
  }
  return { kind: 'value', path, ...styled(written, entry, line, column), within: 'block', others };
}

function valueAt(path: readonly string[], written: string, line: number, column: number, from: number): CursorPlace | undefined {
  const behind = endOfText(written);
  if (column > behind && written.slice(behind, column).includes('#')) return undefined;
  const textStart = from + (/^[ \t]*/.exec(written.slice(from))?.[0].length ?? 0);
  const end = Math.max(behind, Math.min(textStart, written.length));
  const first = written[textStart];
  if (first === '{' || first === '|' || first === '>' || first === '&' || first === '*' || first === '!') return undefined;
  const isFlow = first === '[';
  const close = isFlow ? closingOf(written, textStart) : -1;
  if (isFlow && (column <= textStart || (close >= 0 && column > close))) return undefined;
  const quote = !isFlow && (first === '"' || first === "'") ? 1 : 0;
  const inner = { start: isFlow || quote === 1 ? textStart + 1 : textStart, end: isFlow && close >= 0 ? close : quote === 1 && end > textStart + 1 && written[end - 1] === first ? end - 1 : end };
  if (quote === 1 && (column < inner.start || column > inner.end)) return undefined;
  const entries = entriesOf(written, inner.start, Math.max(inner.start, inner.end));
  const at = Math.max(column, inner.start);
  const found = entries.find((entry, index) => at <= (entries[index + 1]?.from ?? Infinity) - 1) ?? entries.at(-1);
  if (!found) return undefined;
  const entry = wordIn(written, found.from, found.to);
  const others = entries.filter((each) => each !== found).map((each) => unquote(written.slice(each.from, each.to).trim())).filter((text) => text !== '');
  const style = quote === 1 ? (first === '"' ? ('double' as const) : ('single' as const)) : undefined;
  return { kind: 'value', path, ...styled(written, entry, line, column), ...(style && { style }), within: isFlow ? 'flow' : others.length > 0 || entries.length > 1 ? 'commas' : 'alone', others };
}

/** The entries between commas that are outside quotes and parentheses. */
function entriesOf(written: string, start: number, end: number): readonly { readonly from: number; readonly to: number }[] {
  const commas: number[] = [];
  let [quote, depth] = ['', 0];
  for (let index = start; index < end; index += 1) {
    const character = written[index] ?? '';
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (/["']/.test(character) && /[[,\s]/.test(written[index - 1] ?? ' ')) quote = character;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    else if (character === ',' && depth <= 0) commas.push(index);
  }
  return [start - 1, ...commas].map((comma, index) => ({ from: comma + 1, to: commas[index] ?? end }));
}

/** Whether the value of a field stands in the lines below it. */
function hasMoreBelow({ lines, end }: FrontmatterBlock, line: number, indent: number): boolean {
  const next = lines.slice(line + 1, end).find((each) => !/^\s*(?:#.*)?$/.test(each));
  const blanks = /^[ \t]*/.exec(next ?? '')?.[0].length ?? 0;
  return next !== undefined && (blanks > indent || (blanks === indent && /^\s*-(?:\s|$)/.test(next)));
}

/** What is written between two columns, without the blanks around it. */
function wordIn(written: string, from: number, to: number): Entry {
  const text = written.slice(from, to).trim();
  const start = text === '' ? Math.min(to, from + /^[ \t]*/.exec(written.slice(from, to))![0].length) : from + written.slice(from, to).indexOf(text);
  return { text, start, end: start + text.length };
}

/** The word inside its quotes, and where it is replaced: from the cursor on where nothing is written. */
function styled(written: string, { text, start, end }: Entry, line: number, column: number): Pick<Extract<CursorPlace, { kind: 'value' }>, 'word' | 'replace' | 'style' | 'needsBlank'> {
  const quote = /^["']/.exec(text)?.[0];
  if (quote === undefined) {
    const [from, to] = text === '' ? [column, column] : [Math.min(start, column), Math.max(end, column)];
    return { word: text, replace: { line, start: from, end: to }, style: 'plain', needsBlank: /[:,-]/.test(written[from - 1] ?? ' ') };
  }
  const inner = { start: start + 1, end: text.length > 1 && text.endsWith(quote) ? end - 1 : end };
  return { word: written.slice(inner.start, inner.end), replace: { line, ...inner }, style: quote === '"' ? 'double' : 'single', needsBlank: false };
}

/** Where the text of a line ends, before blanks and a comment. */
function endOfText(written: string): number {
  let quote = '';
  for (let index = 0; index < written.length; index += 1) {
    const character = written[index] ?? '';
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (/["']/.test(character) && /[[,\s]/.test(written[index - 1] ?? ' ')) quote = character;
    else if (character === '#' && /\s/.test(written[index - 1] ?? ' ')) return written.slice(0, index).trimEnd().length;
  }
  return written.trimEnd().length;
}

/** The bracket that closes a list in one line; -1 where it isn't closed there. */
function closingOf(written: string, open: number): number {
  const close = written.lastIndexOf(']', endOfText(written) - 1);
  return close > open ? close : -1;
}

function unquote(text: string): string {
  return /^(["'])(.*)\1$/.exec(text)?.[2] ?? text;
}
