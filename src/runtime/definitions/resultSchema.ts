import type { JsonSchema } from '../domain/tools.ts';
import { wrongType } from '../frontmatter/fields.ts';
import type { Problem } from '../frontmatter/frontmatter.ts';
import type { Entry, Value } from '../frontmatter/values.ts';

const FIELD = 'resultSchema';
const TYPES: readonly unknown[] = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

/** A JSON Schema as plain JSON. Only its outer shape is looked at here; whoever compiles it finds the rest. */
export function readResultSchema(value: Value, problems: Problem[]): JsonSchema | undefined {
  if (value.kind !== 'map') return wrongType(FIELD, 'a JSON Schema, such as a map with `type: object` and `properties`', value.at, problems);
  const type = value.entries.find(({ name }) => name === 'type');
  if (type && !isType(type.value)) return wrongType(`${FIELD}.type`, `one of ${TYPES.map(String).join(', ')}, or a list of them`, type.value.at, problems);
  return toObject(FIELD, value.entries, problems);
}

function isType(value: Value): boolean {
  if (value.kind === 'list') return value.items.length > 0 && value.items.every((item) => item.kind === 'scalar' && TYPES.includes(item.value));
  return value.kind === 'scalar' && TYPES.includes(value.value);
}

function toObject(field: string, entries: readonly Entry[], problems: Problem[]): JsonSchema {
  return Object.fromEntries(entries.map(({ name, value }) => [name, toJson(`${field}.${name}`, value, problems)]));
}

function toJson(field: string, value: Value, problems: Problem[]): unknown {
  switch (value.kind) {
    case 'map':
      return toObject(field, value.entries, problems);
    case 'list':
      return value.items.map((item, index) => toJson(`${field}.${index}`, item, problems));
    case 'scalar':
      return isJson(value.value) ? value.value : wrongType(field, 'a value that JSON has; YAML\'s dates, binary data and infinite numbers are none', value.at, problems);
  }
}

function isJson(value: unknown): boolean {
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}
