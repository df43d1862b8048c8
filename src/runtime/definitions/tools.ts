import type { ToolSelection } from '../domain/definitions.ts';
import type { ReadContext } from './context.ts';
import type { Problem } from '../frontmatter/frontmatter.ts';
import { readList, type Item } from '../frontmatter/lists.ts';
import { DELEGATION_TOOLS, isConnectionTool, isOwnName, TOOL_NAMES, toolsNamed } from './toolNames.ts';
import type { Value } from '../frontmatter/values.ts';

/**
 * The tools that a definition is limited to. Names that mean nothing here are warned of and grant nothing; a list
 * of which nothing is left is an error, because running with less than meant is no better than with more.
 */
export function readTools(value: Value, { format }: ReadContext, problems: Problem[]): ToolSelection | undefined {
  const items = readList('tools', value, problems);
  if (!items) return undefined;
  const star = items.find((item) => item.text === '*');
  if (star) {
    problems.push({ severity: 'information', code: 'tools_all', message: '`*` means all inherited tools, the same as leaving `tools` out.', at: star.at });
    return 'inherit';
  }
  const known = new Set<string>();
  for (const item of items) {
    const named = toolsNamed(item.text, format);
    const granted = named.filter((name) => !DELEGATION_TOOLS.includes(name));
    for (const name of granted) known.add(name);
    reportAlias(item, granted, problems);
    if (granted.length === 0) problems.push({ severity: 'warning', code: 'unknown_tool', message: `${ungranted(item, named.length > 0)} It grants nothing.`, at: item.at });
  }
  if (items.length > 0 && known.size === 0) {
    const names = items.map((item) => `\`${item.text}\``).join(', ');
    problems.push({ severity: 'error', code: 'no_tools', message: `None of the entries of \`tools\` names a tool that exists, so it refuses to start: ${names}. Write \`[]\` for no tools.`, at: value.at });
    return undefined;
  }
  return [...known];
}

/** The tools that are taken away. Names that aren't known stay as they are, so that they still match a tool of that very name. */
export function readDisallowedTools(value: Value, { format }: ReadContext, problems: Problem[]): readonly string[] | undefined {
  const items = readList('disallowedTools', value, problems);
  if (!items) return undefined;
  const names = new Set<string>();
  for (const item of items) {
    if (item.text === '*') {
      for (const name of TOOL_NAMES) names.add(name);
    } else if (item.text.includes('(') && toolsNamed(item.text, format).length === 0) {
      // Dropping a rule that takes something away would grant it, so this one doesn't load.
      problems.push({ severity: 'error', code: 'rule', message: `\`${item.text}\` is a rule. Rules belong in \`permission.deny\`; here only names of tools count.`, at: item.at });
    } else {
      const named = toolsNamed(item.text, format);
      if (named.length === 0) problems.push({ severity: 'warning', code: 'unknown_tool', message: `\`${item.text}\` in \`disallowedTools\` is no tool that exists.`, at: item.at });
      reportAlias(item, named, problems);
      for (const name of named.length > 0 ? named : [item.text]) names.add(name);
    }
  }
  return [...names];
}

/** Says what another product's name was taken for. */
function reportAlias({ text, at }: Item, named: readonly string[], problems: Problem[]): void {
  const [first] = named;
  if (first === undefined || (named.length === 1 && isOwnName(text, first))) return;
  problems.push({ severity: 'information', code: 'mapped', message: `\`${text}\` is read as ${named.map((name) => `\`${name}\``).join(', ')}.`, at });
}

function ungranted(item: Item, delegates: boolean): string {
  if (delegates) return `\`${item.text}\`: a subagent can't delegate.`;
  if (isConnectionTool(item.text)) return `\`${item.text}\`: tools of MCP servers aren't supported yet.`;
  if (item.text.includes('(')) return `\`${item.text}\` is a rule. Rules belong in \`permission\`; here only names of tools count.`;
  return `\`${item.text}\` is no tool that exists.`;
}
