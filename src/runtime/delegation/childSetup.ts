import { chooseModel, type ModelChoices } from '../agent/modelChoice.ts';
import { isExplore, sortTools, type SortedTools } from '../agent/resolveAgent.ts';
import { listsOf, type ToolLists } from '../agent/toolLists.ts';
import type { ModelRef } from '../domain/models.ts';
import type { AgentDefinition, ServerUse } from '../domain/definitions.ts';
import type { PermissionOptions, TaskInput } from '../domain/liteAgent.ts';
import type { PermissionLayer } from '../domain/permissions.ts';
import type { ToolDefinition } from '../domain/tools.ts';
import { definitionLayer, layersFor } from '../permissions/layers.ts';

/** What a task of a definition runs with, and what isn't as the definition has it; or which field keeps it from running. */
export type ChildSetup =
  | { readonly ok: true; readonly model: ModelRef; readonly maxTurns: number; readonly tools: readonly string[]; readonly notes: readonly string[] }
  | { readonly ok: false; readonly field: string; readonly problem: string };

/** What a child inherits, as of now. */
export interface Inheritance {
  readonly builtinTools: readonly ToolDefinition[];
  /** The lists of its parent, which narrow them. */
  readonly parent: ToolLists;
  readonly models: ModelChoices;
  /** For definitions that don't say. */
  readonly maxTurns: number;
  /** Whether the definition brings tools of its own, which its list of tools doesn't limit. */
  readonly hasOwnTools?: (definition: AgentDefinition) => boolean;
  /** Names of the servers that are configured. */
  readonly servers: readonly string[];
}

/** Resolves model, turn limit and tools. Never widens: a list of tools of which none is here is refused. */
export function resolveChild(
  definition: AgentDefinition,
  task: TaskInput,
  { builtinTools, parent, models, maxTurns, hasOwnTools, servers }: Inheritance,
): ChildSetup {
  const tools = grantedTools(definition, { builtinTools, parent }).kept.map(({ tool }) => tool.name);
  const uses = definition.servers ?? [];
  const wanted = definition.tools === 'inherit' ? [] : [...definition.tools, ...uses.flatMap(namesOf)];
  // What a server offers is known once the child has connected to it.
  const missing = uses.filter(({ server, config }) => config === undefined && !servers.includes(server)).map(({ server }) => server);
  // Its skills stand for none of the tools that it names.
  if (grantedTools({ ...definition, skills: [] }, { builtinTools, parent }).kept.length === 0 && wanted.length > 0 && missing.length === uses.length && !hasOwnTools?.(definition)) {
    const why = missing.length === 0 ? '' : `; MCP servers that aren't configured: ${missing.join(', ')}`;
    return { ok: false, field: 'subagent_type', problem: `none of the tools of ${definition.name} is available here (${wanted.join(', ')}${why})` };
  }
  const choice = chooseModel(task.model, definition, models);
  if (!choice.ok) return { ok: false, field: task.model === undefined ? 'subagent_type' : 'model', problem: choice.problem };
  return { ok: true, model: choice.model, maxTurns: definition.maxTurns ?? maxTurns, tools, notes: choice.notes };
}

/** Which built-in tools a child of the definition is given as it is accepted, and why it isn't given the others. */
export function grantedTools(definition: AgentDefinition, { builtinTools, parent }: Pick<Inheritance, 'builtinTools' | 'parent'>): SortedTools {
  return sortTools({ builtinTools }, listsOf(definition), definition, { kind: 'child', parent });
}

/** The tools that a definition has of a server, as a list of tools names them. */
function namesOf({ server, tools }: ServerUse): readonly string[] {
  return (tools === 'all' ? ['*'] : tools).map((tool) => `${server}/${tool}`);
}

/**
 * All voices on a child's calls: `definition` as it started with it, and what the definition of that name says today,
 * where there is one. In `Explore` every shell command asks that isn't known to only read, whatever is allowed; in a
 * child that only reads it is denied.
 */
export function childLayers(definition: AgentDefinition, today: AgentDefinition | undefined, options: PermissionOptions): readonly PermissionLayer[] {
  const own = layersFor('child', { ...options, definition: definition.permission });
  const layers: readonly PermissionLayer[] = today?.permission === undefined || today === definition ? own : [...own, definitionLayer(today.permission)];
  const readOnlyCommands = readsOnly(definition, today) ? 'deny' : isExplore(definition) ? 'ask' : undefined;
  return readOnlyCommands ? [...layers, { name: 'definition', lists: {}, readOnlyCommands }] : layers;
}

/** Whether a child only reads: because of the definition that it started with, or of the one of that name today. */
export function readsOnly(definition: AgentDefinition, today: AgentDefinition | undefined): boolean {
  return definition.readOnly === true || today?.readOnly === true;
}
