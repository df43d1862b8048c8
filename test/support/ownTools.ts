import type { ModelRequest } from '../../src/runtime/domain/models.ts';
import type { ToolDefinition } from '../../src/runtime/domain/tools.ts';

/** A tool of somebody's own, described by where it comes from, so that of two with one name it is seen which was taken. It answers with both. */
export function ownTool(name: string, from: string, more: Partial<ToolDefinition> = {}): ToolDefinition {
  return {
    name,
    description: `from ${from}`,
    inputSchema: { type: 'object' },
    isReadOnly: true,
    actsOnRun: true,
    describe: () => name,
    targets: () => [],
    execute: async () => ({ content: [{ type: 'text', text: `${name} from ${from}` }] }),
    ...more,
  };
}

/** The tools of a request that were made by `ownTool`: where each comes from, by name. */
export function ownToolsOf(request: ModelRequest | undefined): Readonly<Record<string, string>> {
  const own = request?.tools.filter(({ description }) => description.startsWith('from ')) ?? [];
  return Object.fromEntries(own.map(({ name, description }) => [name, description.slice('from '.length)]));
}

/** Names of the tools that a request offers. */
export function toolNames(request: ModelRequest | undefined): readonly string[] {
  return request?.tools.map(({ name }) => name) ?? [];
}
