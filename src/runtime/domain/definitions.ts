import type { McpServerConfig } from './mcp.ts';
import type { ReasoningEffort } from './models.ts';
import type { AgentPermission } from './permissions.ts';
import type { JsonSchema } from './tools.ts';

/** Where a definition comes from, in the order of precedence: a later source wins by name. `code`: an entry of `subAgents`. */
export const DEFINITION_SOURCES = ['builtin', 'bundled', 'claude_user', 'user', 'claude_project', 'github_project', 'project', 'directory', 'code'] as const;
export type DefinitionSource = (typeof DEFINITION_SOURCES)[number];
/** Those that are folders of files. */
export type FileSource = Exclude<DefinitionSource, 'builtin' | 'code'>;

/** Sources inside the workspace, which whoever wrote the project filled: a person looks at each file before its first use. */
export const PROJECT_SOURCES: readonly DefinitionSource[] = ['claude_project', 'github_project', 'project'];

/** `inherit`, or the built-in tools it is limited to. An empty list means none. */
export type ToolSelection = 'inherit' | readonly string[];

/** A server whose tools an agent has: one that is configured under that name, or its own. */
export interface ServerUse {
  readonly server: string;
  readonly config?: McpServerConfig;
  /** True for a stored definition whose own configuration isn't stored with it: it may hold secrets. */
  readonly hadConfig?: true;
  /** Names as the server has them; also of tools that it lists only later. */
  readonly tools: 'all' | readonly string[];
}

export const AGENT_COLORS = ['red', 'blue', 'green', 'yellow', 'purple', 'orange', 'pink', 'cyan'] as const;
export type AgentColor = (typeof AGENT_COLORS)[number];

/** A kind of subagent. */
export interface AgentDefinition {
  readonly name: string;
  readonly description: string;
  /** The system prompt. */
  readonly prompt: string;
  /** Added at the end of the system prompt. */
  readonly appendPrompt?: string;
  readonly tools: ToolSelection;
  /** Names of tools, and `mcp__server__*` for all of a server. */
  readonly disallowedTools: readonly string[];
  readonly servers?: readonly ServerUse[];
  /** Names of the skills that it gets. */
  readonly skills?: readonly string[];
  /** Its children work in a git worktree of their own. */
  readonly isolation?: 'worktree';
  /** Only tools that read, and of the shell only commands that are known to only read. */
  readonly readOnly?: boolean;
  /** What its answer must be, as JSON. */
  readonly resultSchema?: JsonSchema;
  /** A tier, or without a catalog a model id on the inherited provider; absent or `inherit`: the parent's. What can't be had stands here as it was written. */
  readonly model?: string;
  /** Wins over the model's own. */
  readonly effort?: ReasoningEffort;
  readonly maxTurns?: number;
  /** The longest that a run may work, in milliseconds; waiting for a person isn't counted. Absent: no limit. */
  readonly maxDurationMs?: number;
  /** Permission lists that only tighten, and whether it may ask at all. */
  readonly permission?: AgentPermission;
  /** One of the theme's colours for its rows. */
  readonly color?: AgentColor;
  /** False: hidden from the model, kept in the pickers. */
  readonly delegable: boolean;
  readonly source: DefinitionSource;
  /** Absolute path of its file; absent for those that are in code. */
  readonly path?: string;
  /** SHA-256 of the file, in hex; absent for those that are in code. */
  readonly hash?: string;
}

export type DiagnosticSeverity = 'error' | 'warning' | 'information';

/** Words that can be named where they mean nothing, by what they were to name. */
export type NamedThing = 'field' | 'tool' | 'model' | 'skill' | 'server' | 'value';

/** What correcting a problem takes, beyond its place. */
export type DiagnosticData =
  /** The marked word names nothing. `near`: what could be meant, as it is written, best first. */
  | { readonly kind: 'unknown'; readonly of: NamedThing; readonly word: string; readonly near: readonly string[] }
  /** The marked word of another product, and what it is called here. */
  | { readonly kind: 'mapped'; readonly of: 'field' | 'tool' | 'model' | 'value'; readonly word: string; readonly as: readonly string[] }
  /** The marked field means the same as this line. */
  | { readonly kind: 'mapped_field'; readonly field: string; readonly line: string }
  /** The marked field counts for nothing. */
  | { readonly kind: 'ignored'; readonly field: string }
  | { readonly kind: 'missing'; readonly field: string }
  /** The marked field, or entry of a map, stands there a second time. */
  | { readonly kind: 'twice'; readonly field: string }
  /** The marked map would be this list. */
  | { readonly kind: 'no_list'; readonly field: string; readonly items: readonly string[] }
  /** The marked value must be text. */
  | { readonly kind: 'unquoted' }
  | { readonly kind: 'tabs' }
  | { readonly kind: 'no_frontmatter' }
  | { readonly kind: 'unclosed' }
  /** Another definition of this name counts instead. `free`: a name like it that nobody has. */
  | { readonly kind: 'taken'; readonly name: string; readonly free: string };

/** A problem of a definition file. `line` and `column` start at 1. */
export interface DefinitionDiagnostic {
  readonly severity: DiagnosticSeverity;
  readonly code: string;
  readonly message: string;
  readonly path: string;
  readonly line: number;
  readonly column: number;
  /** Where what is marked ends: the place behind its last character. Absent: only its start is known. */
  readonly endLine?: number;
  readonly endColumn?: number;
  readonly data?: DiagnosticData;
}

/** A definition that was found, whether or not it is used. */
export type FoundDefinition = {
  /** Of a file that doesn't load the one that it claims, else its base name. */
  readonly name: string;
  readonly source: DefinitionSource;
  /** Absolute path of its file; absent for those that are in code. */
  readonly path?: string;
  /** What is wrong with its file. */
  readonly diagnostics: readonly DefinitionDiagnostic[];
} & (
  /** The one that its name means. `unapproved`: a person has to look at it before it is used. */
  | { readonly status: 'active' | 'unapproved'; readonly definition: AgentDefinition }
  /** Its name means another one. */
  | { readonly status: 'shadowed'; readonly definition: AgentDefinition; readonly by: AgentDefinition }
  /** A file that doesn't load: the errors among its diagnostics say why. */
  | { readonly status: 'refused' }
);

/** A definition as it may be stored: without the configurations of its servers, which may hold secrets. */
export function withoutSecrets(definition: AgentDefinition): AgentDefinition {
  const { servers } = definition;
  if (!servers?.some(({ config }) => config !== undefined)) return definition;
  return { ...definition, servers: servers.map(({ config, ...use }) => (config === undefined ? use : { ...use, hadConfig: true })) };
}
