import { COPILOT_SETS, TOOL_ALIASES, TOOL_SETS, type DefinitionFormat } from './interop.ts';

/** The names under which built-in tools exist. */
export const TOOL_NAMES = [
  'Read', 'Write', 'Edit', 'Glob', 'Grep', 'Bash', 'BashOutput', 'KillBackground', 'WebFetch', 'WebSearch', 'AskUser',
  'Skill', 'FindTool', 'TaskCreate', 'TaskUpdate', 'TaskGet', 'TaskList', 'CronCreate', 'CronList', 'CronDelete',
  'Agent', 'Task', 'MultiTask',
] as const;
export type ToolName = (typeof TOOL_NAMES)[number];

/** Tools of the root alone: naming one in a definition grants nothing. */
export const DELEGATION_TOOLS: readonly ToolName[] = ['Agent', 'Task', 'MultiTask'];

/** Those that a definition can name. */
export const NAMEABLE_TOOLS: readonly ToolName[] = TOOL_NAMES.filter((name) => !DELEGATION_TOOLS.includes(name));

const fold = (name: string): string => name.toLowerCase().replace(/[\s_-]+/g, '');

const BY_FOLDED: ReadonlyMap<string, ToolName> = new Map(
  TOOL_NAMES.flatMap((name) => [name, ...(TOOL_ALIASES[name] ?? [])].map((alias) => [fold(alias), name] as const)),
);

/** The built-in tools that a name stands for in files of a format: its own name in any case, an alias, or a set. None for any other name. */
export function toolsNamed(name: string, format: DefinitionFormat): readonly ToolName[] {
  // `Agent(reviewer)` limits whom an agent may start.
  const folded = fold((format === 'copilot' && memberOfSet(name)) || name.replace(/^(agent|task)\s*\(.*\)$/i, '$1'));
  const several = ownEntry(TOOL_SETS[format], folded) ?? ownEntry(TOOL_SETS.own, folded);
  if (several) return TOOL_NAMES.filter((tool) => several.includes(tool));
  const one = BY_FOLDED.get(folded);
  return one ? [one] : [];
}

/** Whether the name is that tool's own, however it is spelt. */
export function isOwnName(name: string, tool: string): boolean {
  return fold(name) === fold(tool);
}

/** Whether the name is a member of a set of built-in tools, known or not, so that what stands before its slash is no server. */
export function isOfSet(name: string, format: DefinitionFormat): boolean {
  return format === 'copilot' && memberOfSet(name) !== undefined;
}

/** What `set/tool` means: the tool, or with `*` the set. Nothing for the tools of a server. */
function memberOfSet(name: string): string | undefined {
  const [set = '', member] = name.split('/', 2);
  if (member === undefined || !COPILOT_SETS.includes(set.toLowerCase())) return undefined;
  return member === '*' ? set : member;
}

function ownEntry<T>(table: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return table && Object.hasOwn(table, key) ? table[key] : undefined;
}
