import type { Problem } from './frontmatter.ts';
import type { Position, Value } from './values.ts';

/** Readers of single values. Each gives nothing for an absent or wrong value; a wrong one is also a problem. */

/** A string without blank ends. Empty and `null` count as absent. */
export function readText(field: string, value: Value, problems: Problem[]): string | undefined {
  if (value.kind === 'scalar' && value.value === null) return undefined;
  if (value.kind === 'scalar' && typeof value.value === 'string') return value.value.trim() || undefined;
  return wrongType(field, 'a string; quote it if it looks like a number or a date', value.at, problems);
}

export function readFlag(field: string, value: Value, problems: Problem[]): boolean | undefined {
  if (value.kind === 'scalar' && typeof value.value === 'boolean') return value.value;
  return wrongType(field, '`true` or `false`', value.at, problems);
}

export function readCount(field: string, value: Value, problems: Problem[]): number | undefined {
  if (value.kind === 'scalar' && typeof value.value === 'number' && Number.isSafeInteger(value.value) && value.value > 0) return value.value;
  return wrongType(field, 'a whole number above 0', value.at, problems);
}

/** Reports a value of a wrong type; gives nothing. */
export function wrongType(field: string, wanted: string, at: Position, problems: Problem[]): undefined {
  problems.push({ severity: 'error', code: 'type', message: `\`${field}\` must be ${wanted}.`, at });
  return undefined;
}
