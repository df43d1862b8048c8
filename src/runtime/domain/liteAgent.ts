import type { Disposable } from '../base/lifecycle.ts';
import type { GroupSpec, GroupView, ChildView, PlannedChild, RunOutcome, StartedGroup } from './agents.ts';
import type { ApprovalDecision, ApprovalRequest, DecisionRecord, RefusedCall } from './approvals.ts';
import type { AgentCapabilities, SubAgentEntry } from './capabilities.ts';
import type { AgentDefinition, DefinitionDiagnostic, FileSource, FoundDefinition } from './definitions.ts';
import type { EffectiveAgent, PreviewOptions } from './effectiveAgent.ts';
import type { RuntimeOptions } from './environment.ts';
import type { OwnTurnCause, RuntimeEvent } from './events.ts';
import type { McpServerConfig, ServerView } from './mcp.ts';
import type { ModelCatalog, ModelRef, Tier } from './models.ts';
import type { PermissionLists, PermissionMode } from './permissions.ts';
import type { ReviewAccess } from './reviews.ts';
import type { ToolDefinition } from './tools.ts';
import type { SkillDefinition } from './skills.ts';
import type { TranscriptEntry } from './transcripts.ts';
import type { TrackedTask } from './trackedTasks.ts';
import type { Usage } from './usage.ts';
import type { WorktreeLoss } from './worktrees.ts';

/** What a long-lived agent is made of. Everything optional has the default that is named. */
export interface LiteAgentOptions extends RuntimeOptions, RootOptions {
  /** Folders of definitions by source; `false` removes delegation. A missing folder is empty. */
  readonly agents?: false | Partial<Record<FileSource, string>>;
  /** Further kinds of subagents, by name; they win over files. */
  readonly subAgents?: Readonly<Record<string, SubAgentEntry>>;
  /** The tools with which the root delegates. Default `['Agent']`. */
  readonly delegationTools?: readonly DelegationTool[];
  /** Folders of skills by source. A missing folder is empty. Default none. */
  readonly skills?: Partial<Record<SkillSource, string>>;
  /** Turns what a server's configuration leaves open, such as a key that a person types, into one that can be used; called before each connect. Rejects with why it can't be. */
  readonly resolveServer?: (name: string, config: McpServerConfig) => Promise<McpServerConfig>;
  /** Models to choose from. With them, tasks and definitions may name configured tiers only, and `model` is what runs where none of them can be reached. */
  readonly models?: ModelCatalog | undefined;
  /** The tier that is current until a request says otherwise. Default the first of `medium`, `simple`, `complex` that is configured. */
  readonly defaultModel?: Tier | undefined;
  /** What one group may use up. What is over it stops at the end of its turn, and what waits doesn't start. Default no limit. */
  readonly budget?: GroupBudget;
  /** The connection tools of an agent wait to be found once their schemas together pass this many bytes. Default 24,000. */
  readonly deferToolsOver?: number;
  /** Children at the same time, over all sessions and groups. Default 5. */
  readonly maxParallelSubagents?: number;
  /** Tasks in one call. Default 20. */
  readonly maxTasksPerCall?: number;
  /** Model turns of a child whose definition doesn't say. Default 50. */
  readonly maxTurns?: number;
  /** False: the `Agent` tool answers with an error. Default true. */
  readonly background?: boolean;
  readonly timeLimits?: TimeLimits;
  /** Who vouches for project definitions. Absent: they are used as they are. */
  readonly definitionApprovals?: DefinitionApprovals;
  /** Tracked tasks. Default false. */
  readonly tasks?: boolean;
  /** Keeps what children change in files, so that it can be reviewed and undone. Default: as `tasks`. */
  readonly checkpoints?: boolean;
  /** Which results of its own children the root may complete itself with `TaskUpdate`, once it has them: those of children that changed no file and ran no command or tool that may have changed something unseen, all, or none. Default `unchanged`. */
  readonly rootReviews?: 'unchanged' | 'always' | 'never';
  readonly permissions?: PermissionOptions;
}

/** What is the root agent's alone. A single request may replace any of it. */
export interface RootOptions {
  /** A tier of the catalog, or any model that can be reached. Without a catalog its children inherit it; with one they go by the current tier. Default the agent's. */
  readonly rootModel?: Tier | ModelRef;
  /** Its system prompt instead of the runtime's. */
  readonly prompt?: string;
  /** Added at the end of the system prompt. */
  readonly appendPrompt?: string;
  /** Model turns for one message. Default: no limit. */
  readonly rootMaxTurns?: number;
  readonly customTools?: readonly ToolDefinition[];
  /** Servers whose tools the root has, by name; definitions may name them too. */
  readonly mcpServers?: Readonly<Record<string, McpServerConfig>>;
  /** Joined with the options above, which come first; of two tools with one name the one in here is taken. */
  readonly capabilities?: AgentCapabilities;
}

/** Of all children of a group together. `tokens`: of every kind, as far as providers report them. `cost`: US dollars, as far as prices are configured. */
export interface GroupBudget {
  readonly tokens?: number;
  readonly cost?: number;
}

export type DelegationTool = 'Agent' | 'Task' | 'MultiTask';

/** Where skills are found, in the order of precedence: a later source wins by name. */
export const SKILL_SOURCES = ['bundled', 'claude_user', 'user', 'claude_project', 'github_project', 'project', 'directory'] as const;
export type SkillSource = (typeof SKILL_SOURCES)[number];

/** Milliseconds; 0 for no limit. Waiting for a person's approval counts for none of them. What they end has failed with `timeout`. */
export interface TimeLimits {
  /** The longest that a child may work whose definition doesn't say. Default 0. */
  readonly maxDurationMs?: number;
  /** The longest that one tool call of a child may take. Default 0. */
  readonly toolMs?: number;
  /** The longest that a tool call may be silent: no output, no end. Default 15 minutes. */
  readonly toolIdleMs?: number;
  /** The longest that a model's stream may be silent; it is then asked again. Default 5 minutes. */
  readonly streamIdleMs?: number;
}

/** What a person has approved of a project's definitions, by path and content. Never stored in the workspace. */
export interface DefinitionApprovals {
  isApproved(definition: AgentDefinition): boolean;
  /** Rejects when it can't be stored. */
  approve(definition: AgentDefinition): Promise<void>;
}

export interface PermissionOptions {
  /** The user's own rules: the only ones that can loosen a default. */
  readonly user?: PermissionLists;
  /** Rules of the workspace: can only tighten. */
  readonly workspace?: PermissionLists;
  /** Further limits for every child. */
  readonly subagent?: PermissionLists;
  /** Default `enforce`. */
  readonly mode?: PermissionMode;
  /** Writes a rule for "always allow" and makes it count at once. Absent: "always" isn't offered. */
  readonly saveRule?: (rule: string) => Promise<void>;
}

/** Who wrote the tasks of a delegation. */
export type TaskAuthor = 'model' | 'person';

/** A task of a delegation call, as a model or a person writes it. */
export interface TaskInput {
  readonly display_name: string;
  readonly subagent_type?: string;
  readonly prompt: string;
  readonly model?: string;
  /** The `agentId` of a settled child that goes on with this prompt. */
  readonly resume?: string;
  readonly task_id?: string;
}

/** The part of the options that may change while the agent lives. Running children keep what they have, but for the permissions, which count from the next call on. */
export type LiveOptions = Pick<LiteAgentOptions, 'provider' | 'model' | 'providerFor' | 'timeLimits' | 'maxParallelSubagents' | 'maxTasksPerCall' | 'maxTurns' | 'permissions' | 'shell' | 'shellEnv' | 'roots' | 'agents' | 'subAgents' | 'skills' | 'mcpServers' | 'models' | 'defaultModel' | 'budget' | 'webFetch' | 'webSearch'>;

/** A root agent that lives as long as its host: one pool, one approval queue, any number of conversations. */
export interface LiteAgent {
  /** Listens to everything that happens. */
  subscribe(listener: (event: RuntimeEvent) => void): Disposable;
  /**
   * Opens a conversation. With `from`: the one that `sessionId` names if `turnId` is its last turn, else a new one
   * holding its turns up to that one; an unknown id gives a new, empty one. `answers`: false for one that nobody
   * reads, in which the results of groups are kept without a turn of the root; also when a later agent delivers them.
   */
  openSession(options?: { readonly cwd?: string; readonly answers?: boolean; readonly from?: { readonly sessionId: string; readonly turnId: string } }): Promise<LiteSession>;
  /**
   * What a delegation would start, one child a task, as of now; starts nothing. `tasks` and `by` as for `LiteSession.start`.
   * Rejects with `invalid_input` naming every problem of every task, `unavailable` where delegation is switched off.
   */
  plan(tasks: unknown, options?: { readonly by?: TaskAuthor }): Promise<readonly PlannedChild[]>;

  groups(): readonly GroupView[];
  group(groupId: string): GroupView | undefined;
  child(agentId: string): ChildView | undefined;
  /** What a session has used so far. Zero for an unknown id. Rejects with the system's error where its transcript can't be read. */
  usage(sessionId: string): Promise<SessionUsage>;
  /** Each is idempotent and resolves when what it cancelled has really stopped. An unknown id does nothing. */
  cancelChild(agentId: string): Promise<void>;
  cancelGroup(groupId: string): Promise<void>;
  cancelAll(): Promise<void>;
  /**
   * Lets a child go on. An interrupted one goes on inside its group, where the prompt, if any, is added to its
   * conversation; a settled one starts a new round, a group of its own, with its whole conversation and the prompt
   * (without one it is told to finish what it began). Resolves to the group that it runs in. Throws `not_found`,
   * `conflict` while it is queued or running (here or in another window), `unavailable` where its model can't be
   * reached any more; `model`, a name as a task's, then moves it to another.
   */
  resumeChild(agentId: string, options?: { readonly prompt?: string; readonly model?: string }): Promise<GroupSpec>;
  /** Lets all interrupted children of a group go on. Throws `not_found`, or `conflict` where none is interrupted. */
  resumeGroup(groupId: string): Promise<GroupSpec>;

  /**
   * Tells what a child of a definition would be if it were started now: prompt, model, tools, permissions, and where
   * each comes from, made as for one that starts. Nothing starts, no model is asked, and nothing is stored; only the MCP
   * servers of the definition are connected for a moment (at most 10 s each), unless a person still has to approve it.
   * Without a conversation, so that the root's own options count. Rejects with `not_found` for an unknown name, `aborted`
   * and `closed`; whatever else keeps a child from starting stands in `problems`.
   */
  preview(name: string, options?: PreviewOptions): Promise<EffectiveAgent>;

  /**
   * Says something to a child that runs or waits for its turn, which reads it before its next model turn; it gives no
   * answer before it has. One that ends all the same, by a limit, a failure or a cancel, reads it when it goes on: until
   * then it is in `ChildView.unread`. Resolves when the message is stored. Rejects with `not_found`, `invalid_input` for
   * a message that is empty or too long, `conflict` where the child has ended or is another window's.
   */
  tellChild(agentId: string, text: string): Promise<void>;
  /**
   * Lets a running child that is stuck try again: the model call that is under way is stopped and sent again, which is
   * no turn more; tool calls that are under way end with a result that says so, waiting approvals are withdrawn, and
   * the model goes on from there. A wait before a retry ends. Between two steps it does nothing. Resolves at once.
   * Rejects with `not_found`, or `conflict` where the child isn't running here.
   */
  retryTurn(agentId: string): Promise<void>;

  readonly approvals: ApprovalAccess;
  readonly tasks: TaskAccess;
  readonly reviews: ReviewAccess;
  readonly worktrees: WorktreeAccess;
  readonly definitions: DefinitionAccess;
  readonly skills: SkillAccess;
  readonly connections: ConnectionAccess;
  /** The run's transcript so far. Throws `not_found`. */
  transcript(agentId: string): Promise<readonly TranscriptEntry[]>;
  /** Throws `invalid_input` for an option that makes no sense; then nothing has changed. */
  configure(options: Partial<LiveOptions>): void;
  /**
   * Cancels all that runs or waits, waits for it, and leaves no timer, process or listener behind. What is interrupted
   * stays so, and results that were not delivered yet are by a later agent on the same storage. Idempotent.
   */
  close(): Promise<void>;
  /** As `close`, but for a window that comes back: what isn't finished is `interrupted` instead of cancelled, and a later agent on the same storage can resume it. */
  suspend(): Promise<void>;
}

/** `root`: of its own turns, as far as their answers are kept. `groups`: of all its groups together. */
export interface SessionUsage {
  readonly root: Usage;
  readonly groups: Usage;
}

/** A turn that the root took by itself, after a group or on a scheduled prompt. */
export interface OwnTurn {
  readonly turnId: string;
  readonly cause: OwnTurnCause;
  /** What the root said; empty where it said nothing. */
  readonly text: string;
}

export interface LiteSession {
  readonly sessionId: string;
  /**
   * Waits for its place among the session's turns, then runs one. The signal stops this turn only, never a child.
   * `root`: what counts for this turn instead of the agent's options; its `rootModel` stays the conversation's, also
   * for the turns and groups that follow, until another message names one. Rejects with `invalid_input` for an empty
   * message and for what makes no sense in `root`, with `closed`, and where the transcript can't be written.
   */
  send(prompt: string, options?: { readonly signal?: AbortSignal; readonly turnId?: string; readonly root?: RootOptions }): Promise<RunOutcome>;
  /**
   * A turn that dispatches a group without asking the model, which reads of it in the conversation later. `root`: as for
   * `send`. Throws `invalid_input` naming every problem of every task; then nothing starts.
   */
  delegate(tasks: readonly TaskInput[], options?: { readonly turnId?: string; readonly root?: RootOptions }): Promise<GroupSpec>;
  /**
   * Starts a group whose results go to the caller: kept in the conversation, without a turn of the root on them.
   * Resolves once it is accepted. `tasks`: `TaskInput`s as somebody wrote them, checked here. `by`: a model may not name
   * definitions that are hidden from it; default `person`. Rejects with `invalid_input` naming every problem of every
   * task, `unavailable` where delegation is switched off, or `closed`; then nothing starts.
   */
  start(tasks: unknown, options?: { readonly by?: TaskAuthor }): Promise<StartedGroup>;
  /** Stops the turn that runs now, the user's or one of its own; waiting turns and children go on. */
  stop(): void;
  /** The turns of its own that followed the given turn, up to the user's next one; none for an unknown id. What a chat that was closed meanwhile has to catch up on. */
  ownTurnsAfter(turnId: string): Promise<readonly OwnTurn[]>;
}

export interface ApprovalAccess {
  /** Declares that someone answers. While nobody is attached, what would ask is denied. */
  attach(): Disposable;
  /** Oldest first. */
  pending(): readonly ApprovalRequest[];
  /**
   * False when the request is settled already. Rejects when `allow_always` can't write its rule, and with `invalid_input`
   * for an answer to what wants a permission, and the other way round; it then stays pending. Denying a question gives no answer.
   */
  decide(id: string, decision: ApprovalDecision): Promise<boolean>;
  /** The child's calls that were refused in this process and that `allowOnce` takes, oldest first: none that a `deny` rule is against. */
  refused(agentId: string): readonly RefusedCall[];
  /**
   * Allows a refused call after all, once, where the child makes it again exactly as it was, and lets the child try: a
   * settled or interrupted one goes on, a running one is told. What isn't used ends with the child's run. Rejects with
   * `not_found` for a call that isn't in `refused`, `conflict` while the child waits for its turn, and else as `resumeChild`.
   */
  allowOnce(agentId: string, callId: string): Promise<void>;
  /** What persons and rules decided on calls that weren't simply allowed, in all sessions of this storage, oldest first. Rejects with the system's error when it can't be read. */
  decisions(): Promise<readonly DecisionRecord[]>;
}

/** Worktrees of children. One goes by itself once nothing in it is left to lose. */
export interface WorktreeAccess {
  /** What would be lost with the child's worktree; nothing where it has none. Rejects with `not_found` for an unknown child, and with `unavailable` where git can't tell. */
  loss(agentId: string): Promise<WorktreeLoss | undefined>;
  /** Removes it with all that is in it: what nobody decided on counts as undone from then on. Rejects with `not_found` where there is none, and with `conflict` while the child is queued, running or another window's. */
  remove(agentId: string): Promise<void>;
}

export interface TaskAccess {
  /** Oldest first. The same array until something changes. */
  list(): readonly TrackedTask[];
  /** Looks at the stored list now, which other windows change too; what is new in it comes as events. Rejects with `unavailable` where it can't be read. */
  refresh(): Promise<void>;
  /** The user looked, and accepts all that is left to decide of what its child changed: `review` → `completed`. Throws `conflict` for a task in any other state, `not_found` for an unknown id. */
  accept(taskId: string): Promise<TrackedTask>;
}

export interface DefinitionAccess {
  /** The winners by name. */
  list(): readonly AgentDefinition[];
  /** Every definition and every file that was to be one, used or not, by source in the order of precedence and then by name. */
  found(): readonly FoundDefinition[];
  /** Absolute paths of the folders that definitions are read from; nothing where delegation is switched off. */
  folders(): Partial<Record<FileSource, string>> | undefined;
  diagnostics(): readonly DefinitionDiagnostic[];
  /** Project definitions that are new or changed: listed, and refused at dispatch until someone approves what they say now. */
  unapproved(): readonly AgentDefinition[];
  /** Someone has looked at the definition as it is now. Throws `not_found` for an unknown name, `conflict` when the file has changed since that hash. */
  approve(name: string, hash: string): Promise<void>;
  reload(): Promise<void>;
}

export interface SkillAccess {
  /** Those in the folders of `skills` that a model may load, by name: what the root has by default. */
  list(): readonly SkillDefinition[];
  /** What is wrong with the files in these folders. */
  diagnostics(): readonly DefinitionDiagnostic[];
  /** Looks at the folders now, which each turn does anyway. Never rejects. */
  refresh(): Promise<void>;
}

export interface ConnectionAccess {
  /** The servers of `mcpServers`, in their order, then those that running children brought. */
  list(): readonly ServerView[];
  /** Ends a server of `mcpServers` and starts it anew. Resolves once it is ready or has failed. Throws `not_found`. */
  restart(name: string): Promise<ServerView>;
}
