import type { DefinitionSource } from '../domain/definitions.ts';
import type { Tier } from '../domain/models.ts';

/**
 * What other products write in definition files, and what it means here: the one place that knows their fields, tools
 * and models. Fields and names that mean the same in every product count in every folder; a `format` is needed only
 * where one word means different things.
 */
export type DefinitionFormat = 'own' | 'claude' | 'copilot';

export const SOURCE_FORMATS: Readonly<Record<DefinitionSource, DefinitionFormat>> = {
  builtin: 'own',
  bundled: 'own',
  claude_user: 'claude',
  user: 'own',
  claude_project: 'claude',
  github_project: 'copilot',
  project: 'own',
  directory: 'own',
  code: 'own',
};

/** Products that also look into subfolders, whose names don't count. */
export const NESTED_FORMATS: readonly DefinitionFormat[] = ['claude'];

/** A field of another product that has no reader of its own. */
export type ForeignField =
  /** The same as one of ours. */
  | { readonly kind: 'renamed'; readonly to: string }
  /** Takes no right away, so that it can be left out; `why` completes "ignored: …". */
  | { readonly kind: 'ignored'; readonly why: string }
  /** Holds the agent back unless it has one of these values: any other keeps the file from loading, for the reason in `refusal`. */
  | { readonly kind: 'restricting'; readonly harmless: readonly unknown[]; readonly why: string; readonly refusal: string };

const ignored = (why: string): ForeignField => ({ kind: 'ignored', why });
const renamed = (to: string): ForeignField => ({ kind: 'renamed', to });

const SWITCHED_OFF = 'The definition switches itself off. Remove this line to use it.';

export const FOREIGN_FIELDS: Readonly<Record<string, ForeignField>> = {
  'allowed-tools': renamed('tools'),
  'disallowed-tools': renamed('disallowedTools'),
  'mcp-servers': renamed('mcpServers'),
  mcp_servers: renamed('mcpServers'),
  readonly: renamed('readOnly'),
  max_turns: renamed('maxTurns'),
  maxSteps: renamed('maxTurns'),
  steps: renamed('maxTurns'),

  permissionMode: {
    kind: 'restricting',
    harmless: [null, 'default', 'manual', 'acceptEdits', 'auto', 'bypassPermissions'],
    why: 'permissions come from the settings',
    refusal: 'This mode can\'t be kept here, and ignoring it would give the agent more rights than meant. Use `tools` or `permission` instead.',
  },
  kind: { kind: 'restricting', harmless: [null, 'local'], why: 'every agent runs here', refusal: 'The agent runs somewhere else, which isn\'t possible here.' },
  disable: { kind: 'restricting', harmless: [null, false], why: 'the agent is on', refusal: SWITCHED_OFF },
  disabled: { kind: 'restricting', harmless: [null, false], why: 'the agent is on', refusal: SWITCHED_OFF },

  'argument-hint': ignored('a subagent has no input box'),
  handoffs: ignored('a subagent only returns its answer'),
  agents: ignored('a subagent can\'t start others'),
  target: ignored('it is used wherever its folder is'),
  metadata: ignored('it is a note for another product'),
  'user-invocable': ignored('a person may pick any agent'),
  'user-invokable': ignored('a person may pick any agent'),
  hidden: ignored('a person may pick any agent'),
  memory: ignored('a subagent starts with nothing but its prompt'),
  background: ignored('every subagent runs in the background'),
  is_background: ignored('every subagent runs in the background'),
  initialPrompt: ignored('the task is the first message'),
  omitClaudeMd: ignored('no such file is added anyway'),
  experimental: ignored('it is a switch of another product'),
  temperature: ignored('the model\'s own is used'),
  top_p: ignored('the model\'s own is used'),
  version: ignored('it is a note for people'),
  author: ignored('it is a note for people'),
};

/** Hooks that can stop a call before it is made. All others only watch, or act afterwards. */
export const BLOCKING_HOOKS: readonly string[] = ['PreToolUse', 'PermissionRequest'];

/** Words for the ways to reach a server. */
export const SERVER_TYPES: Readonly<Record<string, 'stdio' | 'http' | 'sse'>> = { stdio: 'stdio', local: 'stdio', http: 'http', 'streamable-http': 'http', streamablehttp: 'http', sse: 'sse' };

/** Fields of a server's configuration that hold back the server or the agent. */
export const WIDENING_SERVER_FIELDS: readonly string[] = ['includeTools', 'excludeTools', 'disabledTools', 'disabled', 'sandbox', 'sandboxEnabled'];

/** Levels that other products have above ours. */
export const FOREIGN_EFFORTS: readonly string[] = ['xhigh', 'max'];

/** Other names of single tools, in any product. Compared without case, `_`, `-` and spaces. */
export const TOOL_ALIASES: Readonly<Record<string, readonly string[]>> = {
  Read: ['read_file', 'read_many_files', 'view', 'view_file', 'open_file', 'cat', 'NotebookRead'],
  Write: ['write_file', 'create_file', 'write_to_file'],
  Edit: ['edit_file', 'edit_files', 'replace', 'str_replace', 'str_replace_editor', 'replace_string_in_file', 'insert_edit_into_file', 'apply_patch', 'multi_edit', 'search_replace', 'apply_diff'],
  Glob: ['find_files', 'file_search', 'list_files', 'list_dir', 'list_directory', 'ls'],
  Grep: ['search', 'search_files', 'grep_search', 'text_search', 'search_file_content', 'ripgrep', 'rg', 'codebase'],
  Bash: ['shell', 'powershell', 'terminal', 'execute', 'execute_command', 'run_command', 'run_commands', 'run_shell_command', 'run_in_terminal'],
  BashOutput: ['get_terminal_output'],
  KillBackground: ['KillShell', 'KillBash', 'kill_terminal'],
  WebFetch: ['fetch', 'fetch_webpage', 'fetch_url', 'web'],
  WebSearch: ['google_web_search', 'search_web'],
  AskUser: ['AskUserQuestion', 'ask_followup_question', 'ask_questions'],
  Skill: ['activate_skill'],
  FindTool: ['ToolSearch'],
  TaskCreate: ['tracker_create_task'],
  TaskUpdate: ['tracker_update_task', 'tracker_add_dependency'],
  TaskGet: ['tracker_get_task'],
  TaskList: ['tracker_list_tasks', 'tracker_visualize'],
};

const TODO = ['TaskCreate', 'TaskUpdate', 'TaskGet', 'TaskList'];

/** Names that stand for several tools, by the format in which they do; `own` counts for all. Written as `fold` leaves them. */
export const TOOL_SETS: Readonly<Partial<Record<DefinitionFormat, Readonly<Record<string, readonly string[]>>>>> = {
  own: { todowrite: TODO, todoread: ['TaskList'], writetodos: TODO, updatetodolist: TODO, managetodolist: TODO, updateplan: TODO },
  copilot: {
    read: ['Read'],
    edit: ['Edit', 'Write'],
    search: ['Grep', 'Glob'],
    execute: ['Bash', 'BashOutput', 'KillBackground'],
    shell: ['Bash', 'BashOutput', 'KillBackground'],
    runcommands: ['Bash', 'BashOutput', 'KillBackground'],
    web: ['WebFetch', 'WebSearch'],
    todo: TODO,
    todos: TODO,
    agent: ['Agent'],
    customagent: ['Agent'],
    runsubagent: ['Agent'],
  },
};

/** Copilot's `set/tool`: these are sets of built-in tools, anything else before the slash is a server. */
export const COPILOT_SETS: readonly string[] = ['agent', 'browser', 'edit', 'execute', 'read', 'search', 'todo', 'vscode', 'web'];

/** Families of models by the tier that they stand for. */
export const MODEL_FAMILIES: Readonly<Record<string, Tier>> = { haiku: 'simple', sonnet: 'medium', opus: 'complex' };

/** Words for the parent's model. */
export const INHERITING: readonly string[] = ['inherit', 'default'];

/** How the ids of a vendor's own models look. */
export const VENDOR_MODELS: Readonly<Record<string, RegExp>> = {
  anthropic: /^claude-[\w.-]+$/i,
  openai: /^(?:gpt-|chatgpt-|codex-|o\d)[\w.-]*$/i,
};
