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

const OPTIONS: Readonly<Record<keyof RootOptions, true>> = { rootModel: true, prompt: true, appendPrompt: true, rootMaxTurns: true, customTools: true, mcpServers: true, capabilities: true };
const CAPABILITIES: Readonly<Record<keyof AgentCapabilities, true>> = { connectionTools: true, customTools: true, skills: true, allowedTools: true, disallowedTools: true };

/** The options that count for one request: its own win over the agent's, field by field, in `capabilities` too. An `undefined` one says nothing. */
export function effectiveRoot(options: RootOptions, request: RootOptions = {}): RootOptions {
  return { ...merged(OPTIONS, options, request), capabilities: merged(CAPABILITIES, options.capabilities, request.capabilities) };
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

/** Reads each field by its name: a getter, also one of a class, gives what it has at this moment. */
function merged<T extends object>(fields: Readonly<Record<keyof T, true>>, base: Partial<T> = {}, over: Partial<T> = {}): Partial<T> {
  const names = Object.keys(fields) as (keyof T)[];
  return Object.fromEntries(names.flatMap((name) => {
    const value = over[name] ?? base[name];
    return value === undefined ? [] : [[name, value]];
  })) as Partial<T>;
}
