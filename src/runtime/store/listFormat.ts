import { oneLine } from '../base/text.ts';
import { isRecord } from './shapes.ts';
import type { ListFile } from './sharedList.ts';

const VERSION = 1;
/** How a file begins, from which its version can be told however much of the rest is lost. */
const BEGINNING = /^\s*\{\s*"version":\s*(\d+)/;
/** Times from here on are nobody's: another program wrote them, and those far ahead can't be counted on from. */
const END_OF_TIMES = Date.UTC(3000, 0);
const ID_LENGTH = 200;

/** How a list of items with ids stands in a file: JSON with its version. */
export class ListFormat<T extends { readonly id: string }> {
  readonly #field: string;
  readonly #isItem: (value: unknown) => value is T;

  /** @param field the one that holds the items */
  constructor(field: string, isItem: (value: unknown) => value is T) {
    this.#field = field;
    this.#isItem = isItem;
  }

  /** Reads the text of a file; of two items with one id the first. Never throws. */
  parse(text: string): ListFile<T> {
    const file = parseJson(text);
    const stored = isRecord(file) && typeof file['version'] === 'number' ? file[this.#field] : undefined;
    const isWhole = isRecord(file) && Array.isArray(stored);
    const version = isWhole ? Number(file['version']) : Number(BEGINNING.exec(text)?.[1] ?? VERSION);
    if (version > VERSION) return { kind: 'newer' };
    const found: readonly unknown[] = isWhole ? stored : wholeLines(text);
    const known = new Set<string>();
    const items = found.filter(this.#isItem).filter(({ id }) => !known.has(id) && known.add(id));
    return { kind: isWhole && items.length === found.length ? 'read' : 'damaged', items };
  }

  /** A line for each item, so that damage costs no more than those that it is in. */
  format(items: readonly T[]): string {
    return `{"version":${VERSION},"${this.#field}":[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]}\n`;
  }
}

/** Ids stand in lines that models read, as they are: none may break one, or hide in it. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= ID_LENGTH && oneLine(value) === value;
}

/** A moment that can be counted on from. */
export function isTime(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < END_OF_TIMES;
}

/** What can still be read of a damaged file: the items that have a line of their own. */
function wholeLines(text: string): readonly unknown[] {
  return text.split('\n').map((line) => parseJson(line.replace(/,\s*$/, '')));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
