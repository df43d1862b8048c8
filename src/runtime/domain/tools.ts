import type { Disposable } from '../base/lifecycle.ts';
import type { AgentRef } from './agents.ts';
import type { ContentPart } from './messages.ts';
import type { FilePort, WorktreeLimits } from './ports.ts';
import type { RuntimeServices } from './services.ts';
import type { SkillDefinition } from './skills.ts';

/** A JSON Schema (draft 2020-12 or 7) of type `object`. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What a call is going to touch. Permission rules look at this, never at the raw input. */
export type ToolTarget =
  | { readonly kind: 'path'; readonly access: 'read' | 'write'; readonly path: string }
  | { readonly kind: 'command'; readonly command: string }
  | { readonly kind: 'url'; readonly url: string };

/** What a person sees of a call before deciding on it. */
export type ToolPreview =
  | { readonly kind: 'diff'; readonly path: string; readonly before: string; readonly after: string }
  | { readonly kind: 'command'; readonly command: string; readonly cwd: string }
  | { readonly kind: 'text'; readonly text: string };

/** One content of a file: kept under its hash, with the permission bits that the file had where they are known; none because no file was there, or not known, with why in a sentence for a person. */
export type FileState = { readonly kind: 'kept'; readonly hash: string; readonly mode?: number } | { readonly kind: 'absent' } | { readonly kind: 'unknown'; readonly why: string };

/** A file that a call changed. */
export interface FileChange {
  /** Absolute real path. */
  readonly path: string;
  readonly kind: 'created' | 'edited' | 'deleted';
  /** What stood there right before and right after the change. Absent where changes aren't kept. */
  readonly before?: FileState;
  readonly after?: FileState;
  /** Why it may have been somebody else who changed it, in a sentence. */
  readonly unsure?: string;
  /** With `unsure`: the `agentId`s of the children of whom one it was for certain. Absent where it may have been anybody. */
  readonly oneOf?: readonly string[];
}

export interface ToolResult {
  readonly content: readonly ContentPart[];
  readonly isError?: boolean;
  readonly changes?: readonly FileChange[];
  /** The id of a group whose whole results are in the content: once kept, they aren't delivered a second time. */
  readonly delivers?: string;
}

/** What every file tool of one run shares: which version of a file this run last saw. */
export interface ReadLedger {
  /** Remembers that the run knows this content (a hash) of the file at the real path. */
  seen(realPath: string, contentHash: string): void;
  /** The hash last seen, or nothing. */
  last(realPath: string): string | undefined;
}

/** A command that runs on after the call which started it. */
export interface BackgroundCommand {
  readonly id: string;
  readonly command: string;
  /** `running`, or how it ended. */
  readonly status: 'running' | 'exited' | 'killed';
  readonly exitCode?: number;
  /** Absolute path of the file that holds all of its output, up to a bound. Absent where it can't be kept. */
  readonly outputPath?: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

/** The background commands of one agent. They end with their owner: a child's with its run, the root's with its session's agent. */
export interface BackgroundCommands {
  /** Starts a command; its output is kept. Rejects as a command in the foreground does, with `conflict` where too many run, and with `closed` where their owner has ended. */
  start(command: { readonly command: string; readonly cwd: string; readonly env: Readonly<Record<string, string>> }): Promise<BackgroundCommand>;
  /** Those that run, and those whose end neither `output` nor `kill` has told yet. */
  list(): readonly BackgroundCommand[];
  /**
   * What it wrote since the last call of this; the rest of too much is in a file, which the text names. `wholeLines`: a
   * line that isn't whole yet waits for the next call, as long as the command runs. Rejects with `not_found`.
   */
  output(id: string, options?: { readonly wholeLines?: boolean }): Promise<{ readonly command: BackgroundCommand; readonly text: string }>;
  /** Ends it and all that it started. Idempotent. Rejects with `not_found`. */
  kill(id: string): Promise<BackgroundCommand>;
}

/** The tools of one agent that its model isn't told of until it looks for them. */
export interface DeferredTools {
  /** Those that the agent may have and that aren't active yet, as of now. */
  list(): readonly ToolDefinition[];
  /** Makes them callable from the next model turn on, and those that come with another tool. Any other name does nothing. */
  activate(names: readonly string[]): void;
}

/** Given to a tool for one call. */
export interface ToolContext {
  readonly agent: AgentRef;
  readonly callId: string;
  /** Absolute; relative paths of the input start here. */
  readonly cwd: string;
  /** Aborts with the run. The tool ends everything that it started before it settles. */
  readonly signal: AbortSignal;
  readonly files: FilePort;
  readonly reads: ReadLedger;
  /**
   * The real path of a path of the input, checked again at the moment of use: rejects with `denied` when it is no
   * longer what the gate let through. Absolute, relative to `cwd`, `~/…` and `file:` forms are taken.
   */
  resolvePath(path: string, access: 'read' | 'write'): Promise<string>;
  /** Whether the run may see what is in the file at that real path. For tools that walk folders: they leave the others out, as if not there. */
  readonly mayRead: (realPath: string) => boolean;
  /** Keeps one content of a file, or that there is none, so that a change of it can be shown and undone later. Never rejects. */
  keep(content: Uint8Array | undefined): Promise<FileState>;
  /** Tells of a file that the call has changed, right when it has: this is known then even if the call never comes to an end. What is told here doesn't stand in the result's `changes`, too. */
  changed(change: FileChange): void;
  /** Keeps output that is too long for the model; resolves to the absolute path of a file that the agent can read. */
  spill(name: string, text: string): Promise<string>;
  /** Sends live output to whoever watches (never to the model). */
  progress(text: string): void;
  /** The services of the host, the same for all agents. */
  readonly services: RuntimeServices;
  /** Of an agent that works in a git worktree of its own. */
  readonly worktree?: WorktreeLimits;
  /** The agent's commands that run on while it does other things. */
  readonly background: BackgroundCommands;
  /** The agent's own skills, and its tools that wait to be found. */
  readonly skills: readonly SkillDefinition[];
  readonly deferred: DeferredTools;
  /** Notes a process that the call started, until the result is disposed, so that it can be found and ended should the host die. `mark`: what it and all that it starts have in their environment. */
  noteProcess(pid: number, mark?: string): Disposable;
}

/** For whom a tool is described. */
export interface ToolAudience {
  readonly skills: readonly SkillDefinition[];
  /** Tools that wait to be found. */
  readonly deferred: readonly ToolDefinition[];
}

/** A tool. Stateless: one definition serves all agents; what belongs to a run is in the context. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** The description for one agent, where it differs from agent to agent. */
  descriptionFor?(audience: ToolAudience): string;
  /** What a call is checked against. */
  readonly inputSchema: JsonSchema;
  /** What a model is told instead of `inputSchema`, where that changes with time or the tool itself checks the rest, in better words. Of type `object`. */
  schemaFor?(): JsonSchema;
  /** True for a tool that is seldom needed: the model isn't told of it until it looks for it with `FindTool`. */
  readonly isDeferred?: boolean;
  /** The name of the tool without which this one is of no use: an allow list that names that one lets this one be, too. The model isn't told of it, nor does `FindTool` find it, until a call of that one takes it into use (`deferred.activate`). */
  readonly comesWith?: string;
  /** True only if no call of it can change anything; such calls of one turn run in parallel. */
  readonly isReadOnly: boolean;
  /** Characters of text that a result may have before it is cut, with a pointer to a file that holds all of it: at most 100,000, default 30,000. */
  readonly outputLimit?: number;
  /** True for a tool whose results name every file that it changed. Where another one could change something, the folders are looked at before and after it. */
  readonly reportsChanges?: boolean;
  /** True for tools that act on the run itself (`Agent`, `TaskList`, …) and therefore never ask. */
  readonly actsOnRun?: boolean;
  /** True for a tool whose calls ask a person something: no time limit counts while one runs, and children that never ask don't have it. */
  readonly asksPerson?: boolean;
  /** A few words of what a call does now, such as `Reading src/a.ts`; plain text, one line. */
  describe(input: never): string;
  /** What a call would do, for the person who decides on it: plain text in one line, nothing of weight left out. Absent, or nothing: what it touches, or its input. */
  action?(input: never): string | undefined;
  /** Everything that the call would touch; called with validated input before the call is judged. */
  targets(input: never): readonly ToolTarget[];
  /** Rejects with an `AppError` for a call that can't succeed whatever a person decides: then nobody is asked. Called before the call is judged, so it touches nothing. */
  check?(input: never, context: ToolContext): Promise<void>;
  /** What a person decides on. Absent: the input as JSON. */
  preview?(input: never, context: ToolContext): Promise<ToolPreview>;
  /** Runs the call on the very input that was judged. Throws an `AppError` for what the model should hear as an error. */
  execute(input: never, context: ToolContext): Promise<ToolResult>;
}
