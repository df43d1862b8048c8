import type { WorktreeSpec } from './agents.ts';
import type { DefinitionDiagnostic, DefinitionSource, ServerUse } from './definitions.ts';
import type { ModelRef, ToolSchema } from './models.ts';
import type { PermissionLayer, PermissionMode } from './permissions.ts';
import type { SkillDefinition } from './skills.ts';
import type { JsonSchema } from './tools.ts';

/** What a child of a definition would be if it were started now. */
export interface EffectiveAgent {
  readonly name: string;
  readonly description: string;
  readonly source: DefinitionSource;
  /** Absolute path of its file; absent for one in code. */
  readonly path?: string;
  /** SHA-256 of the file as it was read, in hex. */
  readonly hash?: string;
  /** False: only a person can pick it. */
  readonly delegable: boolean;
  /** False for a project's definition that is refused until a person has approved it as it is. */
  readonly isApproved: boolean;
  /** What is to be said of its file. */
  readonly diagnostics: readonly DefinitionDiagnostic[];
  /** What else would keep a child from starting or working, in sentences; none where it would do both. */
  readonly problems: readonly string[];
  /** Absent where a problem leaves nothing to tell. */
  readonly child?: EffectiveChild;
}

/** Whose word the model of a child goes by: the task's, its definition's, that of the root's current or default tier, or the root's own model where there is no catalog. */
export type ModelOrigin = 'task' | 'definition' | 'tier' | 'root';

/** What a child runs with. */
export interface EffectiveChild {
  /** Absolute folder in which it works. */
  readonly cwd: string;
  /** Of one that works in a git worktree; the last part of its path differs from child to child. */
  readonly worktree?: WorktreeSpec;
  /** The system prompt, whole. */
  readonly system: string;
  readonly model: ModelRef;
  readonly modelFrom: ModelOrigin;
  /** Who sets its reasoning effort; absent where nobody does. */
  readonly effortFrom?: 'definition' | 'model';
  /** Tokens of one answer. */
  readonly maxOutputTokens: number;
  /** Tokens of request and answer together. */
  readonly contextWindow: number;
  /** Model turns. */
  readonly maxTurns: number;
  readonly maxTurnsFrom: 'definition' | 'settings';
  /** Milliseconds of work; 0 for no limit. */
  readonly maxDurationMs: number;
  readonly maxDurationFrom: 'definition' | 'settings';
  /** Those that its first request carries, in order. */
  readonly tools: readonly EffectiveTool[];
  /** Those that it can take into use: with `FindTool`, or by a call of the tool that they come with. */
  readonly waiting: readonly WaitingTool[];
  readonly dropped: readonly DroppedName[];
  readonly skills: readonly SkillDefinition[];
  readonly servers: readonly EffectiveServer[];
  /** All voices on its calls, of which the strictest counts. */
  readonly layers: readonly PermissionLayer[];
  readonly permissionMode: PermissionMode;
  /** What its answer must be. */
  readonly resultSchema?: JsonSchema;
  /** What isn't as its definition has it, in sentences. */
  readonly notes: readonly string[];
}

/** Where a tool comes from. `host`: the host's, for all agents. `own`: its definition's in code. `skill`: what loads its skills. */
export type ToolOrigin = { readonly kind: 'builtin' | 'host' | 'own' | 'skill' } | { readonly kind: 'server'; readonly server?: string };

/** A tool as the model is told of it. */
export interface EffectiveTool extends ToolSchema {
  readonly origin: ToolOrigin;
}

export interface WaitingTool extends EffectiveTool {
  /** The tool that takes it into use; absent: it is found with `FindTool`. */
  readonly comesWith?: string;
}

/**
 * What keeps a tool from an agent: `parent_lists` the root's own lists, `not_allowed` its list of tools, `denied` its
 * deny list, `delegates` that no child can, `never_asks` that it asks nobody, `only_reads` `Explore` or `readOnly`,
 * `replaced` another of the same name, `alone` that the tool isn't there which it comes with.
 */
export type DropReason = 'parent_lists' | 'not_allowed' | 'denied' | 'delegates' | 'never_asks' | 'only_reads' | 'replaced' | 'alone';

/** A tool that a child doesn't have. `idle`: it would have nothing to do. `unknown`: it is named, and there is no such tool here. */
export interface DroppedName {
  readonly name: string;
  readonly why: DropReason | 'idle' | 'unknown';
}

/** A server of a definition. `unseen`: it wasn't looked at, `error` says why. */
export interface EffectiveServer {
  readonly server: string;
  readonly status: 'ready' | 'failed' | 'unseen';
  /** True where the definition itself says how it is reached. */
  readonly isOwn: boolean;
  /** What the definition names of it. */
  readonly named: ServerUse['tools'];
  /** What the child has of it, by the names of its tools. */
  readonly tools: readonly string[];
  /** What the definition names and the server doesn't list. */
  readonly missing: readonly string[];
  readonly error?: string;
}

export interface PreviewOptions {
  /** A name as a task's. */
  readonly model?: string;
  /** Absolute. Default the agent's. */
  readonly cwd?: string;
  /** False: its servers are not connected, so that their tools aren't known. Default true. */
  readonly connect?: boolean;
  readonly signal?: AbortSignal;
}
