import type { ReasoningEffort } from './models.ts';
import type { AgentPermission } from './permissions.ts';

/** Where a definition comes from, in the order of precedence: a later source wins by name. */
export const DEFINITION_SOURCES = ['builtin', 'bundled', 'claude_user', 'user', 'claude_project', 'github_project', 'project', 'directory'] as const;
export type DefinitionSource = (typeof DEFINITION_SOURCES)[number];

/** Sources inside the workspace, which whoever wrote the project filled: a person looks at each file before its first use. */
export const PROJECT_SOURCES: readonly DefinitionSource[] = ['claude_project', 'github_project', 'project'];

/** `inherit`, or the built-in tools it is limited to. An empty list means none. */
export type ToolSelection = 'inherit' | readonly string[];

/** A kind of subagent. */
export interface AgentDefinition {
  readonly name: string;
  readonly description: string;
  /** The system prompt. */
  readonly prompt: string;
  readonly tools: ToolSelection;
  readonly disallowedTools: readonly string[];
  /** A model id on the inherited provider; absent or `inherit`: the parent's. */
  readonly model?: string;
  /** Wins over the model's own. */
  readonly effort?: ReasoningEffort;
  readonly maxTurns?: number;
  /** The longest that a run may work, in milliseconds; waiting for a person isn't counted. Absent: no limit. */
  readonly maxDurationMs?: number;
  /** Permission lists that only tighten, and whether it may ask at all. */
  readonly permission?: AgentPermission;
  /** False: hidden from the model, kept in the pickers. */
  readonly delegable: boolean;
  readonly source: DefinitionSource;
  /** Absolute path of its file; absent for built-in ones. */
  readonly path?: string;
  /** SHA-256 of the file, in hex; absent for built-in ones. */
  readonly hash?: string;
}

export type DiagnosticSeverity = 'error' | 'warning' | 'information';

/** A problem of a definition file. `line` and `column` start at 1. */
export interface DefinitionDiagnostic {
  readonly severity: DiagnosticSeverity;
  readonly code: string;
  readonly message: string;
  readonly path: string;
  readonly line: number;
  readonly column: number;
}
