import type { DiagnosticData } from '../domain/definitions.ts';
import type { Problem } from './frontmatter.ts';
import { partOf, type Position, type Value } from './values.ts';

/** An entry of a list of names, with its place. */
export interface Item {
  readonly text: string;
  readonly at: Position;
}

/** Reads a list of strings, or one string with commas. A wrong type or an empty entry is a problem and gives nothing. */
export function readList(field: string, value: Value, problems: Problem[]): readonly Item[] | undefined {
  const wrong = (at: Position, what: string, data?: DiagnosticData): undefined => {
    problems.push({ severity: 'error', code: 'type', message: `\`${field}\` must be a list of strings, or one string with commas; ${what}.`, at, ...(data && { data }) });
    return undefined;
  };
  if (value.kind === 'map') return wrong(value.at, 'this is a map', { kind: 'no_list', field, items: namesOf(value) });
  if (value.kind === 'scalar') {
    if (value.value === null) return wrong(value.at, 'it is empty: write `[]` for none, or remove the line');
    if (typeof value.value !== 'string') return wrong(value.at, `this is a ${typeof value.value}`);
    const { textAt } = value;
    return splitParts(value.value).map(({ text, start }) => ({ text, at: textAt ? partOf(textAt, start, text.length) : value.at }));
  }
  const items: Item[] = [];
  for (const item of value.items) {
    const text = item.kind === 'scalar' && typeof item.value === 'string' ? item.value.trim() : '';
    if (text === '') return wrong(item.at, 'an entry is empty or no string');
    items.push({ text, at: item.at });
  }
  return items;
}

/** Splits at commas outside parentheses, so that a rule such as `Bash(git log, git show)` stays whole. */
export function splitCommas(text: string): string[] {
  return splitParts(text).map((part) => part.text);
}

/** The same, each with where it starts in the text. */
export function splitParts(text: string): readonly { readonly text: string; readonly start: number }[] {
  const commas: number[] = [];
  let depth = 0;
  for (const [index, character] of text.split('').entries()) {
    if (character === '(') depth += 1;
    if (character === ')') depth = Math.max(0, depth - 1);
    if (character === ',' && depth === 0) commas.push(index);
  }
  const parts = [-1, ...commas].map((comma, index) => {
    const part = text.slice(comma + 1, commas[index] ?? text.length);
    return { text: part.trim(), start: comma + 1 + part.length - part.trimStart().length };
  });
  return parts.filter((part) => part.text !== '');
}

/** The names of a map that switches each on or off, as some products write lists. */
function namesOf({ entries }: Extract<Value, { kind: 'map' }>): readonly string[] {
  return entries.filter(({ value }) => !(value.kind === 'scalar' && (value.value === false || value.value === 'deny'))).map(({ name }) => name);
}
