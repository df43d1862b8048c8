import { isDeeperThan } from '../base/json.ts';
import { plural, truncate } from '../base/text.ts';
import type { JsonSchema } from '../domain/tools.ts';
import type { ListedTool, ToolList } from './link.ts';

/** More tools of one server no model can work with. */
export const MAX_TOOLS = 500;
/** Characters. */
const MAX_NAME = 256;
const MAX_TITLE = 200;
const MAX_DESCRIPTION = 8_000;
/** Characters of a schema as JSON: a model would have to read all of it. */
const MAX_SCHEMA = 100_000;
/** Levels of a schema. */
const MAX_LEVELS = 100;

/**
 * What of a server's list can be used. Tools without a name, with the name of an earlier one, or without a schema for
 * an object are left out, and so is what is too much; the rest isn't touched by it.
 * @param items as the server sent them
 * @param isWhole false where the server had more
 */
export function readToolList(items: readonly unknown[], isWhole = true): ToolList {
  const tools = new Map<string, ListedTool>();
  let unusable = 0;
  for (const item of items) {
    const tool = tools.size < MAX_TOOLS ? readTool(item) : undefined;
    if (tool && !tools.has(tool.name)) tools.set(tool.name, tool);
    else if (tools.size < MAX_TOOLS) unusable += 1;
  }
  const isCut = !isWhole || tools.size + unusable < items.length;
  const problems = [
    ...(unusable > 0 ? [`${plural(unusable, 'tool')} can't be used: without a name of its own, or without a schema for an object, or with one of more than ${MAX_SCHEMA} characters or ${MAX_LEVELS} levels.`] : []),
    ...(isCut ? [`It lists more tools than can be used; those after the first ${tools.size} are left out.`] : []),
  ];
  return { tools: [...tools.values()], ...(problems.length > 0 && { problem: problems.join(' ') }) };
}

function readTool(item: unknown): ListedTool | undefined {
  const { name, title, description, inputSchema, annotations } = fieldsOf(item);
  if (typeof name !== 'string' || name.trim() === '' || name.length > MAX_NAME) return undefined;
  const schema = readSchema(inputSchema);
  if (!schema) return undefined;
  const { title: otherTitle, readOnlyHint } = fieldsOf(annotations);
  const shown = [title, otherTitle].find((each) => typeof each === 'string' && each.trim() !== '');
  return {
    name,
    ...(typeof shown === 'string' && { title: truncate(shown, MAX_TITLE) }),
    description: typeof description === 'string' ? truncate(description, MAX_DESCRIPTION) : '',
    inputSchema: schema,
    isReadOnly: readOnlyHint === true,
  };
}

/** Providers refuse a whole request for one schema that isn't an object's. */
function readSchema(value: unknown): JsonSchema | undefined {
  if (value === undefined) return { type: 'object' };
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isDeeperThan(MAX_LEVELS, value)) return undefined;
  const schema: JsonSchema = { type: 'object', ...value };
  return schema['type'] === 'object' && JSON.stringify(schema).length <= MAX_SCHEMA ? schema : undefined;
}

/** The fields of what should be an object; none of anything else. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
