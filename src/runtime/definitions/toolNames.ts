/** The names under which built-in tools exist. */
export const TOOL_NAMES = [
  'Read', 'Write', 'Edit', 'Glob', 'Grep', 'Bash', 'BashOutput', 'KillBackground', 'WebFetch', 'WebSearch', 'AskUser',
  'Skill', 'FindTool', 'TaskCreate', 'TaskUpdate', 'TaskGet', 'TaskList', 'CronCreate', 'CronList', 'CronDelete',
  'Agent', 'Task', 'MultiTask',
] as const;
export type ToolName = (typeof TOOL_NAMES)[number];

/** Tools of the root alone: naming one in a definition grants nothing. */
export const DELEGATION_TOOLS: readonly ToolName[] = ['Agent', 'Task', 'MultiTask'];

/** Names that other products use. Compared without case, `_`, `-` and spaces. */
const ALIASES: Readonly<Partial<Record<ToolName, readonly string[]>>> = {
  Read: ['read_file', 'view', 'view_file', 'open_file', 'cat', 'NotebookRead'],
  Write: ['write_file', 'create_file', 'write_to_file'],
  Edit: ['edit_file', 'edit_files', 'str_replace', 'str_replace_editor', 'replace_string_in_file', 'multi_edit', 'search_replace', 'apply_diff'],
  Glob: ['find_files', 'file_search', 'list_files', 'list_dir', 'list_directory', 'ls'],
  Grep: ['search', 'search_files', 'grep_search', 'text_search', 'search_file_content', 'ripgrep', 'rg', 'codebase'],
  Bash: ['shell', 'terminal', 'execute', 'execute_command', 'run_command', 'run_commands', 'run_shell_command', 'run_in_terminal'],
  BashOutput: ['get_terminal_output'],
  KillBackground: ['KillShell', 'KillBash'],
  WebFetch: ['fetch', 'fetch_webpage', 'fetch_url', 'web'],
  WebSearch: ['google_web_search', 'search_web'],
  AskUser: ['AskUserQuestion', 'ask_followup_question'],
};

const fold = (name: string): string => name.toLowerCase().replace(/[\s_-]+/g, '');

const BY_FOLDED: ReadonlyMap<string, ToolName> = new Map(
  TOOL_NAMES.flatMap((name) => [name, ...(ALIASES[name] ?? [])].map((alias) => [fold(alias), name] as const)),
);

/** The canonical name of a built-in tool, from that name in any case or an alias. Nothing for any other name. */
export function canonicalTool(name: string): ToolName | undefined {
  return BY_FOLDED.get(fold(name));
}

/** True for the forms that name tools of a connected server. */
export function isConnectionTool(name: string): boolean {
  return /^mcp__./i.test(name) || /^[^\s/]+\/\S+$/.test(name);
}
