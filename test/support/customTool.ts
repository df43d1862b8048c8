import type { ToolDefinition } from '../../src/runtime/domain/tools.ts';

export interface CountedTool extends ToolDefinition {
  /** The inputs of its calls so far. */
  readonly calls: unknown[];
}

/** A host's own tool that never asks, takes anything, and answers with its text. */
export function customTool(name: string, { text = `${name} ran`, description = `The tool ${name}.` }: { readonly text?: string; readonly description?: string } = {}): CountedTool {
  const calls: unknown[] = [];
  return {
    name,
    description,
    inputSchema: { type: 'object' },
    isReadOnly: true,
    actsOnRun: true,
    calls,
    describe: () => `Running ${name}`,
    targets: () => [],
    execute: async (input) => {
      calls.push(input);
      return { content: [{ type: 'text', text }] };
    },
  };
}
