import type { ServerUse } from '../domain/definitions.ts';
import type { Problem } from '../frontmatter/frontmatter.ts';
import { readList, type Item } from '../frontmatter/lists.ts';
import type { Value } from '../frontmatter/values.ts';
import type { ReadContext } from './context.ts';
import { connectionToolName, EVERY_SERVER, isWhole, knownServers, toolOfServer } from './serverNames.ts';
import { listNames } from './servers.ts';
import { TOOL_NAMES, toolsNamed } from './toolNames.ts';
import { nearTools, reportAlias } from './tools.ts';

/** The tools that are taken away. Names that aren't known stay as they are, so that they still match a tool of that very name. */
export function readDisallowedTools(value: Value, declared: readonly ServerUse[], context: ReadContext, problems: Problem[]): readonly string[] | undefined {
  const items = readList('disallowedTools', value, problems);
  if (!items) return undefined;
  const known = knownServers(declared, context);
  const names = new Set<string>();
  for (const item of items) {
    const named = toolsNamed(item.text, context.format);
    const ofServer = named.length === 0 ? toolOfServer(item.text, known, context) : undefined;
    if (item.text === '*') {
      for (const name of [...TOOL_NAMES, EVERY_SERVER]) names.add(name);
    } else if (item.text.toLowerCase() === EVERY_SERVER) {
      names.add(EVERY_SERVER);
    } else if (ofServer && isWhole(ofServer)) {
      names.add(connectionToolName(ofServer));
      if (context.servers && !known.includes(ofServer.server)) reportNothing(item, nearTools(item.text, declared, context), problems, listNames('MCP servers', known));
    } else if (/[(*]/.test(item.text) && named.length === 0) {
      // Dropping a rule that takes something away would grant it, so this one doesn't load.
      problems.push({ severity: 'error', code: 'rule', message: whyNoName(item.text), at: item.at });
    } else {
      if (named.length === 0) reportNothing(item, nearTools(item.text, declared, context), problems);
      reportAlias(item, named, problems);
      for (const name of named.length > 0 ? named : [item.text]) names.add(name);
    }
  }
  return [...names];
}

function reportNothing({ text, at }: Item, near: readonly string[], problems: Problem[], hint = ''): void {
  problems.push({ severity: 'warning', code: 'unknown_tool', message: `\`${text}\` in \`disallowedTools\` is no tool that exists. ${hint}`.trimEnd(), at, data: { kind: 'unknown', of: 'tool', word: text, near } });
}

function whyNoName(text: string): string {
  if (text.includes('(')) return `\`${text}\` is a rule. Rules belong in \`permission.deny\`; here only names of tools count.`;
  return `\`${text}\` is a pattern; here only names of tools count, and \`mcp__server__*\` for all of a server.`;
}
