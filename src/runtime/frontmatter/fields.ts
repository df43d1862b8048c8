import type { DiagnosticData } from '../domain/definitions.ts';
import type { Problem } from './frontmatter.ts';
import type { Position, Value } from './values.ts';

/** Readers of single values. Each gives nothing for an absent or wrong value; a wrong one is also a problem. */

/** A string without blank ends. Empty and `null` count as absent. */
export function readText(field: string, value: Value, problems: Problem[]): string | undefined {
  if (value.kind === 'scalar' && value.value === null) return undefined;
  if (value.kind === 'scalar' && typeof value.value === 'string') return value.value.trim() || undefined;
  return wrongType(field, 'a string; quote it if it looks like a number or a date', value.at, problems, value.kind === 'scalar' ? { kind: 'unquoted' } : undefined);
}

export function readFlag(field: string, value: Value, problems: Problem[]): boolean | undefined {
  if (value.kind === 'scalar' && typeof value.value === 'boolean') return value.value;
  return wrongType(field, '`true` or `false`', value.at, problems, flagMeant(value));
}

export function readCount(field: string, value: Value, problems: Problem[]): number | undefined {
  if (value.kind === 'scalar' && typeof value.value === 'number' && Number.isSafeInteger(value.value) && value.value > 0) return value.value;
  return wrongType(field, 'a whole number above 0', value.at, problems);
}

/** Reports a value of a wrong type; gives nothing. */
export function wrongType(field: string, wanted: string, at: Position, problems: Problem[], data?: DiagnosticData): undefined {
  problems.push({ severity: 'error', code: 'type', message: `\`${field}\` must be ${wanted}.`, at, ...(data && { data }) });
  return undefined;
}

/** The words of older YAML, and a flag in quotes. */
function flagMeant(value: Value): DiagnosticData | undefined {
  if (value.kind !== 'scalar' || value.value === null) return undefined;
  const word = typeof value.value === 'string' ? value.value : JSON.stringify(value.value);
  const meant = /^(?:true|yes|on|y|1)$/i.test(word.trim()) ? ['true'] : /^(?:false|no|off|n|0)$/i.test(word.trim()) ? ['false'] : [];
  return { kind: 'unknown', of: 'value', word, near: meant };
}
