import type { JsonSchema, ToolDefinition } from '../domain/tools.ts';

/**
 * The tool, telling a model a shorter schema than it is checked against: without what only says that a text isn't empty,
 * a number isn't negative or there are no other fields, which models keep to anyway. Each request holds all schemas.
 */
export function withToldSchema(tool: ToolDefinition): ToolDefinition {
  if (tool.schemaFor) return tool;
  const told = withoutTrifles(tool.inputSchema) as JsonSchema;
  return { ...tool, schemaFor: () => told };
}

function withoutTrifles(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTrifles);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name, each]) => !isTrifle(name, each));
  return Object.fromEntries(kept.map(([name, each]) => [name, withoutTrifles(each)]));
}

function isTrifle(name: string, value: unknown): boolean {
  switch (name) {
    case 'minLength':
      return value === 1;
    case 'minimum':
      return value === 0 || value === 1;
    default:
      return name === 'additionalProperties' && value === false;
  }
}
