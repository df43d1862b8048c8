import type { JsonSchema, ToolDefinition } from '../domain/tools.ts';

/** Bounds that a model keeps to anyway. Calls are still checked against them, and what breaks one is told. */
const OBVIOUS: Readonly<Record<string, readonly unknown[]>> = { additionalProperties: [false], minLength: [1], minimum: [0, 1] };

/** The tool with a schema for models that leaves out what goes without saying: it stands in every request. */
export function withBriefSchema(tool: ToolDefinition): ToolDefinition {
  if (tool.schemaFor) return tool;
  const told = briefly(tool.inputSchema);
  return { ...tool, schemaFor: () => told };
}

function briefly(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).flatMap(([key, value]) => (OBVIOUS[key]?.includes(value) ? [] : [[key, key === 'properties' ? mapped(value) : part(value)]])));
}

/** Names of properties are no keywords. */
function mapped(properties: unknown): unknown {
  return isObject(properties) ? Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, part(schema)])) : properties;
}

function part(value: unknown): unknown {
  return isObject(value) ? briefly(value) : value;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
