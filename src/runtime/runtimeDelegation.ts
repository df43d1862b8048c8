import type { ModelChoices } from './agent/modelChoice.ts';
import { inheritedTools } from './agent/resolveAgent.ts';
import type { AgentServices } from './agent/services.ts';
import type { Clock } from './base/clock.ts';
import { AppError, isAppError } from './base/errors.ts';
import { durationText } from './base/text.ts';
import { withTimeLimit } from './base/timeLimit.ts';
import { childCapabilities, hasOwnTools, type ChildCapabilitySources } from './childCapabilities.ts';
import { findDefinition } from './definitions/names.ts';
import type { DefinitionRegistry } from './definitions/registry.ts';
import type { ToolSources } from './delegation/childParts.ts';
import { createChildRunner } from './delegation/childSession.ts';
import { childLayers, readsOnly, resolveChild, type Inheritance } from './delegation/childSetup.ts';
import { Delegation } from './delegation/delegation.ts';
import type { DelegationDeps, WorktreePlans } from './delegation/deps.ts';
import type { LiveSessions } from './delegation/liveSessions.ts';
import type { ChildWorktrees } from './delegation/ownWorktree.ts';
import { previewAgent } from './delegation/preview.ts';
import type { Delegator } from './delegation/requests.ts';
import type { AgentDefinition } from './domain/definitions.ts';
import type { LiteAgent } from './domain/liteAgent.ts';
import type { ModelRef } from './domain/models.ts';
import type { PermissionLayer } from './domain/permissions.ts';
import type { GroupStorage } from './groupStorage.ts';
import type { Connections } from './mcp/connections.ts';
import type { RuntimeState } from './runtimeState.ts';
import { NO_WORKTREES } from './runtimeWorktrees.ts';
import type { SkillRegistry } from './skills/registry.ts';

export interface DelegationParts extends Pick<DelegationDeps, 'hostId' | 'archive' | 'deliver' | 'tasks'> {
  readonly state: RuntimeState;
  readonly services: AgentServices;
  readonly storage: GroupStorage;
  readonly definitions: DefinitionRegistry;
  readonly skills: SkillRegistry;
  readonly connections: Connections;
  /** Holds the session of each child while it runs. */
  readonly children: LiveSessions;
  /** Absent where what children change isn't kept. */
  readonly worktrees?: WorktreePlans & ChildWorktrees;
  /** Brings definitions and skills up to their files' present state. */
  readonly refresh: () => Promise<void>;
  /** What the root runs on in a session. */
  readonly modelOf: (sessionId: string) => ModelRef;
}

/** Milliseconds that a preview waits for the servers of its definition. */
const PREVIEW_PATIENCE = 10_000;
/** Of a preview: it belongs to no conversation, so the root's options count as they are. */
const NOBODY: Delegator = { sessionId: '' };

/** What starts children, and what tells what one would be, both made of the same parts. */
export interface CreatedDelegation {
  readonly delegation: Delegation;
  readonly preview: LiteAgent['preview'];
}

/** The delegation of one runtime, with what a child inherits and what is its own. */
export function createDelegation({ state, services, storage, definitions, skills, connections, children, refresh, modelOf, worktrees, ...parts }: DelegationParts): CreatedDelegation {
  const choices = ({ sessionId }: Delegator): ModelChoices => state.models.choices(modelOf(sessionId));
  /** The definition of that name as it is now. */
  const today = ({ name }: AgentDefinition): AgentDefinition | undefined => findDefinition(definitions.list(), name);
  const inheritance = (from: Delegator): Inheritance => {
    const { maxTurns, mcpServers = {}, subAgents = {} } = state.options;
    return { builtinTools: state.childBuiltins(), parent: from.parent ?? state.rootLists(), models: choices(from), maxTurns, hasOwnTools: (definition) => hasOwnTools(definition, subAgents), servers: Object.keys(mcpServers) };
  };
  const sources: ChildCapabilitySources = {
    entries: () => state.options.subAgents ?? {},
    builtins: () => state.childBuiltins().map(({ name }) => name),
    unchanged: ({ name, path, hash }) => {
      const now = findDefinition(definitions.usable(), name);
      return now?.path === path && now?.hash === hash ? now : undefined;
    },
    server: (name) => state.options.mcpServers?.[name],
    acquire: (name, config, signal) => connections.acquire(name, config, signal),
    release: (share) => connections.release(share),
    skills: (names) => skills.take(names),
  };
  // What its parent's lists let through stands in what it was accepted with.
  const toolSources: ToolSources = {
    builtins: () => state.childBuiltins(),
    resolving: () => (state.options.deferToolsOver === undefined ? {} : { deferOver: state.options.deferToolsOver }),
    readsOnly: (definition) => readsOnly(definition, today(definition)),
  };
  const layers = (definition: AgentDefinition): readonly PermissionLayer[] => childLayers(definition, today(definition), state.options.permissions ?? {});
  const runChild = createChildRunner({
    ...toolSources,
    services,
    provider: (model) => state.models.provider(model),
    sessions: children,
    unread: (agentId) => parts.archive.child(agentId)?.unread ?? [],
    capabilities: childCapabilities(sources),
    layers,
    ...(worktrees && { worktrees }),
  });
  const delegation = new Delegation({
    ...parts,
    publish: services.publish,
    limits: () => ({ maxParallel: state.options.maxParallelSubagents, maxTasksPerCall: state.options.maxTasksPerCall }),
    definitions: () => definitions.list(),
    refreshDefinitions: refresh,
    refusal: (definition) => definitions.refusal(definition),
    resolveChild: (definition, task, from) => resolveChild(definition, task, inheritance(from)),
    today: (from) => ({
      definitions: definitions.list(),
      tools: inheritedTools(state.childBuiltins(), from.parent ?? state.rootLists()).map(({ name }) => name),
      models: choices(from),
      maxTurns: state.options.maxTurns,
    }),
    runChild,
    worktrees: worktrees ?? NO_WORKTREES,
    budget: () => state.options.budget,
    claimRound: (agentId, round) => storage.claimRound(agentId, round),
    stored: (groupId) => storage.stored(groupId),
    transcriptPath: (agentId) => services.transcripts.pathOf(agentId),
  });
  const patient = childCapabilities({ ...sources, acquire: patientAcquire(sources.acquire, services.timing.clock) });
  const withoutServers = childCapabilities({ ...sources, acquire: refuseServers });
  const preview: LiteAgent['preview'] = (name, options = {}) =>
    previewAgent(name, options, {
      ...toolSources,
      refresh,
      found: () => definitions.found(),
      inheritance: () => inheritance(NOBODY),
      worktrees: worktrees ?? NO_WORKTREES,
      capabilities: (definition, connects, signal) => (connects ? patient : withoutServers)(definition, signal),
      layers,
      permissionMode: () => state.options.permissions?.mode ?? 'enforce',
      timing: services.timing,
      budget: () => state.options.budget,
      isHosts: (tool) => state.options.builtinTools?.includes(tool) ?? false,
      cwd: () => state.options.cwd,
    });
  return { delegation, preview };
}

/** For whoever only looks: a server that takes long isn't waited for. */
function patientAcquire(acquire: ChildCapabilitySources['acquire'], clock: Clock): ChildCapabilitySources['acquire'] {
  return async (name, config, signal) => {
    try {
      return await withTimeLimit(clock, PREVIEW_PATIENCE, signal, (limited) => acquire(name, config, limited));
    } catch (error) {
      if (!isAppError(error, 'timeout')) throw error;
      throw new AppError('unavailable', `The MCP server ${name} didn't answer within ${durationText(PREVIEW_PATIENCE)}, so what it offers isn't known. A subagent waits longer for it.`, { cause: error });
    }
  };
}

function refuseServers(name: string): Promise<never> {
  return Promise.reject(new AppError('unavailable', `The MCP server ${name} is not connected, so what it offers isn't known.`));
}
