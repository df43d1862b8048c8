import { tiersOf } from '../agent/currentModel.ts';
import { checkRootModel } from '../agent/modelChecks.ts';
import { historyUpTo, rootModelIn, turnsOf, wholeHistory, type History } from '../agent/conversation.ts';
import { rootPrompt } from '../agent/prompt.ts';
import { AgentTools, foundTools } from '../agent/agentTools.ts';
import { resolveAgent, type ResolvedAgent } from '../agent/resolveAgent.ts';
import { effectiveRoot, rootCapabilities, type TopLevel } from '../agent/rootCapabilities.ts';
import { openCommands, outputOf, toolRunner, type AgentServices } from '../agent/services.ts';
import type { RunSetup } from '../agent/session.ts';
import { rootTiming } from '../agent/timing.ts';
import { AppError, errorText, isAppError } from '../base/errors.ts';
import { randomId } from '../base/ids.ts';
import { createAgentTool } from '../delegation/agentTool.ts';
import { createMultiTaskTool, createTaskTool } from '../delegation/taskTools.ts';
import type { Delegation } from '../delegation/delegation.ts';
import type { DispatchRequest } from '../delegation/requests.ts';
import type { DelegatingOptions } from '../delegation/taskInput.ts';
import type { Completion } from '../delegation/completionText.ts';
import type { GroupSpec, PlannedChild } from '../domain/agents.ts';
import type { AgentDefinition } from '../domain/definitions.ts';
import type { DelegationTool, LiteAgent, LiteAgentOptions, RootOptions } from '../domain/liteAgent.ts';
import type { McpServerConfig } from '../domain/mcp.ts';
import type { ModelProvider, ModelRef } from '../domain/models.ts';
import type { ScheduledPrompt } from '../domain/services.ts';
import type { ReadLedger, ToolDefinition } from '../domain/tools.ts';
import type { RunIdentity, TranscriptEntry } from '../domain/transcripts.ts';
import type { PermissionLayer } from '../domain/permissions.ts';
import type { TrackedTask } from '../domain/trackedTasks.ts';
import { addUsage, NO_USAGE, type Usage } from '../domain/usage.ts';
import { layersFor } from '../permissions/layers.ts';
import { hasCompletion } from './ownTurns.ts';
import { reminderText, type ReminderFacts } from './reminder.ts';
import { RootSession } from './rootSession.ts';
import { SessionCommands, type LostCommand } from './sessionCommands.ts';
import { createReadLedger } from '../store/readLedger.ts';

type Servers = Readonly<Record<string, McpServerConfig>>;

export interface SessionRegistryOptions {
  readonly services: AgentServices;
  readonly options: () => LiteAgentOptions & { readonly maxTasksPerCall: number };
  readonly builtins: () => readonly ToolDefinition[];
  readonly models: {
    /** The model that is wanted, else the default. */
    current(wanted: RootOptions['rootModel']): ModelRef;
    /** Throws `unavailable` where the model can't be reached. */
    provider(model: ModelRef): ModelProvider;
  };
  /** Connects the root to these servers, waiting a little while. Never rejects. */
  readonly connect: (servers: Servers) => Promise<void>;
  /** What the root has at this moment, with these servers. */
  readonly topLevel: (servers: Servers) => TopLevel;
  readonly delegation: Delegation;
  /** Those that a model may be offered, as of now. */
  readonly definitions: () => readonly AgentDefinition[];
  /** The task list; empty where tasks are off. */
  readonly tasks: () => readonly TrackedTask[];
  /** The display name of a child; nothing where it isn't known any more. */
  readonly childName: (agentId: string) => string | undefined;
  /** Brings definitions, skills and the task list up to their files' present state; called before each turn. */
  readonly refresh: () => Promise<void>;
}

/** What the turns of one conversation share. */
interface Conversation {
  readonly sessionId: string;
  readonly cwd: string;
  readonly reads: ReadLedger;
  /** The deferred tools that it has found. */
  readonly activated: Set<string>;
  /** Absent where no command can run in the background. */
  readonly commands?: SessionCommands;
}

/** What counts in a session where it differs from the agent's options. */
interface Current {
  /** Of the turn that runs, or ran last. */
  readonly request: RootOptions | undefined;
  /** Of the session, until a message names another. */
  readonly rootModel: RootOptions['rootModel'];
}

/** The root is of no kind that any policy is bound to. */
const ROOT = { name: 'root' };

/** The conversations of one root agent: opens, continues, forks and ends them. */
export class SessionRegistry {
  readonly #options: SessionRegistryOptions;
  readonly #sessions = new Map<string, RootSession>();
  readonly #current = new Map<string, Current>();
  readonly #commands: SessionCommands[] = [];
  /** One set for all sessions, so that their schemas are compiled once. */
  readonly #delegationTools: Readonly<Record<DelegationTool, ToolDefinition>>;
  #closed = false;

  constructor(options: SessionRegistryOptions) {
    this.#options = options;
    const { definitions } = options;
    const delegating: DelegatingOptions = {
      dispatch: (request) => this.#dispatch(request),
      definitions,
      maxTasks: () => options.options().maxTasksPerCall,
      tasks: options.options().tasks ?? false,
      tiers: () => {
        const { models } = options.options();
        return models && tiersOf(models);
      },
    };
    const waiting = { ...delegating, results: { transcriptPath: (agentId: string) => options.services.transcripts.pathOf(agentId) } };
    this.#delegationTools = {
      Agent: createAgentTool({ ...delegating, background: options.options().background ?? true }),
      Task: createTaskTool(waiting),
      MultiTask: createMultiTaskTool(waiting),
    };
  }

  async open({ cwd = this.#options.options().cwd, answers = true, from }: NonNullable<Parameters<LiteAgent['openSession']>[0]>): Promise<RootSession> {
    this.#assertOpen();
    const live = from && this.#sessions.get(from.sessionId);
    // The transcript of a living conversation may be behind it.
    if (from && live?.isAt(from.turnId)) return live;
    const history = from && historyUpTo(await this.#entries(from.sessionId), from.turnId);
    if (from && history?.isLast && !live) return this.#sessions.get(from.sessionId) ?? this.#create(from.sessionId, cwd, history);

    const sessionId = `session-${randomId()}`;
    const writer = this.#options.services.transcripts.writer(sessionId);
    await writer.append({ type: 'started', at: Date.now(), run: { kind: 'root', sessionId, cwd, ...(!answers && { answers }) } });
    for (const entry of history?.entries ?? []) if (entry.type !== 'started') await writer.append(withoutUsage(entry));
    return this.#create(sessionId, cwd, history, answers);
  }

  /**
   * Brings a group's completion to its conversation, which takes a turn on it; one that isn't open is opened from what
   * is stored of it. Resolves once it is kept there, `later` where a later agent on this storage has to deliver it,
   * `never` where the conversation is gone. Never rejects: what goes wrong is a `problem`.
   */
  async complete({ sessionId, groupId, text, mayBeThere }: Completion): Promise<'kept' | 'later' | 'never'> {
    try {
      if (mayBeThere && hasCompletion(await this.#entries(sessionId), groupId)) return 'kept';
      const session = this.#sessions.get(sessionId) ?? (await this.#openStored(sessionId));
      await session.complete(groupId, text);
      return 'kept';
    } catch (error) {
      if (isAppError(error, 'closed')) return 'later';
      this.#options.services.publish({ type: 'problem', message: `The results of group ${groupId} did not reach their conversation: ${errorText(error)} They can be read in the panel.` });
      return isAppError(error, 'not_found') ? 'never' : 'later';
    }
  }

  /**
   * Brings a scheduled prompt to its conversation, which takes a turn on it; one that isn't open is opened from what is
   * stored of it. Resolves once it is kept there; rejects with `not_found` where the conversation is gone, `closed`, and
   * where it can't be kept. See `RootSession.scheduled`.
   */
  async scheduled(prompt: ScheduledPrompt, isWanted: () => Promise<boolean>): Promise<void> {
    this.#assertOpen();
    const session = this.#sessions.get(prompt.sessionId) ?? (await this.#openStored(prompt.sessionId));
    await session.scheduled(prompt, isWanted);
  }

  isOpen(sessionId: string): boolean {
    return this.#sessions.has(sessionId);
  }

  /** What the root itself used in a session, as far as its answers are kept. Zero for an unknown one. */
  async usage(sessionId: string): Promise<Usage> {
    const entries = await this.#entries(sessionId);
    return entries.flatMap((entry) => (entry.type === 'message' && entry.usage ? [entry.usage] : [])).reduce(addUsage, NO_USAGE);
  }

  /** What the root runs on in a session, which may not be open. */
  modelOf(sessionId: string): ModelRef {
    return this.#options.models.current(this.#root(sessionId).rootModel);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#sessions.values(), ...this.#commands].map((each) => each.close()));
  }

  /** Rejects with `not_found` where nothing is stored of it. */
  async #openStored(sessionId: string): Promise<RootSession> {
    const entries = await this.#options.services.transcripts.read(sessionId);
    const run = rootIn(entries);
    // Somebody may have opened it meanwhile.
    return this.#sessions.get(sessionId) ?? this.#create(sessionId, run?.cwd ?? this.#options.options().cwd, wholeHistory(entries), run?.answers ?? true);
  }

  #create(sessionId: string, cwd: string, history: History | undefined, answers = true): RootSession {
    // Once more: it may have been closed while the transcript was read or written.
    this.#assertOpen();
    const { services, refresh } = this.#options;
    const commands = this.#openCommands(sessionId);
    const conversation: Conversation = { sessionId, cwd, reads: createReadLedger(), activated: foundTools(history?.messages ?? []), ...(commands && { commands }) };
    const session = new RootSession({
      sessionId,
      cwd,
      answers,
      history: history ?? { messages: [], view: [] },
      turns: turnsOf(history?.entries ?? []),
      services,
      check: ({ rootModel }) => {
        if (rootModel !== undefined) checkRootModel(rootModel, this.#options.options().models);
      },
      setup: async (request) => {
        this.#begin(sessionId, request);
        // The model is to choose among the definitions as their files are now.
        await refresh();
        await this.#options.connect(this.#root(sessionId).mcpServers ?? {});
        return this.#setup(conversation, (await commands?.takeLost()) ?? []);
      },
      dispatch: async ({ root, ...call }) => {
        this.#assertDelegates();
        this.#begin(sessionId, root);
        return this.#dispatch({ sessionId, cwd, ...call });
      },
    });
    this.#sessions.set(sessionId, session);
    this.#current.set(sessionId, { request: undefined, rootModel: rootModelIn(history?.entries ?? []) });
    return session;
  }

  /** Takes over what came with the message of a turn. */
  #begin(sessionId: string, request: RootOptions | undefined): void {
    this.#current.set(sessionId, { request, rootModel: request?.rootModel ?? this.#current.get(sessionId)?.rootModel });
  }

  #openCommands(sessionId: string): SessionCommands | undefined {
    const { services } = this.#options;
    const agent = { kind: 'root', sessionId } as const;
    const owned = openCommands(services, agent);
    const commands = owned && new SessionCommands(owned, outputOf(services, agent), (message) => services.publish({ type: 'problem', message }));
    if (commands) this.#commands.push(commands);
    return commands;
  }

  /** `lost`: what this turn hears of commands that an earlier process ended. */
  #setup({ sessionId, cwd, reads, activated, commands }: Conversation, lost: readonly LostCommand[]): RunSetup {
    const { services, builtins, topLevel, models } = this.#options;
    const { prompt, appendPrompt, rootMaxTurns = Infinity } = this.#root(sessionId);
    const model = this.modelOf(sessionId);
    const delegating = this.#delegating();
    const resolve = (found: ReadonlySet<string>): ResolvedAgent => {
      const root = this.#root(sessionId);
      const { deferToolsOver: deferOver } = this.#options.options();
      const capabilities = rootCapabilities(root, topLevel(root.mcpServers ?? {}));
      return resolveAgent({ builtinTools: [...builtins(), ...delegating.values()] }, capabilities, ROOT, { activated: found, ...(deferOver !== undefined && { deferOver }) });
    };
    const tools = new AgentTools(resolve, (message) => services.publish({ type: 'problem', message }), activated);
    const layers = (): readonly PermissionLayer[] => layersFor('root', this.#options.options().permissions ?? {});
    const readable = [services.transcripts.folder, services.outputFolder];
    // Its lists may have taken some away, and a host's tool of that name is another.
    const delegatesWith = [...delegating].flatMap(([name, tool]) => (tools.current().tools.includes(tool) ? [name] : []));
    return {
      provider: models.provider(model),
      model,
      system: rootPrompt({ ...(prompt !== undefined && { prompt }), ...(appendPrompt !== undefined && { appendPrompt }) }, cwd, delegatesWith),
      tools: () => tools.schemas(),
      maxTurns: rootMaxTurns,
      timing: rootTiming(services.timing),
      reminder: () => this.#reminder(sessionId, { commands: commands?.list() ?? [], lost }),
      runTools: toolRunner(services, { agent: { kind: 'root', sessionId }, tools, layers, cwd, reads, readable, ...(commands && { background: commands }) }),
    };
  }

  #reminder(sessionId: string, background: Pick<ReminderFacts, 'commands' | 'lost'>): string | undefined {
    const { tasks, delegation, childName } = this.#options;
    const groups = delegation.running(sessionId).map(({ spec: { groupId }, children }) => ({ groupId, children: children.map(({ spec: { displayName }, status }) => ({ displayName, status })) }));
    return reminderText({ tasks: tasks(), groups, ...background, childName });
  }

  /** See `LiteAgent.plan`. */
  async plan(tasks: unknown, { by = 'person' }: NonNullable<Parameters<LiteAgent['plan']>[1]> = {}): Promise<readonly PlannedChild[]> {
    this.#assertOpen();
    this.#assertDelegates();
    const { options, delegation } = this.#options;
    // What counts in no session in particular is what the agent's options say.
    return delegation.plan({ sessionId: '', cwd: options().cwd, tasks, by, parent: this.#root('').capabilities ?? {} });
  }

  /** What counts for the turn that delegates counts for what its children inherit, and for the turn on their results. */
  async #dispatch(request: DispatchRequest): Promise<GroupSpec> {
    const { sessionId } = request;
    const asked = this.#current.get(sessionId)?.request;
    const group = await this.#options.delegation.dispatch({ ...request, parent: this.#root(sessionId).capabilities ?? {} });
    if (asked) this.#sessions.get(sessionId)?.remember(group.groupId, asked);
    return group;
  }

  /** The root's options that count in a session, as they are now. */
  #root(sessionId: string): RootOptions {
    const { request, rootModel } = this.#current.get(sessionId) ?? {};
    return { ...effectiveRoot(this.#options.options(), request), ...(rootModel !== undefined && { rootModel }) };
  }

  /** The tools with which the root delegates, by name. */
  #delegating(): ReadonlyMap<DelegationTool, ToolDefinition> {
    const { delegationTools = ['Agent'] } = this.#options.options();
    return new Map((this.#delegates ? delegationTools : []).map((name) => [name, this.#delegationTools[name]]));
  }

  #assertOpen(): void {
    if (this.#closed) throw new AppError('closed', 'This agent was closed.');
  }

  #assertDelegates(): void {
    if (!this.#delegates) throw new AppError('unavailable', 'Delegation is switched off (agents: false).');
  }

  /** False with `agents: false`: no tool, no prompt about it, no dispatch. */
  get #delegates(): boolean {
    return this.#options.options().agents !== false;
  }

  async #entries(sessionId: string): Promise<readonly TranscriptEntry[]> {
    try {
      return await this.#options.services.transcripts.read(sessionId);
    } catch (error) {
      if (isAppError(error, 'not_found') || isAppError(error, 'invalid_input')) return [];
      throw error;
    }
  }
}

/** The root whose transcript it is. */
function rootIn(entries: readonly TranscriptEntry[]): Extract<RunIdentity, { kind: 'root' }> | undefined {
  return entries.flatMap((entry) => (entry.type === 'started' && entry.run.kind === 'root' ? [entry.run] : []))[0];
}

/** What was said before a conversation parted from another was used there. */
function withoutUsage(entry: TranscriptEntry): TranscriptEntry {
  return entry.type === 'message' ? { type: entry.type, at: entry.at, message: entry.message } : entry;
}
