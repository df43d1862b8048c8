import type { Problem } from './frontmatter.ts';
import type { Position, Value } from './values.ts';

/** An entry of a list of names, with its place. */
export interface Item {
  readonly text: string;
  readonly at: Position;
}

/** Reads a list of strings, or one string with commas. A wrong type or an empty entry is a problem and gives nothing. */
export function readList(field: string, value: Value, problems: Problem[]): readonly Item[] | undefined {
  const wrong = (at: Position, what: string): undefined => {
    problems.push({ severity: 'error', code: 'type', message: `\`${field}\` must be a list of strings, or one string with commas; ${what}.`, at });
    return undefined;
  };
  if (value.kind === 'map') return wrong(value.at, 'this is a map');
  if (value.kind === 'scalar') {
    if (value.value === null) return wrong(value.at, 'it is empty: write `[]` for none, or remove the line');
    if (typeof value.value !== 'string') return wrong(value.at, `this is a ${typeof value.value}`);
    return splitCommas(value.value).map((text) => ({ text, at: value.at }));
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
  const parts = [''];
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth += 1;
    if (character === ')') depth = Math.max(0, depth - 1);
    if (character === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}
