import assert from 'node:assert/strict';
import type { ToolSchema } from '../../src/runtime/domain/models.ts';
import type { WireRequest } from './wireFormat.ts';

/** What a request says besides its conversation, in one form for all wires. */
export interface SentSetup {
  readonly model: unknown;
  readonly system: string;
  readonly tools: readonly ToolSchema[];
  readonly effort: unknown;
  readonly maxOutputTokens: unknown;
  readonly temperature: unknown;
  readonly topP: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

export function sentSetup({ path, body }: WireRequest): SentSetup {
  const common = { model: body['model'], temperature: body['temperature'], topP: body['top_p'] };
  const tools = (body['tools'] ?? []) as readonly Fields[];
  if (path.endsWith('/v1/messages')) {
    return {
      ...common,
      system: (body['system'] as readonly { readonly text: string }[]).map(({ text }) => text).join(''),
      tools: tools.map((tool) => schema(tool, 'input_schema')),
      effort: (body['output_config'] as Fields | undefined)?.['effort'],
      maxOutputTokens: body['max_tokens'],
    };
  }
  if (path.endsWith('/responses')) {
    return { ...common, system: String(body['instructions']), tools: tools.map((tool) => schema(tool, 'parameters')), effort: (body['reasoning'] as Fields | undefined)?.['effort'], maxOutputTokens: body['max_output_tokens'] };
  }
  const [first] = body['messages'] as readonly { readonly role: string; readonly content: string }[];
  assert.equal(first?.role, 'system');
  return { ...common, system: first.content, tools: tools.map((tool) => schema(tool['function'] as Fields, 'parameters')), effort: body['reasoning_effort'], maxOutputTokens: body['max_completion_tokens'] ?? body['max_tokens'] };
}

function schema(tool: Fields, field: string): ToolSchema {
  return { name: String(tool['name']), description: String(tool['description']), inputSchema: tool[field] as ToolSchema['inputSchema'] };
}
