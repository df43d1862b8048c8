import type { PanelTool } from '../../api.ts';
import { abortable } from '../../runtime/base/abort.ts';
import { AppError, errorText, isAppError } from '../../runtime/base/errors.ts';
import { oneLine, truncate } from '../../runtime/base/text.ts';
import type { JsonSchema, ToolContext, ToolDefinition } from '../../runtime/domain/tools.ts';

const MAX_ACTIVITY = 120;

/**
 * Another extension's tool as one of ours. Nothing that its code throws, returns or leaves undone reaches further than
 * its own call. It names nothing that it touches, so that each call is judged as a whole, and asks. `tool`: checked.
 */
export function externalTool(tool: PanelTool): ToolDefinition {
  // As it is now: what its owner changes later doesn't count.
  const { name, description } = tool;
  const inputSchema = JSON.parse(JSON.stringify(tool.inputSchema)) as JsonSchema;
  return {
    name,
    description,
    inputSchema,
    isReadOnly: false,
    describe: (input: unknown) => activityOf(tool, name, input),
    targets: () => [],
    execute: async (input: unknown, { signal, cwd }: ToolContext) => ({ content: [{ type: 'text', text: await run(tool, name, input, { signal, cwd }) }] }),
  };
}

function activityOf(tool: PanelTool, name: string, input: unknown): string {
  try {
    const words: unknown = tool.describe?.(input);
    return (typeof words === 'string' && truncate(oneLine(words), MAX_ACTIVITY)) || name;
  } catch {
    // What a call is called is no reason not to make it.
    return name;
  }
}

/** Ends with the run, whatever the tool does then. */
async function run(tool: PanelTool, name: string, input: unknown, context: { readonly signal: AbortSignal; readonly cwd: string }): Promise<string> {
  try {
    const answer: unknown = await abortable(invoke(tool, input, context), context.signal);
    if (typeof answer === 'string') return answer;
  } catch (error) {
    if (isAppError(error)) throw error;
    throw new AppError('internal', `${name} failed: ${errorText(error)}`);
  }
  throw new AppError('internal', `${name} gave no text. The extension that brings it has to be mended; go on without it.`);
}

/** What it throws at once is what it rejects with. */
async function invoke(tool: PanelTool, ...args: Parameters<PanelTool['invoke']>): Promise<unknown> {
  return tool.invoke(...args);
}
