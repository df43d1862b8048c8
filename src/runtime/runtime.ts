import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { approvalAccess } from './approvalAccess.ts';
import type { AgentServices } from './agent/services.ts';
import { createTiming, type TimingOverrides } from './agent/timing.ts';
import { SYSTEM_CLOCK, type Clock } from './base/clock.ts';
import { deferred } from './base/async.ts';
import { Emitter } from './base/emitter.ts';
import { AppError, errorText } from './base/errors.ts';
import { randomId } from './base/ids.ts';
import type { Disposable } from './base/lifecycle.ts';
import { DefinitionRegistry, type DefinitionSettings } from './definitions/registry.ts';
import type { Delegation } from './delegation/delegation.ts';
import type { Completion } from './delegation/completionText.ts';
import { LiveSessions } from './delegation/liveSessions.ts';
import type { ResumeOptions } from './delegation/requests.ts';
import type { ChildView, GroupSpec, GroupView } from './domain/agents.ts';
import type { RuntimeEnvironment } from './domain/environment.ts';
import type { Publish, RuntimeEvent } from './domain/events.ts';
import type { ApprovalAccess, LiteAgent, LiteAgentOptions, LiteSession, LiveOptions, SessionUsage, TaskAccess, WorktreeAccess } from './domain/liteAgent.ts';
import { SILENT_LOG, type Log } from './domain/ports.ts';
import type { PromptListening } from './domain/services.ts';
import type { TranscriptEntry } from './domain/transcripts.ts';
import { addUsage, NO_USAGE } from './domain/usage.ts';
import { createGate } from './permissions/gate.ts';
import { ApprovalQueue } from './permissions/queue.ts';
import { maskSecrets } from './permissions/record.ts';
import { SecondChances } from './permissions/secondChances.ts';
import { BackgroundWork } from './backgroundWork.ts';
import { GroupStorage } from './groupStorage.ts';
import { keepChanges, type KeptChanges } from './keptChanges.ts';
import { acquireMCPConnection } from './mcp/acquire.ts';
import { Connections } from './mcp/connections.ts';
import { SkillRegistry } from './skills/registry.ts';
import { logEvent } from './logEvents.ts';
import { checkNewAgent, checkOptions } from './optionChecks.ts';
import { createDelegation } from './runtimeDelegation.ts';
import { RuntimeState } from './runtimeState.ts';
import { servicesOf } from './serviceTools.ts';
import { Steering } from './steering.ts';
import type { LazyReviews } from './review/lazyReviews.ts';
import { createReviews, taskAccess } from './runtimeReview.ts';
import { createWorktreeKeeper, NO_WORKTREE_ACCESS, type WorktreeKeeper } from './runtimeWorktrees.ts';
import { SessionRegistry } from './sessions/registry.ts';
import { DecisionLog } from './store/decisionLog.ts';
import { createNodeFiles } from './store/nodeFiles.ts';
import { RunProjection } from './store/projection.ts';
import { TranscriptStore } from './store/transcripts.ts';
import { TaskCare } from './taskCare.ts';
import { TrackedTasks } from './tasks/trackedTasks.ts';
import { createTrackedTaskTools } from './tasks/trackedTaskTools.ts';
import { CommandOwners } from './tools/commandOwners.ts';

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
  readonly reviews: LazyReviews;
  readonly worktrees: WorktreeAccess;
  readonly definitions: DefinitionRegistry;
  readonly skills: SkillRegistry;
  readonly connections: Connections;
  readonly #state: RuntimeState;
  #closing: Promise<void> | undefined;
  readonly #hostId = `host-${randomId()}`;
  /** Whoever gets the agent listens before anything is delivered that was left from before. */
  readonly #ready = deferred<void>();
  readonly #background = new BackgroundWork((event) => this.#publish(event));
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #events: Emitter<RuntimeEvent>;
  readonly #projection = new RunProjection();
  readonly #storage: GroupStorage;
  readonly #decisions: DecisionLog;
  /** Absent where what children change isn't kept. */
  readonly #kept: KeptChanges | undefined;
  readonly #keeper: WorktreeKeeper | undefined;
  readonly #transcripts: TranscriptStore;
  readonly #queue: ApprovalQueue;
  readonly #chances = new SecondChances();
  readonly #children = new LiveSessions();
  readonly #commands = new CommandOwners((pid, mark) => this.#storage.noteProcess(pid, mark));
  readonly #steering: Steering;
  readonly #tracked: TrackedTasks | undefined;
  readonly #care: TaskCare | undefined;
  readonly #delegation: Delegation;
  readonly #preview: LiteAgent['preview'];
  readonly #sessions: SessionRegistry;
  /** From when whoever got the agent can hear of what it sends. */
  #prompts: PromptListening | undefined;

  constructor(options: LiteAgentOptions, tuning: RuntimeTuning, environment: RuntimeEnvironment | undefined) {
    const { rootReviews = 'unchanged' } = options;
    this.#tracked = options.tasks ? new TrackedTasks({ dir: join(options.storageDir, 'tasks'), publish: this.#publish, now: () => this.#clock.now() }) : undefined;
    this.#state = new RuntimeState(options, environment, this.#tracked && createTrackedTaskTools({
      tasks: this.#tracked,
      child: (agentId) => this.child(agentId),
      isDelivered: (groupId) => this.#projection.isDelivered(groupId),
      refresh: () => this.#storage.refresh(),
      rootReviews,
    }));
    this.#clock = tuning.timing?.clock ?? SYSTEM_CLOCK;
    this.#log = options.log ?? SILENT_LOG;
    this.#care = this.#tracked && new TaskCare({ tasks: this.#tracked, archive: this.#projection, publish: this.#publish, log: this.#log, now: () => this.#clock.now() });
    this.#events = new Emitter((error) => this.#log.error(`events: a listener failed: ${errorText(error)}`));
    this.#transcripts = new TranscriptStore(join(options.storageDir, 'transcripts'));
    const { storageDir } = options;
    this.#storage = new GroupStorage({ storageDir, hostId: this.#hostId, projection: this.#projection, publish: this.#publish, adopt: (record) => this.#delegation.adopt(record), onBeat: async () => this.#care?.giveUpLost(), ...tuning });
    this.#decisions = new DecisionLog(join(storageDir, 'decisions'), maskSecrets, (message) => this.#publish({ type: 'problem', message }));
    const files = options.files ?? createNodeFiles();
    this.#kept = keepChanges(options, files, this.#hostId, this.#publish);
    this.#keeper = this.#kept && createWorktreeKeeper({ kept: this.#kept, storage: this.#storage, archive: this.#projection, reviews: () => this.reviews, publish: this.#publish, inBackground: this.#background.run });
    this.worktrees = this.#keeper ?? NO_WORKTREE_ACCESS;
    this.#queue = new ApprovalQueue({ publish: this.#publish, saveRule: () => this.#state.options.permissions?.saveRule });
    // The projection comes first, so that every other listener finds the views as the event left them.
    this.#events.event((event) => this.#projection.apply(event));
    this.#events.event((event) => this.#storage.record(event));
    this.#events.event((event) => this.#decisions.record(event));
    this.#events.event((event) => this.#kept?.log.record(event));
    this.#events.event((event) => this.#follow(event));

    const services: AgentServices = {
      publish: this.#publish,
      gate: createGate(this.#queue, { publish: this.#publish, chances: this.#chances, isShared: (tool) => this.#state.rootBuiltins().includes(tool), mode: () => this.#state.options.permissions?.mode ?? 'enforce' }),
      files,
      ...this.#kept?.services,
      transcripts: this.#transcripts,
      outputFolder: join(options.storageDir, 'output'),
      roots: () => this.#state.options.roots ?? [this.#state.options.cwd],
      timing: createTiming(this.#publish, () => this.#state.options.timeLimits ?? {}, tuning.timing),
      noteProcess: (pid, mark) => this.#storage.noteProcess(pid, mark),
      commands: this.#commands,
      host: () => servicesOf(this.#state.options, this.#queue.ask),
    };
    this.skills = new SkillRegistry({ publish: this.#publish, folders: () => this.#state.options.skills ?? {} });
    this.connections = new Connections({
      acquire: acquireMCPConnection,
      servers: () => this.#state.options.mcpServers ?? {},
      resolve: async (name, config) => (await this.#state.options.resolveServer?.(name, config)) ?? config,
      cwd: options.cwd,
      onProcess: (pid) => this.#storage.noteProcess(pid),
      publish: this.#publish,
      clock: this.#clock,
    });
    this.definitions = new DefinitionRegistry({ publish: this.#publish, settings: () => this.#definitionSettings(), ...(options.definitionApprovals && { approvals: options.definitionApprovals }) });
    const { delegation, preview } = createDelegation({
      state: this.#state,
      services,
      storage: this.#storage,
      definitions: this.definitions,
      skills: this.skills,
      connections: this.connections,
      children: this.#children,
      refresh: () => this.#refresh(),
      modelOf: (sessionId) => this.#sessions.modelOf(sessionId),
      hostId: this.#hostId,
      archive: { child: (agentId) => this.child(agentId), group: (groupId) => this.group(groupId), transcript: (agentId) => this.transcript(agentId) },
      deliver: (completion) => this.#deliver(completion),
      ...(this.#tracked && { tasks: this.#tracked }),
      ...(this.#keeper && { worktrees: this.#keeper }),
    });
    this.#delegation = delegation;
    this.#preview = preview;
    this.#sessions = new SessionRegistry({
      services,
      options: () => this.#state.options,
      builtins: () => this.#state.rootBuiltins(),
      delegation: this.#delegation,
      models: this.#state.models,
      definitions: () => this.definitions.usable(),
      tasks: () => this.#tracked?.list() ?? [],
      childName: (agentId) => this.child(agentId)?.displayName,
      refresh: async () => void (await Promise.all([this.#refresh(), this.#care?.refresh()])),
      connect: (servers) => this.connections.connectRoot(servers),
      topLevel: (servers) => ({ connectionTools: this.connections.rootTools(servers), skills: this.skills.list() }),
    });
    this.#steering = new Steering({
      archive: { child: (agentId) => this.child(agentId), group: (groupId) => this.group(groupId) },
      sessions: this.#children,
      publish: this.#publish,
      stored: (groupId) => this.#storage.stored(groupId),
    });
    this.approvals = approvalAccess({
      queue: this.#queue,
      decisions: this.#decisions,
      chances: this.#chances,
      child: (agentId) => this.child(agentId),
      resume: (agentId, prompt) => this.resumeChild(agentId, { prompt }),
      tell: (agentId, text) => this.#steering.tell(agentId, text),
      publish: this.#publish,
    });
    this.reviews = createReviews({ services, changes: this.#kept?.log, worktrees: this.#kept?.worktrees, tracked: this.#tracked, projection: this.#projection, storage: this.#storage, clock: this.#clock, resume: (agentId, more) => this.resumeChild(agentId, more) });
    this.tasks = taskAccess(this.#tracked, this.reviews, (agentId) => this.child(agentId) !== undefined);
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
    this.#background.run(this.#storage.endLeftovers(), 'What an earlier window left running was not ended');
    if (this.#keeper) this.#background.run(this.#keeper.tidy(), 'Worktrees that nobody needs were not removed');
    if (this.#care) this.#background.run(this.#care.mend(), 'Tasks were not brought in step with their subagents');
    setImmediate(() => {
      this.#ready.resolve();
      this.#listenForPrompts();
      if (unreadable !== undefined) this.#publish({ type: 'problem', message: errorText(unreadable) });
    });
  }

  subscribe(listener: (event: RuntimeEvent) => void): Disposable {
    return this.#events.event(listener);
  }

  openSession(options: Parameters<LiteAgent['openSession']>[0] = {}): Promise<LiteSession> {
    return this.#sessions.open(options);
  }

  plan(tasks: unknown, options?: Parameters<LiteAgent['plan']>[1]): ReturnType<LiteAgent['plan']> {
    return this.#sessions.plan(tasks, options);
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

  async preview(...of: Parameters<LiteAgent['preview']>): ReturnType<LiteAgent['preview']> {
    if (this.#closing) throw new AppError('closed', 'This agent was closed.');
    return this.#preview(...of);
  }

  tellChild(agentId: string, text: string): Promise<void> {
    return this.#steering.tell(agentId, text);
  }

  retryTurn(agentId: string): Promise<void> {
    return this.#steering.retry(agentId);
  }

  transcript(agentId: string): Promise<readonly TranscriptEntry[]> {
    return this.#transcripts.read(agentId);
  }

  configure(options: Partial<LiveOptions>): void {
    // Before anything is taken over: a refused change must leave all as it was.
    checkOptions({ ...this.#state.options, ...options });
    const before = { skills: this.#state.options.skills, definitions: this.#definitionSettings() };
    this.#state.change(options);
    this.#delegation.limitsChanged();
    this.connections.serversChanged();
    // Where no shell may run any more, none does.
    if (options.shell === false) this.#background.run(this.#commands.endAll(), 'Commands in the background were not ended');
    if (!isDeepStrictEqual(this.#state.options.skills, before.skills)) void this.#refresh();
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

  #listenForPrompts(): void {
    if (this.#closing) return;
    this.#prompts = this.#state.options.cron?.listen({
      send: (prompt, isWanted) => this.#sessions.scheduled(prompt, isWanted),
      holds: (sessionId) => this.#sessions.isOpen(sessionId),
      report: (message) => this.#publish({ type: 'problem', message }),
    });
  }

  async #end(stop: () => Promise<void>): Promise<void> {
    this.#prompts?.dispose();
    this.#tracked?.hurry();
    this.connections.hurry();
    await this.#storage.rest();
    await Promise.all([this.#sessions.close(), stop(), this.reviews.close(), this.definitions.idle(), this.skills.idle()]);
    // What waited for its turn is given back, for a later agent to send.
    await this.#prompts?.idle();
    this.#queue.dispose();
    await Promise.all([this.connections.close(), this.#kept?.stopWatching(), this.#keeper?.close()]);
    await Promise.all([this.#storage.flush(), this.#decisions.flush()]);
    await this.#background.idle();
    await this.#kept?.log.flush();
    this.#events.dispose();
    // Last: from here on others look after what is left.
    await this.#storage.leave();
  }

  readonly #publish: Publish = (event) => this.#events.fire({ at: this.#clock.now(), ...event });

  async #deliver(completion: Completion): Promise<boolean> {
    await this.#ready.promise;
    const result = await this.#sessions.complete(completion);
    if (result === 'never') await this.#storage.putAway(completion.groupId);
    return result === 'kept';
  }

  /** Skills first: definitions are read against their names. */
  async #refresh(): Promise<void> {
    await this.skills.refresh();
    await this.definitions.refreshIfChanged();
  }

  #definitionSettings(): DefinitionSettings {
    return this.#state.definitionSettings(this.skills.list().map(({ name }) => name));
  }

  #follow(event: RuntimeEvent): void {
    this.#keeper?.follow(event);
    logEvent(event, this.#log);
    if (event.type === 'child.settled' || event.type === 'child.interrupted') {
      this.#chances.endRun(event.agentId);
      this.#children.remove(event.agentId);
    }
    if (event.type === 'model.ended') this.#delegation.turnEnded(event);
    if (event.type === 'group.settled') this.#queue.endGroup(event.groupId);
    // A list that can't be read is told by whatever needs it.
    if (event.type === 'group.refreshed') this.#background.run(this.tasks.refresh().catch(() => undefined), 'The task list was not looked at');
    // What is found at the next start was written before that.
    if (event.type === 'worktree.removed' && this.#projection.isPutAway(event.agentId)) this.#background.run(this.#storage.putAway(event.groupId), `Group ${event.groupId} was not put away`);
    if (event.type === 'group.delivered') this.#background.run(this.#storage.putAway(event.groupId), `Group ${event.groupId} was not put away`);
  }
}
