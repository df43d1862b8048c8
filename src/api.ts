/**
 * The API of Subagent Panel for other extensions, version 1. This file holds types alone and imports nothing: copy it
 * into your project. `docs/api.md` shows how it is used.
 */

/** What `vscode.extensions.getExtension('subagent-panel.subagent-panel').activate()` resolves to. */
export interface SubagentPanelExports {
  /** The API of that version, which stays as it is for good. Throws for a version that this extension doesn't have. */
  getAPI(version: 1): SubagentPanelApi;
}

/** Ends something, once. What extensions registered ends with Subagent Panel, too. */
export interface ApiDisposable {
  dispose(): void;
}

export interface SubagentPanelApi {
  readonly version: 1;
  /** Gives the root agent of the chat a tool, from its next turn on. The user is asked before each call, as for any tool. Throws for what is no tool, and for a name that is taken. */
  registerTool(tool: PanelTool): ApiDisposable;
  /** Adds a kind of subagent. It wins over a file that defines one of that name. Throws for what is none, and for a name that is built in or registered already. */
  registerAgent(name: string, agent: PanelAgent): ApiDisposable;
  /** Gives the root agent a skill. Where a folder holds one of that name, that one is taken. Throws for what is no skill, and for a name that is registered already. */
  registerSkill(skill: PanelSkill): ApiDisposable;
  /**
   * Starts a group of subagents in a conversation of its own; it shows in the Groups view as any other. Resolves once it
   * is accepted. Rejects with sentences that name every problem of every task, or say what keeps this window from
   * delegating; then nothing starts.
   */
  startGroup(request: GroupRequest): Promise<PanelGroup>;
  /** Hears of all groups of this window, from now on. A listener that throws harms nobody. */
  subscribe(listener: (event: PanelEvent) => void): ApiDisposable;
}

export interface PanelTool {
  /** Letters, digits, `_` and `-`, at most 64, beginning with a letter. */
  readonly name: string;
  /** For the model: what it does, when to call it, when not. */
  readonly description: string;
  /** JSON Schema (draft 2020-12 or 7) of type `object`. Calls are checked against it. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** A few words of what a call does now, for people. Default: the name. */
  describe?(input: unknown): string;
  /** Runs a call. What it resolves to is what the model reads; what it rejects with, too, as an error. End what you started when `signal` aborts: nobody waits for the call any more. */
  invoke(input: unknown, context: { readonly signal: AbortSignal; readonly cwd: string }): Promise<string>;
}

export interface PanelAgent {
  /** Tells models when to use it. */
  readonly description: string;
  /** The system prompt. */
  readonly prompt: string;
  /** As a definition's: a tier that is configured, or `inherit`. */
  readonly model?: string;
  /** Model turns. */
  readonly maxTurns?: number;
  /** The built-in tools that it is limited to. Default: all that subagents inherit. */
  readonly tools?: readonly string[];
  /** Tools that it doesn't get. */
  readonly disallowedTools?: readonly string[];
  /** Tools of its own. */
  readonly customTools?: readonly PanelTool[];
  /** Skills of its own. */
  readonly skills?: readonly PanelSkill[];
}

export interface PanelSkill {
  readonly name: string;
  /** What it is for, in a sentence: all that a model sees of it before it loads it. */
  readonly description: string;
  readonly instructions: string;
}

export interface GroupRequest {
  readonly tasks: readonly PanelTask[];
  /** The workspace folder to work in, by name or absolute path. Needed where the window has several. */
  readonly folder?: string;
}

export interface PanelTask {
  /** What people see this task called. */
  readonly name: string;
  /** The kind of subagent. Default `general-purpose`. */
  readonly agent?: string;
  /** All that the subagent sees. */
  readonly prompt: string;
  readonly model?: string;
}

export interface PanelGroup {
  readonly id: string;
  /** In the order of the tasks. */
  readonly children: readonly { readonly id: string; readonly name: string }[];
  /** Resolves when all have ended, in whatever way. Rejects where Subagent Panel ends first. */
  readonly results: Promise<PanelResults>;
  /** Cancels what hasn't ended. Resolves when all has really stopped. Idempotent. */
  cancel(): Promise<void>;
}

export interface PanelResults {
  readonly status: GroupState;
  /** All of it for a model: a heading and the text of each child. */
  readonly text: string;
  readonly children: readonly ChildEnd[];
}

export interface ChildEnd {
  readonly id: string;
  readonly name: string;
  readonly status: 'completed' | 'failed' | 'cancelled';
  /** What it answered; of one that didn't complete, what there was of it, which is no result. */
  readonly text?: string;
  /** Why it failed. */
  readonly error?: string;
}

export type ChildState = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled' | 'interrupted';
export type GroupState = 'running' | 'completed' | 'partial' | 'failed' | 'cancelled' | 'interrupted';

/** Something that happened to a group of this window. Data alone. */
export type PanelEvent =
  | { readonly type: 'group.started'; readonly groupId: string; readonly children: readonly { readonly id: string; readonly name: string }[] }
  | { readonly type: 'child.changed'; readonly groupId: string; readonly childId: string; readonly name: string; readonly status: ChildState }
  | { readonly type: 'group.changed'; readonly groupId: string; readonly status: GroupState };
