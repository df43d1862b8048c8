import type { ModelChoices } from './agent/modelChoice.ts';
import { inheritedTools } from './agent/resolveAgent.ts';
import type { AgentServices } from './agent/services.ts';
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
import type { Delegator } from './delegation/requests.ts';
import type { AgentDefinition } from './domain/definitions.ts';
import type { LiteAgent } from './domain/liteAgent.ts';
import type { ModelRef } from './domain/models.ts';
import type { PermissionLayer } from './domain/permissions.ts';
import type { GroupStorage } from './groupStorage.ts';
import type { Connections } from './mcp/connections.ts';
import { createPreview } from './runtimePreview.ts';
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
  const preview = createPreview({ ...toolSources, state, timing: services.timing, definitions, sources, refresh, inheritance, layers, worktrees: worktrees ?? NO_WORKTREES });
  return { delegation, preview };
}
