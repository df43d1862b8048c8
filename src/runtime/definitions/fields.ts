import type { AgentPermission, OnAsk } from '../domain/permissions.ts';
import type { Problem } from './frontmatter.ts';
import { readList } from './lists.ts';
import type { Position, Value } from './values.ts';

/** Readers of single fields. Each gives nothing for an absent or wrong value; a wrong one is also a problem. */

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

/** Permission lists, and whether the agent may ask. Anything in them that can't be read is an error: skipping it could allow what was meant to be refused. */
export function readPermission(value: Value, problems: Problem[]): AgentPermission | undefined {
  if (value.kind !== 'map') return wrongType('permission', 'a map with the lists `allow`, `ask` and `deny`', value.at, problems);
  const lists: { allow?: readonly string[]; ask?: readonly string[]; deny?: readonly string[]; onAsk?: OnAsk } = {};
  for (const entry of value.entries) {
    if (entry.name === 'allow' || entry.name === 'ask' || entry.name === 'deny') {
      const items = readList(`permission.${entry.name}`, entry.value, problems);
      if (items) lists[entry.name] = items.map((item) => item.text);
    } else if (entry.name === 'onAsk') {
      const onAsk = readOnAsk(entry.value, problems);
      if (onAsk) lists.onAsk = onAsk;
    } else {
      problems.push({ severity: 'error', code: 'permission', message: `\`permission\` has no \`${entry.name}\`, only \`allow\`, \`ask\`, \`deny\` and \`onAsk\`.`, at: entry.at });
    }
  }
  return lists;
}

function readOnAsk(value: Value, problems: Problem[]): OnAsk | undefined {
  if (value.kind === 'scalar' && (value.value === 'ask' || value.value === 'deny')) return value.value;
  return wrongType('permission.onAsk', '`ask` or `deny`', value.at, problems);
}

function wrongType(field: string, wanted: string, at: Position, problems: Problem[]): undefined {
  problems.push({ severity: 'error', code: 'type', message: `\`${field}\` must be ${wanted}.`, at });
  return undefined;
}
