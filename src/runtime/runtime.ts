import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { approvalAccess } from './approvalAccess.ts';
import { inheritedTools } from './agent/resolveAgent.ts';
import type { AgentServices } from './agent/services.ts';
import { retryLine } from './agent/retryLine.ts';
import { createTiming, type TimingOverrides } from './agent/timing.ts';
import type { ToolLists } from './agent/toolLists.ts';
import { SYSTEM_CLOCK, type Clock } from './base/clock.ts';
import { deferred } from './base/async.ts';
import { Emitter } from './base/emitter.ts';
import { AppError, errorText } from './base/errors.ts';
import { randomId } from './base/ids.ts';
import { capitalised } from './base/text.ts';
import type { Disposable } from './base/lifecycle.ts';
import { DefinitionRegistry, type DefinitionSettings } from './definitions/registry.ts';
import { createChildRunner } from './delegation/childSession.ts';
import { Delegation, type ResumeOptions } from './delegation/delegation.ts';
import type { Completion } from './delegation/completionText.ts';
import { LiveSessions } from './delegation/liveSessions.ts';
import { unreachable } from './delegation/rounds.ts';
import { entryDefinitions } from './definitions/entries.ts';
import { findDefinition } from './definitions/names.ts';
import type { ChildView, GroupSpec, GroupView } from './domain/agents.ts';
import type { AgentDefinition } from './domain/definitions.ts';
import type { RuntimeEnvironment } from './domain/environment.ts';
import type { Publish, RuntimeEvent } from './domain/events.ts';
import type { ApprovalAccess, LiteAgent, LiteAgentOptions, LiteSession, LiveOptions, SessionUsage, TaskAccess } from './domain/liteAgent.ts';
import { isSameEndpoint, type ModelProvider, type ModelRef } from './domain/models.ts';
import { SILENT_LOG, type Log } from './domain/ports.ts';
import type { ToolDefinition } from './domain/tools.ts';
import type { TranscriptEntry } from './domain/transcripts.ts';
import { addUsage, NO_USAGE } from './domain/usage.ts';
import { createGate } from './permissions/gate.ts';
import { ApprovalQueue } from './permissions/queue.ts';
import { maskSecrets } from './permissions/record.ts';
import { SecondChances } from './permissions/secondChances.ts';
import { childLayers, readsOnly, resolveChild, type Inheritance } from './delegation/childSetup.ts';
import { effectiveRoot } from './agent/rootCapabilities.ts';
import { GroupStorage } from './groupStorage.ts';
import { childCapabilities, hasOwnTools } from './childCapabilities.ts';
import { createRuntimeEnvironment } from './environment.ts';
import { acquireMCPConnection } from './mcp/acquire.ts';
import { Connections } from './mcp/connections.ts';
import { SkillRegistry } from './skills/registry.ts';
import { checkNewAgent, checkOptions } from './optionChecks.ts';
import { SessionRegistry } from './sessions/registry.ts';
import { DecisionLog } from './store/decisionLog.ts';
import { createNodeFiles } from './store/nodeFiles.ts';
import { RunProjection } from './store/projection.ts';
import { TranscriptStore } from './store/transcripts.ts';
import { TrackedTasks } from './tasks/trackedTasks.ts';

const DEFAULTS = { maxParallelSubagents: 5, maxTasksPerCall: 20, maxTurns: 50 } as const;

/**
 * Builds a root agent that lives as long as its host: one pool, one approval queue, any number of conversations.
 * @throws AppError `invalid_input` for an option that makes no sense; system errors of the storage folder
 */
export function createLiteAgent(options: LiteAgentOptions): Promise<LiteAgent> {
  return startRuntime(options, {});
}

/** What only tests change. */
export interface RuntimeTuning {
  /** Where the time comes from, and how models are asked again. */
  readonly timing?: TimingOverrides;
  /** Milliseconds between two looks at what other processes do on the same storage. Default 5 s. */
  readonly beatMs?: number;
}

/**
 * See `createLiteAgent`.
 * @param environment what it works in, where that is made already; its tools are then all built-in tools that there are
 */
export async function startRuntime(options: LiteAgentOptions, tuning: RuntimeTuning, environment?: RuntimeEnvironment): Promise<LiteAgent> {
  checkNewAgent(options);
  const agent = new LiteAgentRuntime(options, tuning, environment);
  await agent.start();
  return agent;
}

/** Composes the parts. Whatever happens in any of them goes through `#publish` into the one event stream. */
class LiteAgentRuntime implements LiteAgent {
  readonly approvals: ApprovalAccess;
  readonly tasks: TaskAccess;
  readonly definitions: DefinitionRegistry;
  readonly skills: SkillRegistry;
  readonly connections: Connections;
  #options: LiteAgentOptions;
  readonly #environment: RuntimeEnvironment | undefined;
  #closing: Promise<void> | undefined;
  #tools: { readonly key: string; readonly tools: readonly ToolDefinition[] } | undefined;
  readonly #hostId = `host-${randomId()}`;
  /** Whoever gets the agent listens before anything is delivered that was left from before. */
  readonly #ready = deferred<void>();
  /** Work that nobody waits for but the end. */
  readonly #background = new Set<Promise<void>>();
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #events: Emitter<RuntimeEvent>;
  readonly #projection = new RunProjection();
  readonly #storage: GroupStorage;
  readonly #decisions: DecisionLog;
  readonly #transcripts: TranscriptStore;
  readonly #queue: ApprovalQueue;
  readonly #chances = new SecondChances();
  readonly #children = new LiveSessions();
  readonly #tracked: TrackedTasks | undefined;
  readonly #delegation: Delegation;
  readonly #sessions: SessionRegistry;

  constructor(options: LiteAgentOptions, tuning: RuntimeTuning, environment: RuntimeEnvironment | undefined) {
    this.#options = options;
    this.#environment = environment;
    this.#clock = tuning.timing?.clock ?? SYSTEM_CLOCK;
    this.#log = options.log ?? SILENT_LOG;
    this.#events = new Emitter((error) => this.#log.error(`events: a listener failed: ${errorText(error)}`));
    this.#transcripts = new TranscriptStore(join(options.storageDir, 'transcripts'));
    const { storageDir } = options;
    this.#storage = new GroupStorage({ storageDir, hostId: this.#hostId, projection: this.#projection, publish: this.#publish, adopt: (record) => this.#delegation.adopt(record), ...tuning });
    this.#decisions = new DecisionLog(join(storageDir, 'decisions'), maskSecrets, (message) => this.#publish({ type: 'problem', message }));
    this.#queue = new ApprovalQueue({ publish: this.#publish, saveRule: () => this.#options.permissions?.saveRule });
    this.#tracked = options.tasks ? new TrackedTasks({ dir: join(options.storageDir, 'tasks'), publish: this.#publish }) : undefined;
    // The projection comes first, so that every other listener finds the views as the event left them.
    this.#events.event((event) => this.#projection.apply(event));
    this.#events.event((event) => this.#storage.record(event));
    this.#events.event((event) => this.#decisions.record(event));
    this.#events.event((event) => this.#follow(event));

    const services: AgentServices = {
      publish: this.#publish,
      gate: createGate(this.#queue, { publish: this.#publish, chances: this.#chances, mode: () => this.#options.permissions?.mode ?? 'enforce' }),
      files: options.files ?? createNodeFiles(),
      transcripts: this.#transcripts,
      outputFolder: join(options.storageDir, 'output'),
      roots: () => this.#options.roots ?? [this.#options.cwd],
      timing: createTiming(this.#publish, () => this.#options.timeLimits ?? {}, tuning.timing),
      noteProcess: (pid) => this.#storage.noteProcess(pid),
    };
    this.skills = new SkillRegistry({ publish: this.#publish, folders: () => this.#options.skills ?? {} });
    this.connections = new Connections({
      acquire: acquireMCPConnection,
      servers: () => this.#options.mcpServers ?? {},
      resolve: async (name, config) => (await this.#options.resolveServer?.(name, config)) ?? config,
      cwd: options.cwd,
      onProcess: (pid) => this.#storage.noteProcess(pid),
      publish: this.#publish,
      clock: this.#clock,
    });
    this.definitions = new DefinitionRegistry({ publish: this.#publish, settings: () => this.#definitionSettings(), ...(options.definitionApprovals && { approvals: options.definitionApprovals }) });
    this.#delegation = this.#createDelegation(services);
    this.#sessions = new SessionRegistry({
      services,
      options: () => ({ ...DEFAULTS, ...this.#options }),
      builtins: () => this.#builtins(),
      delegation: this.#delegation,
      definitions: () => this.definitions.usable(),
      refresh: () => this.#refresh(),
      connect: (servers) => this.connections.connectRoot(servers),
      topLevel: (servers) => ({ connectionTools: this.connections.rootTools(servers), skills: this.skills.list() }),
    });
    this.approvals = approvalAccess({
      queue: this.#queue,
      decisions: this.#decisions,
      chances: this.#chances,
      child: (agentId) => this.child(agentId),
      resume: (agentId, prompt) => this.resumeChild(agentId, { prompt }),
      tell: (agentId, text) => this.#children.tell(agentId, text),
      publish: this.#publish,
    });
    this.tasks = { list: () => this.#tracked?.list() ?? [], accept: (taskId) => this.#trackedTasks().accept(taskId) };
  }

  async start(): Promise<void> {
    let unreadable: unknown;
    try {
      await this.#storage.join();
      // Without its task list an agent can still show and end what it has.
      await this.#tracked?.load().catch((error: unknown) => (unreadable = error));
      await this.skills.refresh();
      await this.definitions.reload();
      await this.#storage.restore();
    } catch (error) {
      await this.#storage.leave();
      throw error;
    }
    this.#projection.setTasks(this.#tracked?.list() ?? []);
    this.#inBackground(this.#storage.endLeftovers(), 'What an earlier window left running was not ended');
    setImmediate(() => {
      this.#ready.resolve();
      if (unreadable !== undefined) this.#publish({ type: 'problem', message: errorText(unreadable) });
    });
  }

  subscribe(listener: (event: RuntimeEvent) => void): Disposable {
    return this.#events.event(listener);
  }

  openSession(options: Parameters<LiteAgent['openSession']>[0] = {}): Promise<LiteSession> {
    return this.#sessions.open(options);
  }

  groups(): readonly GroupView[] {
    return this.#projection.groups();
  }

  group(groupId: string): GroupView | undefined {
    return this.#projection.group(groupId);
  }

  child(agentId: string): ChildView | undefined {
    return this.#projection.child(agentId);
  }

  async usage(sessionId: string): Promise<SessionUsage> {
    const root = await this.#sessions.usage(sessionId);
    const groups = this.groups().filter((group) => group.sessionId === sessionId);
    return { root, groups: groups.map(({ usage }) => usage).reduce(addUsage, NO_USAGE) };
  }

  cancelChild(agentId: string): Promise<void> {
    return this.#delegation.cancelChild(agentId);
  }

  cancelGroup(groupId: string): Promise<void> {
    return this.#delegation.cancelGroup(groupId);
  }

  cancelAll(): Promise<void> {
    return this.#delegation.cancelAll();
  }

  resumeChild(agentId: string, options: ResumeOptions = {}): Promise<GroupSpec> {
    return this.#delegation.resumeChild(agentId, options);
  }

  resumeGroup(groupId: string): Promise<GroupSpec> {
    return this.#delegation.resumeGroup(groupId);
  }

  transcript(agentId: string): Promise<readonly TranscriptEntry[]> {
    return this.#transcripts.read(agentId);
  }

  configure(options: Partial<LiveOptions>): void {
    // Before anything is taken over: a refused change must leave all as it was.
    checkOptions(options);
    const before = { skills: this.#options.skills, definitions: this.#definitionSettings() };
    this.#options = { ...this.#options, ...options };
    this.#delegation.limitsChanged();
    this.connections.serversChanged();
    if (!isDeepStrictEqual(this.#options.skills, before.skills)) void this.#refresh();
    if (!isDeepStrictEqual(this.#definitionSettings(), before.definitions)) void this.definitions.reload();
  }

  close(): Promise<void> {
    this.#closing ??= this.#end(() => this.#delegation.close());
    return this.#closing;
  }

  suspend(): Promise<void> {
    this.#closing ??= this.#end(() => this.#delegation.suspend());
    return this.#closing;
  }

  async #end(stop: () => Promise<void>): Promise<void> {
    this.#tracked?.hurry();
    this.connections.hurry();
    await this.#storage.rest();
    await Promise.all([this.#sessions.close(), stop(), this.definitions.idle(), this.skills.idle()]);
    this.#queue.dispose();
    await this.connections.close();
    await Promise.all([this.#storage.flush(), this.#decisions.flush()]);
    await Promise.all(this.#background);
    this.#events.dispose();
    // Last: from here on others look after what is left.
    await this.#storage.leave();
  }

  #inBackground(work: Promise<void>, whatFailed: string): void {
    const running = work
      .catch((error: unknown) => this.#publish({ type: 'problem', message: `${whatFailed}: ${errorText(error)}` }))
      .finally(() => this.#background.delete(running));
    this.#background.add(running);
  }

  readonly #publish: Publish = (event) => this.#events.fire({ at: this.#clock.now(), ...event });

  #createDelegation(services: AgentServices): Delegation {
    return new Delegation({
      publish: this.#publish,
      hostId: this.#hostId,
      limits: () => ({
        maxParallel: this.#options.maxParallelSubagents ?? DEFAULTS.maxParallelSubagents,
        maxTasksPerCall: this.#options.maxTasksPerCall ?? DEFAULTS.maxTasksPerCall,
      }),
      definitions: () => this.definitions.list(),
      refreshDefinitions: () => this.#refresh(),
      refusal: (definition) => this.definitions.refusal(definition),
      resolveChild: (definition, task, parent) => resolveChild(definition, task, this.#inheritance(parent)),
      today: (parent = this.#rootLists()) => ({
        definitions: this.definitions.list(),
        tools: inheritedTools(this.#builtins(), parent).map(({ name }) => name),
        model: this.#options.model,
        maxTurns: this.#options.maxTurns ?? DEFAULTS.maxTurns,
        isReachable: (model) => this.#providerOf(model) !== undefined,
      }),
      runChild: createChildRunner({
        services,
        provider: (model) => this.#reachable(model),
        sessions: this.#children,
        builtins: () => this.#builtins(),
        // What its parent's lists let through stands in what it was accepted with.
        resolving: () => (this.#options.deferToolsOver === undefined ? {} : { deferOver: this.#options.deferToolsOver }),
        capabilities: childCapabilities({
          entries: () => this.#options.subAgents ?? {},
          builtins: () => this.#builtins().map(({ name }) => name),
          unchanged: ({ name, path, hash }) => {
            const today = findDefinition(this.definitions.usable(), name);
            return today?.path === path && today?.hash === hash ? today : undefined;
          },
          server: (name) => this.#options.mcpServers?.[name],
          acquire: (name, config, signal) => this.connections.acquire(name, config, signal),
          release: (share) => this.connections.release(share),
          skills: (names) => this.skills.take(names),
        }),
        layers: (definition) => childLayers(definition, this.#today(definition), this.#options.permissions ?? {}),
        readsOnly: (definition) => readsOnly(definition, this.#today(definition)),
      }),
      archive: { child: (agentId) => this.child(agentId), group: (groupId) => this.group(groupId), transcript: (agentId) => this.transcript(agentId) },
      budget: () => this.#options.budget,
      claimRound: (agentId, round) => this.#storage.claimRound(agentId, round),
      stored: (groupId) => this.#storage.stored(groupId),
      ...(this.#tracked && { tasks: this.#tracked }),
      deliver: (completion) => this.#deliver(completion),
      transcriptPath: (agentId) => this.#transcripts.pathOf(agentId),
    });
  }

  /** The definition of that name as it is now. */
  #today({ name }: AgentDefinition): AgentDefinition | undefined {
    return findDefinition(this.definitions.list(), name);
  }

  async #deliver(completion: Completion): Promise<boolean> {
    await this.#ready.promise;
    const result = await this.#sessions.complete(completion);
    if (result === 'never') await this.#storage.putAway(completion.groupId);
    return result === 'kept';
  }

  #providerOf(model: ModelRef): ModelProvider | undefined {
    return isSameEndpoint(model, this.#options.model) ? this.#options.provider : this.#options.providerFor?.(model);
  }

  #reachable(model: ModelRef): ModelProvider {
    const provider = this.#providerOf(model);
    if (!provider) throw new AppError('unavailable', capitalised(unreachable(model)));
    return provider;
  }

  /** Made anew only when what they depend on has changed, so that every agent shares one set and its compiled schemas. */
  #builtins(): readonly ToolDefinition[] {
    if (this.#environment) return this.#environment.builtinTools;
    const key = JSON.stringify([this.#options.shell, this.#options.shellEnv]);
    if (this.#tools?.key !== key) this.#tools = { key, tools: createRuntimeEnvironment(this.#options).builtinTools };
    return this.#tools.tools;
  }

  #inheritance(parent = this.#rootLists()): Inheritance {
    const { model, maxTurns = DEFAULTS.maxTurns, mcpServers = {}, subAgents = {} } = this.#options;
    return { builtinTools: this.#builtins(), parent, model, maxTurns, hasOwnTools: (definition) => hasOwnTools(definition, subAgents), servers: Object.keys(mcpServers) };
  }

  #rootLists(): ToolLists {
    return effectiveRoot(this.#options).capabilities ?? {};
  }

  /** Skills first: definitions are read against their names. */
  async #refresh(): Promise<void> {
    await this.skills.refresh();
    await this.definitions.refreshIfChanged();
  }

  #definitionSettings(): DefinitionSettings {
    const { agents = {}, subAgents = {}, model, mcpServers = {} } = this.#options;
    return {
      folders: agents,
      inCode: entryDefinitions(subAgents),
      servers: Object.keys(mcpServers),
      skills: this.skills.list().map(({ name }) => name),
      // Behind another address stand other models, whatever the protocol.
      ...(model.baseUrl === undefined && { vendor: model.provider }),
    };
  }

  #trackedTasks(): TrackedTasks {
    if (!this.#tracked) throw new AppError('unavailable', 'Tracked tasks are switched off.');
    return this.#tracked;
  }

  #follow(event: RuntimeEvent): void {
    if (event.type === 'problem') this.#log.error(event.message);
    const line = retryLine(event);
    if (line !== undefined) this.#log.warn(line);
    if (event.type === 'child.settled' || event.type === 'child.interrupted') this.#chances.endRun(event.agentId);
    if (event.type === 'model.ended' && event.agent.kind === 'child') this.#delegation.usageChanged(event.agent.groupId);
    if (event.type === 'group.settled') this.#queue.endGroup(event.groupId);
    if (event.type === 'group.delivered') this.#inBackground(this.#storage.putAway(event.groupId), `Group ${event.groupId} was not put away`);
  }
}
