import { oneLine, truncate } from '../base/text.ts';
import type { ToolDefinition, ToolResult } from '../domain/tools.ts';
import type { CallOptions, ListedTool } from './link.ts';
import { toToolResult } from './result.ts';
import { connectionToolName } from './toolNames.ts';

/** Runs a call on the server, started again where it has ended; see `ServerLink.call`. */
export type CallTool = (tool: string, input: Readonly<Record<string, unknown>>, options: CallOptions) => Promise<unknown>;

/** Characters of the line that says what a call does. */
const MAX_LINE = 120;

/** A server's tool as one of an agent. It touches nothing that rules could name, so that without a rule for it every call asks. */
export function adaptTool(server: string, { name, title, description, inputSchema, isReadOnly }: ListedTool, call: CallTool): ToolDefinition {
  const shown = oneLine(title ?? '') || oneLine(name);
  return {
    name: connectionToolName(server, name),
    description,
    inputSchema,
    isReadOnly,
    describe: () => truncate(`${oneLine(server)}: ${shown}`, MAX_LINE),
    targets: () => [],
    preview: async (input: Readonly<Record<string, unknown>>) => ({ kind: 'text', text: `${oneLine(server)}: ${oneLine(name)}\n${JSON.stringify(input, undefined, 2)}` }),
    execute: async (input: Readonly<Record<string, unknown>>, context): Promise<ToolResult> => toToolResult(await call(name, input, { signal: context.signal, onProgress: (text) => context.progress(text) })),
  };
}
