import type { Disposable } from '../base/lifecycle.ts';
import type { GroupSpec, GroupView, ChildView, RunOutcome } from './agents.ts';
import type { ApprovalDecision, ApprovalRequest } from './approvals.ts';
import type { AgentDefinition, DefinitionDiagnostic, DefinitionSource } from './definitions.ts';
import type { RuntimeEvent } from './events.ts';
import type { ModelRef } from './models.ts';
import type { FilePort, Log } from './ports.ts';
import type { ModelProvider } from './models.ts';
import type { PermissionLists } from './permissions.ts';
import type { TranscriptEntry } from './transcripts.ts';
import type { TrackedTask } from './trackedTasks.ts';

/** What a long-lived agent is made of. Everything optional has the default that is named. */
export interface LiteAgentOptions {
  /** Absolute path of the folder to work in. */
  readonly cwd: string;
  /** Folders that file tools may use; default `[cwd]`. */
  readonly roots?: readonly string[];
  readonly provider: ModelProvider;
  readonly model: ModelRef;
  /** Where transcripts, group logs, tasks and spilled output go. */
  readonly storageDir: string;
  /** Environment for shell commands; provider keys and secrets are removed from it. Default: none. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Folders of definitions by source; `false` removes delegation. A missing folder is empty. */
  readonly agents?: false | Partial<Record<Exclude<DefinitionSource, 'builtin'>, string>>;
  /** Children at the same time, over all sessions and groups. Default 5. */
  readonly maxParallelSubagents?: number;
  /** Tasks in one call. Default 20. */
  readonly maxTasksPerCall?: number;
  /** Model turns of a child whose definition doesn't say. Default 50. */
  readonly maxTurns?: number;
  /** False: the `Agent` tool answers with an error. Default true. */
  readonly background?: boolean;
  /** Tracked tasks. Default false. */
  readonly tasks?: boolean;
  readonly permissions?: PermissionOptions;
  readonly files?: FilePort;
  /** Path of a ripgrep binary; without one `Grep` and `Glob` aren't offered. */
  readonly ripgrep?: string;
  /** False: no shell tools (an untrusted or virtual workspace). Default true. */
  readonly shell?: boolean;
  readonly log?: Log;
}

export interface PermissionOptions {
  /** The user's own rules: the only ones that can loosen a default. */
  readonly user?: PermissionLists;
  /** Rules of the workspace: can only tighten. */
  readonly workspace?: PermissionLists;
  /** Further limits for every child. */
  readonly subagent?: PermissionLists;
  /** Writes a rule for "always allow" and makes it count at once. Absent: "always" isn't offered. */
  readonly saveRule?: (rule: string) => Promise<void>;
}

/** A task of a delegation call, as a model or a person writes it. */
export interface TaskInput {
  readonly display_name: string;
  readonly subagent_type?: string;
  readonly prompt: string;
  readonly model?: string;
  readonly task_id?: string;
}

/** The part of the options that may change while the agent lives. Running children keep what they have, but for the permissions, which count from the next call on. */
export type LiveOptions = Pick<LiteAgentOptions, 'provider' | 'model' | 'maxParallelSubagents' | 'maxTasksPerCall' | 'maxTurns' | 'permissions' | 'shell' | 'roots' | 'agents'>;

/** A root agent that lives as long as its host: one pool, one approval queue, any number of conversations. */
export interface LiteAgent {
  /** Listens to everything that happens. */
  subscribe(listener: (event: RuntimeEvent) => void): Disposable;
  /**
   * Opens a conversation. With `from`: the one that `sessionId` names if `turnId` is its last turn, else a new one
   * holding its turns up to that one; an unknown id gives a new, empty one.
   */
  openSession(options?: { readonly cwd?: string; readonly from?: { readonly sessionId: string; readonly turnId: string } }): Promise<LiteSession>;

  groups(): readonly GroupView[];
  group(groupId: string): GroupView | undefined;
  child(agentId: string): ChildView | undefined;
  /** Each is idempotent and resolves when what it cancelled has really stopped. An unknown id does nothing. */
  cancelChild(agentId: string): Promise<void>;
  cancelGroup(groupId: string): Promise<void>;
  cancelAll(): Promise<void>;

  readonly approvals: ApprovalAccess;
  readonly tasks: TaskAccess;
  readonly definitions: DefinitionAccess;
  /** The run's transcript so far. Throws `not_found`. */
  transcript(agentId: string): Promise<readonly TranscriptEntry[]>;
  /** Throws `invalid_input` for an option that makes no sense; then nothing has changed. */
  configure(options: Partial<LiveOptions>): void;
  /** Cancels everything, waits for it, and leaves no timer, process or listener behind. Idempotent. */
  close(): Promise<void>;
}

export interface LiteSession {
  readonly sessionId: string;
  /** Waits for its place among the session's turns, then runs one. The signal stops this turn only, never a child. */
  send(prompt: string, options?: { readonly signal?: AbortSignal; readonly turnId?: string }): Promise<RunOutcome>;
  /**
   * A turn that dispatches a group without asking the model, which reads of it in the conversation later. Throws
   * `invalid_input` naming every problem of every task; then nothing starts.
   */
  delegate(tasks: readonly TaskInput[], options?: { readonly turnId?: string }): Promise<GroupSpec>;
  /** Stops the turn that runs now, the user's or a completion's; waiting turns and children go on. */
  stop(): void;
}

export interface ApprovalAccess {
  /** Declares that someone answers. While nobody is attached, what would ask is denied. */
  attach(): Disposable;
  /** Oldest first. */
  pending(): readonly ApprovalRequest[];
  /** False when the request is settled already. Rejects when `allow_always` can't write its rule; it then stays pending. */
  decide(id: string, decision: ApprovalDecision): Promise<boolean>;
}

export interface TaskAccess {
  list(): readonly TrackedTask[];
  /** The user looked: `review` → `completed`. Throws `conflict` for a task in any other state, `not_found` for an unknown id. */
  accept(taskId: string): Promise<TrackedTask>;
}

export interface DefinitionAccess {
  /** The winners by name. */
  list(): readonly AgentDefinition[];
  diagnostics(): readonly DefinitionDiagnostic[];
  reload(): Promise<void>;
}
