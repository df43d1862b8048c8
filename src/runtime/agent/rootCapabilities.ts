import type { AgentCapabilities } from '../domain/capabilities.ts';
import type { RootOptions } from '../domain/liteAgent.ts';
import type { SkillDefinition } from '../domain/skills.ts';
import type { ToolDefinition } from '../domain/tools.ts';

/** What the root has by its top-level options, beside `customTools`. */
export interface TopLevel {
  /** What `mcpServers` list now. */
  readonly connectionTools: readonly ToolDefinition[];
  /** Those that were found in folders. */
  readonly skills: readonly SkillDefinition[];
}

/** The options that count for one request: its own win over the agent's, field by field, in `capabilities` too. An `undefined` one says nothing. */
export function effectiveRoot(options: RootOptions, request: RootOptions = {}): RootOptions {
  return { ...given(options), ...given(request), capabilities: { ...given(options.capabilities), ...given(request.capabilities) } };
}

/**
 * The root's own capabilities: sources of tools are joined, top level first, and of two tools with one name the entry
 * of `capabilities` is taken; its skills replace those found in folders.
 */
export function rootCapabilities({ customTools = [], capabilities = {} }: RootOptions, topLevel: TopLevel): AgentCapabilities {
  return {
    ...capabilities,
    connectionTools: [...topLevel.connectionTools, ...(capabilities.connectionTools ?? [])],
    customTools: [...customTools, ...(capabilities.customTools ?? [])],
    skills: capabilities.skills ?? topLevel.skills,
  };
}

function given<T extends object>(fields: T = {} as T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}
