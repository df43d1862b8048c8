import { AppError, isAppError } from './base/errors.ts';
import { findEntry, type SubAgentEntries } from './definitions/entries.ts';
import { serverTool } from './definitions/serverNames.ts';
import { toolsNamed } from './definitions/toolNames.ts';
import type { PrepareCapabilities } from './delegation/capabilities.ts';
import type { AgentCapabilities } from './domain/capabilities.ts';
import type { AgentDefinition, ServerUse } from './domain/definitions.ts';
import type { EffectiveServer } from './domain/effectiveAgent.ts';
import type { McpServerConfig } from './domain/mcp.ts';
import type { ServerShare } from './mcp/share.ts';
import { connectionToolName } from './mcp/toolNames.ts';
import type { SkillDefinition } from './domain/skills.ts';
import type { ToolDefinition } from './domain/tools.ts';
import { listsOf } from './agent/toolLists.ts';

export interface ChildCapabilitySources {
  readonly entries: () => SubAgentEntries;
  /** Names of the built-in tools, the host's among them. */
  readonly builtins: () => readonly string[];
  /** The definition of that very file as it was then; nothing where it is gone, has changed, or may not be used. */
  readonly unchanged: (definition: AgentDefinition) => AgentDefinition | undefined;
  /** The configuration of a server by its name; nothing where none is configured. */
  readonly server: (name: string) => McpServerConfig | undefined;
  /** Resolves once it is ready or has failed; rejects with `aborted` or `closed`, and with `unavailable` where it isn't to be reached at all, or not for so long: then nothing is known of it. */
  readonly acquire: (name: string, config: McpServerConfig, signal: AbortSignal) => Promise<ServerShare>;
  readonly release: (share: ServerShare) => Promise<void>;
  /** The skills of those names, and what is wrong with the others, a sentence each. */
  readonly skills: (names: readonly string[]) => Promise<{ readonly skills: readonly SkillDefinition[]; readonly problems: readonly string[] }>;
}

/** See `PrepareCapabilities`. */
export function childCapabilities(sources: ChildCapabilitySources): PrepareCapabilities {
  return (definition, signal) => (definition.source === 'code' ? ofEntry(definition, sources) : ofFile(definition, sources, signal));
}

/** The entry's capabilities are used as they are, so that what they get later counts. What connects them is the host's to give back. */
async function ofEntry(definition: AgentDefinition, { entries, builtins }: ChildCapabilitySources): ReturnType<PrepareCapabilities> {
  const entry = findEntry(entries(), definition.name);
  const capabilities = entry?.capabilities ?? listsOf(definition);
  const notes = entry ? unknownTools(capabilities, builtins()) : [`The entry ${definition.name} of \`subAgents\` is gone, and with it its own tools, servers and skills.`];
  return { capabilities, notes, servers: [], release: async () => {} };
}

/** Names in the allow list that mean nothing. One of the agent's own tools is harmless there: the list doesn't limit it. */
function unknownTools({ allowedTools = [], customTools = [] }: AgentCapabilities, builtins: readonly string[]): readonly string[] {
  const known = ['*', ...builtins, ...customTools.map(({ name }) => name)];
  const unknown = allowedTools.filter((name) => !known.includes(name) && toolsNamed(name, 'own').length === 0 && !serverTool(name, []));
  return unknown.map((name) => `\`${name}\` in \`allowedTools\` is no built-in tool, so it grants nothing.`);
}

async function ofFile(definition: AgentDefinition, sources: ChildCapabilitySources, signal: AbortSignal): ReturnType<PrepareCapabilities> {
  const { skills, problems } = await sources.skills(definition.skills ?? []);
  const shares = await Promise.all(withOwnConfigs(definition, sources).map((use) => take(use, sources, signal)));
  const release = async (): Promise<void> => {
    await Promise.all(shares.flatMap(({ connection }) => connection ?? []).map((connection) => sources.release(connection)));
  };
  const refusal = refusalOf(definition, shares);
  const capabilities: AgentCapabilities = {
    ...listsOf(definition),
    skills,
    get connectionTools() {
      return shares.flatMap(toolsOf);
    },
  };
  return { capabilities, notes: [...problems, ...shares.flatMap(problemOf)], servers: shares.map(serverOf), ...(refusal && { refusal }), release };
}

/** The servers of a definition. Of one that was stored, configurations of its own are read from its file again. */
function withOwnConfigs(definition: AgentDefinition, { unchanged }: ChildCapabilitySources): readonly ServerUse[] {
  const { servers = [] } = definition;
  if (!servers.some(({ hadConfig }) => hadConfig)) return servers;
  const today = unchanged(definition)?.servers ?? [];
  return servers.map((use) => (use.hadConfig ? { ...use, ...today.find(({ server }) => server === use.server) } : use));
}

/** Whether the definition is that of an entry with tools of its own; connections count also while they list none. */
export function hasOwnTools(definition: AgentDefinition, entries: SubAgentEntries): boolean {
  const own = definition.source === 'code' ? findEntry(entries, definition.name)?.capabilities : undefined;
  return own !== undefined && ((own.customTools?.length ?? 0) > 0 || own.connectionTools !== undefined);
}

/** A server that a child uses: connected, or why not. */
interface Share {
  readonly use: ServerUse;
  readonly connection?: ServerShare;
  readonly problem?: string;
  /** Why nothing is known of it: that it has a problem isn't known either. */
  readonly unseen?: string;
  /** What keeps the child from running at all. */
  readonly refusal?: Error;
}

/** Never rejects, so that none of its neighbours is forgotten. */
async function take(use: ServerUse, { server, acquire }: ChildCapabilitySources, signal: AbortSignal): Promise<Share> {
  // Another one that happens to have the name is not what the definition meant.
  const config = use.config ?? (use.hadConfig ? undefined : server(use.server));
  if (!config) return { use, problem: use.hadConfig ? `The MCP server ${use.server} isn't there: the definition that brought it is gone or has changed.` : `The MCP server ${use.server} isn't configured.` };
  try {
    return { use, connection: await acquire(use.server, config, signal) };
  } catch (error) {
    if (isAppError(error, 'unavailable')) return { use, unseen: error.message };
    return { use, refusal: error as Error };
  }
}

function refusalOf(definition: AgentDefinition, shares: readonly Share[]): Error | undefined {
  const refused = shares.find(({ refusal }) => refusal !== undefined);
  if (refused) return refused.refusal;
  const isMissing = ({ connection, unseen }: Share): boolean => unseen === undefined && (connection === undefined || connection.status === 'failed');
  const hasNothing = definition.tools !== 'inherit' && definition.tools.length === 0 && shares.length > 0 && shares.every(isMissing);
  return hasNothing ? new AppError('unavailable', `None of the tools of ${definition.name} can be had. ${shares.flatMap(problemOf).join(' ')}`) : undefined;
}

function problemOf({ problem, connection }: Share): readonly string[] {
  return [problem ?? connection?.error ?? []].flat();
}

function serverOf(share: Share): EffectiveServer {
  const { use, connection, unseen } = share;
  const error = unseen ?? problemOf(share)[0];
  const status = unseen === undefined ? (connection?.status === 'ready' ? 'ready' : 'failed') : 'unseen';
  const tools = toolsOf(share).map(({ name }) => name);
  const missing = status === 'ready' && use.tools !== 'all' ? use.tools.filter((tool) => !tools.includes(connectionToolName(use.server, tool))) : [];
  return { server: use.server, isOwn: use.config !== undefined, named: use.tools, status, tools, missing, ...(error !== undefined && { error }) };
}

/** Only those that the definition names, now and whatever the server lists later. */
function toolsOf({ use, connection }: Share): readonly ToolDefinition[] {
  const tools = connection?.tools ?? [];
  const { tools: named, server } = use;
  return named === 'all' ? tools : tools.filter(({ name }) => named.some((tool) => name === connectionToolName(server, tool)));
}
