import { historyUpTo, turnsOf, wholeHistory, type History } from '../agent/conversation.ts';
import { rootPrompt } from '../agent/prompt.ts';
import { AgentTools, foundTools } from '../agent/agentTools.ts';
import { resolveAgent, type ResolvedAgent } from '../agent/resolveAgent.ts';
import { effectiveRoot, rootCapabilities, type TopLevel } from '../agent/rootCapabilities.ts';
import { toolRunner, type AgentServices } from '../agent/services.ts';
import type { RunSetup } from '../agent/session.ts';
import { rootTiming } from '../agent/timing.ts';
import { AppError, errorText, isAppError } from '../base/errors.ts';
import { randomId } from '../base/ids.ts';
import { createAgentTool } from '../delegation/agentTool.ts';
import { createMultiTaskTool, createTaskTool } from '../delegation/taskTools.ts';
import { runningGroupsText } from '../delegation/modelText.ts';
import type { Delegation, DispatchRequest } from '../delegation/delegation.ts';
import type { DelegatingOptions } from '../delegation/taskInput.ts';
import type { Completion } from '../delegation/completionText.ts';
import type { GroupSpec } from '../domain/agents.ts';
import type { AgentDefinition } from '../domain/definitions.ts';
import type { DelegationTool, LiteAgent, LiteAgentOptions, RootOptions } from '../domain/liteAgent.ts';
import type { McpServerConfig } from '../domain/mcp.ts';
import type { ReadLedger, ToolDefinition } from '../domain/tools.ts';
import type { TranscriptEntry } from '../domain/transcripts.ts';
import type { PermissionLayer } from '../domain/permissions.ts';
import { addUsage, NO_USAGE, type Usage } from '../domain/usage.ts';
import { layersFor } from '../permissions/layers.ts';
import { hasCompletion } from './completions.ts';
import { RootSession } from './rootSession.ts';
import { createReadLedger } from '../store/readLedger.ts';

type Servers = Readonly<Record<string, McpServerConfig>>;

export interface SessionRegistryOptions {
  readonly services: AgentServices;
  readonly options: () => LiteAgentOptions & { readonly maxTasksPerCall: number };
  readonly builtins: () => readonly ToolDefinition[];
  /** Connects the root to these servers, waiting a little while. Never rejects. */
  readonly connect: (servers: Servers) => Promise<void>;
  /** What the root has at this moment, with these servers. */
  readonly topLevel: (servers: Servers) => TopLevel;
  readonly delegation: Delegation;
  /** Those that a model may be offered, as of now. */
  readonly definitions: () => readonly AgentDefinition[];
  /** Brings definitions and skills up to their files' present state; called before each turn. */
  readonly refresh: () => Promise<void>;
}

/** What the turns of one conversation share. */
interface Conversation {
  readonly sessionId: string;
  readonly cwd: string;
  readonly reads: ReadLedger;
  /** The deferred tools that it has found. */
  readonly activated: Set<string>;
}

/** The root is of no kind that any policy is bound to. */
const ROOT = { name: 'root' };

/** The conversations of one root agent: opens, continues, forks and ends them. */
export class SessionRegistry {
  readonly #options: SessionRegistryOptions;
  readonly #sessions = new Map<string, RootSession>();
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
    };
    const waiting = { ...delegating, results: { transcriptPath: (agentId: string) => options.services.transcripts.pathOf(agentId) } };
    this.#delegationTools = {
      Agent: createAgentTool({ ...delegating, background: options.options().background ?? true }),
      Task: createTaskTool(waiting),
      MultiTask: createMultiTaskTool(waiting),
    };
  }

  async open({ cwd = this.#options.options().cwd, from }: NonNullable<Parameters<LiteAgent['openSession']>[0]>): Promise<RootSession> {
    this.#assertOpen();
    const live = from && this.#sessions.get(from.sessionId);
    // The transcript of a living conversation may be behind it.
    if (from && live?.isAt(from.turnId)) return live;
    const history = from && historyUpTo(await this.#entries(from.sessionId), from.turnId);
    if (from && history?.isLast && !live) return this.#sessions.get(from.sessionId) ?? this.#create(from.sessionId, cwd, history);

    const sessionId = `session-${randomId()}`;
    const writer = this.#options.services.transcripts.writer(sessionId);
    await writer.append({ type: 'started', at: Date.now(), run: { kind: 'root', sessionId, cwd } });
    for (const entry of history?.entries ?? []) if (entry.type !== 'started') await writer.append(withoutUsage(entry));
    return this.#create(sessionId, cwd, history);
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

  /** What the root itself used in a session, as far as its answers are kept. Zero for an unknown one. */
  async usage(sessionId: string): Promise<Usage> {
    const entries = await this.#entries(sessionId);
    return entries.flatMap((entry) => (entry.type === 'message' && entry.usage ? [entry.usage] : [])).reduce(addUsage, NO_USAGE);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
  }

  /** Rejects with `not_found` where nothing is stored of it. */
  async #openStored(sessionId: string): Promise<RootSession> {
    const entries = await this.#options.services.transcripts.read(sessionId);
    const cwd = entries.flatMap((entry) => (entry.type === 'started' && entry.run.kind === 'root' ? [entry.run.cwd] : []))[0] ?? this.#options.options().cwd;
    // Somebody may have opened it meanwhile.
    return this.#sessions.get(sessionId) ?? this.#create(sessionId, cwd, wholeHistory(entries));
  }

  #create(sessionId: string, cwd: string, history: History | undefined): RootSession {
    // Once more: it may have been closed while the transcript was read or written.
    this.#assertOpen();
    const { services, delegation, refresh } = this.#options;
    const conversation: Conversation = { sessionId, cwd, reads: createReadLedger(), activated: foundTools(history?.messages ?? []) };
    const session = new RootSession({
      sessionId,
      cwd,
      history: history?.messages ?? [],
      turns: turnsOf(history?.entries ?? []),
      services,
      setup: async (request) => {
        // The model is to choose among the definitions as their files are now.
        await refresh();
        await this.#options.connect(this.#root(request).mcpServers ?? {});
        return this.#setup(conversation, request);
      },
      dispatch: (tasks) => {
        if (!this.#delegates) throw new AppError('unavailable', 'Delegation is switched off (agents: false).');
        return delegation.dispatch({ sessionId, cwd, tasks, by: 'person' });
      },
    });
    this.#sessions.set(sessionId, session);
    return session;
  }

  #setup({ sessionId, cwd, reads, activated }: Conversation, request: RootOptions | undefined): RunSetup {
    const { services, builtins, delegation, topLevel } = this.#options;
    const options = this.#options.options();
    const { prompt, appendPrompt, rootMaxTurns = Infinity } = this.#root(request);
    const delegating = this.#delegating();
    const resolve = (found: ReadonlySet<string>): ResolvedAgent => {
      const root = this.#root(request);
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
      provider: options.provider,
      model: options.model,
      system: rootPrompt({ ...(prompt !== undefined && { prompt }), ...(appendPrompt !== undefined && { appendPrompt }) }, cwd, delegatesWith),
      tools: () => tools.schemas(),
      maxTurns: rootMaxTurns,
      timing: rootTiming(services.timing),
      reminder: () => runningGroupsText(delegation.running(sessionId)),
      runTools: toolRunner(services, { agent: { kind: 'root', sessionId }, tools, layers, cwd, reads, readable }),
    };
  }

  /** What counts for the turn that delegates counts for what its children inherit, and for the turn on their results. */
  async #dispatch(request: DispatchRequest): Promise<GroupSpec> {
    const session = this.#sessions.get(request.sessionId);
    const asked = session?.request;
    const group = await this.#options.delegation.dispatch({ ...request, parent: this.#root(asked).capabilities ?? {} });
    if (asked) session?.remember(group.groupId, asked);
    return group;
  }

  /** The root's options that count for a request, as they are now. */
  #root(request: RootOptions | undefined): RootOptions {
    return effectiveRoot(this.#options.options(), request);
  }

  /** The tools with which the root delegates, by name. */
  #delegating(): ReadonlyMap<DelegationTool, ToolDefinition> {
    const { delegationTools = ['Agent'] } = this.#options.options();
    return new Map((this.#delegates ? delegationTools : []).map((name) => [name, this.#delegationTools[name]]));
  }

  #assertOpen(): void {
    if (this.#closed) throw new AppError('closed', 'This agent was closed.');
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

/** What was said before a conversation parted from another was used there. */
function withoutUsage(entry: TranscriptEntry): TranscriptEntry {
  return entry.type === 'message' ? { type: entry.type, at: entry.at, message: entry.message } : entry;
}
