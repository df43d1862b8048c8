import { join } from 'node:path';
import type { AgentServices } from './agent/services.ts';
import { Serial } from './base/async.ts';
import { Emitter } from './base/emitter.ts';
import { AppError, errorText } from './base/errors.ts';
import { randomId } from './base/ids.ts';
import type { Disposable } from './base/lifecycle.ts';
import { AgentLoader, type LoadedDefinitions } from './definitions/loader.ts';
import { createChildRunner } from './delegation/childSession.ts';
import { Delegation } from './delegation/delegation.ts';
import type { ChildView, GroupView } from './domain/agents.ts';
import type { Publish, RuntimeEvent } from './domain/events.ts';
import type { ApprovalAccess, DefinitionAccess, LiteAgent, LiteAgentOptions, LiteSession, LiveOptions, TaskAccess } from './domain/liteAgent.ts';
import { SILENT_LOG, type Log } from './domain/ports.ts';
import type { ToolDefinition } from './domain/tools.ts';
import type { TranscriptEntry } from './domain/transcripts.ts';
import { createGate } from './permissions/gate.ts';
import { ApprovalQueue } from './permissions/queue.ts';
import { maskSecrets } from './permissions/record.ts';
import { childLayers, resolveChild } from './delegation/childSetup.ts';
import { checkOptions } from './optionChecks.ts';
import { SessionRegistry } from './sessions/registry.ts';
import { DecisionLog } from './store/decisionLog.ts';
import { GroupLog } from './store/groupLog.ts';
import { createNodeFiles } from './store/nodeFiles.ts';
import { RunProjection } from './store/projection.ts';
import { TranscriptStore } from './store/transcripts.ts';
import { TrackedTasks } from './tasks/trackedTasks.ts';
import { createBuiltinTools } from './tools/registry.ts';
import { shellEnvironment } from './tools/shellEnv.ts';

const NO_DEFINITIONS: LoadedDefinitions = { definitions: [], all: [], diagnostics: [] };
const DEFAULTS = { maxParallelSubagents: 5, maxTasksPerCall: 20, maxTurns: 50 } as const;

/**
 * Builds a root agent that lives as long as its host: one pool, one approval queue, any number of conversations.
 * @throws AppError `invalid_input` for an option that makes no sense; system errors of the storage folder
 */
export async function createLiteAgent(options: LiteAgentOptions): Promise<LiteAgent> {
  checkOptions(options);
  const agent = new LiteAgentRuntime(options);
  await agent.start();
  return agent;
}

/** Composes the parts. Whatever happens in any of them goes through `#publish` into the one event stream. */
class LiteAgentRuntime implements LiteAgent {
  readonly approvals: ApprovalAccess;
  readonly tasks: TaskAccess;
  readonly definitions: DefinitionAccess;
  #options: LiteAgentOptions;
  #definitions: LoadedDefinitions = NO_DEFINITIONS;
  #closing: Promise<void> | undefined;
  #tools: { readonly key: string; readonly tools: readonly ToolDefinition[] } | undefined;
  readonly #hostId = `host-${randomId()}`;
  readonly #reloads = new Serial();
  readonly #log: Log;
  readonly #events: Emitter<RuntimeEvent>;
  readonly #projection = new RunProjection();
  readonly #groupLog: GroupLog;
  readonly #decisions: DecisionLog;
  readonly #transcripts: TranscriptStore;
  readonly #queue: ApprovalQueue;
  readonly #tracked: TrackedTasks | undefined;
  readonly #delegation: Delegation;
  readonly #sessions: SessionRegistry;

  constructor(options: LiteAgentOptions) {
    this.#options = options;
    this.#log = options.log ?? SILENT_LOG;
    this.#events = new Emitter((error) => this.#log.error(`events: a listener failed: ${errorText(error)}`));
    this.#transcripts = new TranscriptStore(join(options.storageDir, 'transcripts'));
    this.#groupLog = new GroupLog(join(options.storageDir, 'groups'), maskSecrets, (message) => this.#publish({ type: 'problem', message }));
    this.#decisions = new DecisionLog(join(options.storageDir, 'decisions'), maskSecrets, (message) => this.#publish({ type: 'problem', message }));
    this.#queue = new ApprovalQueue({ publish: this.#publish, saveRule: () => this.#options.permissions?.saveRule });
    this.#tracked = options.tasks ? new TrackedTasks({ dir: join(options.storageDir, 'tasks'), publish: this.#publish }) : undefined;
    // The projection comes first, so that every other listener finds the views as the event left them.
    this.#events.event((event) => this.#projection.apply(event));
    this.#events.event((event) => this.#groupLog.record(event));
    this.#events.event((event) => this.#decisions.record(event));
    this.#events.event((event) => this.#follow(event));

    const services: AgentServices = {
      publish: this.#publish,
      gate: createGate(this.#queue, { publish: this.#publish, mode: () => this.#options.permissions?.mode ?? 'enforce' }),
      files: options.files ?? createNodeFiles(),
      transcripts: this.#transcripts,
      outputFolder: join(options.storageDir, 'output'),
      roots: () => this.#options.roots ?? [this.#options.cwd],
    };
    this.#delegation = this.#createDelegation(services);
    this.#sessions = new SessionRegistry({
      services,
      options: () => ({ ...DEFAULTS, ...this.#options }),
      builtins: () => this.#builtins(),
      delegation: this.#delegation,
      definitions: () => this.#definitions.definitions,
    });
    this.approvals = {
      attach: () => this.#queue.attach(),
      pending: () => this.#queue.pending(),
      decide: (id, decision) => this.#queue.decide(id, decision),
      decisions: () => this.#decisions.read(),
    };
    this.tasks = { list: () => this.#tracked?.list() ?? [], accept: (taskId) => this.#trackedTasks().accept(taskId) };
    this.definitions = {
      list: () => this.#definitions.definitions,
      diagnostics: () => this.#definitions.diagnostics,
      unapproved: () => [],
      approve: () => Promise.reject(new AppError('unavailable', 'Not built yet.')),
      reload: () => this.#reload(),
    };
  }

  async start(): Promise<void> {
    await this.#tracked?.load();
    await this.#reload();
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

  cancelChild(agentId: string): Promise<void> {
    return this.#delegation.cancelChild(agentId);
  }

  cancelGroup(groupId: string): Promise<void> {
    return this.#delegation.cancelGroup(groupId);
  }

  cancelAll(): Promise<void> {
    return this.#delegation.cancelAll();
  }

  resumeChild(): Promise<never> {
    return Promise.reject(new AppError('unavailable', 'Not built yet.'));
  }

  resumeGroup(): Promise<never> {
    return Promise.reject(new AppError('unavailable', 'Not built yet.'));
  }

  suspend(): Promise<void> {
    return this.close();
  }

  transcript(agentId: string): Promise<readonly TranscriptEntry[]> {
    return this.#transcripts.read(agentId);
  }

  configure(options: Partial<LiveOptions>): void {
    // Before anything is taken over: a refused change must leave all as it was.
    checkOptions(options);
    const before = JSON.stringify(this.#options.agents);
    this.#options = { ...this.#options, ...options };
    this.#delegation.limitsChanged();
    if (JSON.stringify(this.#options.agents) !== before) void this.#reload();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await Promise.all([this.#sessions.close(), this.#delegation.close(), this.#reloads.idle()]);
    this.#queue.dispose();
    await Promise.all([this.#groupLog.flush(), this.#decisions.flush()]);
    this.#events.dispose();
  }

  readonly #publish: Publish = (event) => this.#events.fire({ at: Date.now(), ...event });

  #createDelegation(services: AgentServices): Delegation {
    return new Delegation({
      publish: this.#publish,
      hostId: this.#hostId,
      limits: () => ({
        maxParallel: this.#options.maxParallelSubagents ?? DEFAULTS.maxParallelSubagents,
        maxTasksPerCall: this.#options.maxTasksPerCall ?? DEFAULTS.maxTasksPerCall,
      }),
      definitions: () => this.#definitions.definitions,
      resolveChild: (definition, task) =>
        resolveChild(definition, task, this.#builtins(), this.#options.model, this.#options.maxTurns ?? DEFAULTS.maxTurns),
      runChild: createChildRunner({
        services,
        provider: () => this.#options.provider,
        builtins: () => this.#builtins(),
        layers: (definition) => childLayers(definition, this.#options.permissions ?? {}),
      }),
      ...(this.#tracked && { tasks: this.#tracked }),
      deliver: ({ sessionId, groupId, text }) => void this.#sessions.complete(sessionId, groupId, text),
      transcriptPath: (agentId) => this.#transcripts.pathOf(agentId),
    });
  }

  /** Made anew only when what they depend on has changed, so that every agent shares one set and its compiled schemas. */
  #builtins(): readonly ToolDefinition[] {
    const { ripgrep, shell = true, env = {}, shellEnv } = this.#options;
    const key = JSON.stringify([shell, shellEnv]);
    if (this.#tools?.key !== key) {
      const tools = createBuiltinTools({ ...(ripgrep && { ripgrep }), ...(shell && { shell: { env: shellEnvironment(env, shellEnv) } }) });
      this.#tools = { key, tools };
    }
    return this.#tools.tools;
  }

  /** One after the other, each with the folders of its own moment: a slow reading of old ones must not win over a later one. */
  #reload(): Promise<void> {
    return this.#reloads.run(() => this.#loadDefinitions());
  }

  async #loadDefinitions(): Promise<void> {
    const { agents = {} } = this.#options;
    this.#definitions = agents === false ? NO_DEFINITIONS : await new AgentLoader().load(agents);
    const { definitions, diagnostics } = this.#definitions;
    this.#publish({ type: 'definitions.reloaded', names: definitions.map(({ name }) => name), diagnostics });
  }

  #trackedTasks(): TrackedTasks {
    if (!this.#tracked) throw new AppError('unavailable', 'Tracked tasks are switched off.');
    return this.#tracked;
  }

  #follow(event: RuntimeEvent): void {
    if (event.type === 'problem') this.#log.error(event.message);
    if (event.type === 'group.settled') this.#queue.endGroup(event.groupId);
  }
}
