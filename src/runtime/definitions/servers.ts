import { nearNames } from '../base/nearNames.ts';
import type { ServerUse } from '../domain/definitions.ts';
import { wrongType } from '../frontmatter/fields.ts';
import type { Problem } from '../frontmatter/frontmatter.ts';
import { readList } from '../frontmatter/lists.ts';
import type { Position, Value } from '../frontmatter/values.ts';
import type { ReadContext } from './context.ts';
import { readServer } from './serverConfig.ts';

const FIELD = 'mcpServers';

/**
 * The servers of a definition: names of configured ones, or maps from a name to how that server is reached. Other
 * products write both a list of these and one map; a server without a configuration of its own is the configured one.
 */
export function readServers(value: Value, context: ReadContext, problems: Problem[]): readonly ServerUse[] {
  const uses = new Map<string, ServerUse>();
  const add = (name: string, at: Position, use: ServerUse | undefined): void => {
    if (!use) return;
    if (uses.has(name)) {
      problems.push({ severity: 'error', code: 'twice', message: `\`${FIELD}\` names \`${name}\` a second time. Keep one of them.`, at, data: { kind: 'twice', field: name } });
      return;
    }
    uses.set(name, use);
    if (!use.config) reportUnknownServer(name, at, context, problems);
  };
  const addName = (text: string, at: Position): void => add(text, at, isServerName(text, at, problems) ? { server: text, tools: 'all' } : undefined);
  const addMap = ({ entries }: Extract<Value, { kind: 'map' }>): void => {
    for (const { name, at, value: about } of entries) add(name, at, isServerName(name, at, problems) ? readUse(name, about, problems) : undefined);
  };

  if (value.kind === 'map') {
    addMap(value);
  } else if (value.kind === 'list') {
    for (const item of value.items) {
      if (item.kind === 'map') addMap(item);
      else if (item.kind === 'scalar' && typeof item.value === 'string') addName(item.value.trim(), item.at);
      else wrongType(FIELD, 'a list of names, or of maps from a name to its configuration', item.at, problems);
    }
  } else if (value.value !== null) {
    for (const { text, at } of readList(FIELD, value, problems) ?? []) addName(text, at);
  }
  return [...uses.values()];
}

function readUse(server: string, value: Value, problems: Problem[]): ServerUse | undefined {
  const field = `${FIELD}.${server}`;
  if (value.kind === 'scalar' && (value.value === null || value.value === true)) return { server, tools: 'all' };
  if (value.kind !== 'map') return wrongType(field, 'a map that says how the server is reached, or empty for a configured one', value.at, problems);
  const read = readServer(field, value, problems);
  return read && { server, ...read };
}

/** Names that a list of tools could not tell from its own signs are refused. */
function isServerName(name: string, at: Position, problems: Problem[]): boolean {
  if (name !== '' && !/[*()\p{Cc}]/u.test(name)) return true;
  problems.push({ severity: 'error', code: 'server', message: `\`${FIELD}\` needs the name of each server, without \`*\` and parentheses.`, at });
  return false;
}

/** Warns of a server that can't be had at present. It counts all the same: it may be configured by the time the agent runs. */
export function reportUnknownServer(name: string, at: Position, { servers }: ReadContext, problems: Problem[]): void {
  if (!servers || servers.includes(name)) return;
  problems.push({ severity: 'warning', code: 'unknown_server', message: `There is no MCP server \`${name}\`, so its tools are missing. ${listNames('Configured', servers)}`, at, data: { kind: 'unknown', of: 'server', word: name, near: nearNames(name, servers) } });
}

/** What there is instead of a name that isn't there. */
export function listNames(what: string, names: readonly string[]): string {
  return names.length === 0 ? `${what}: none.` : `${what}: ${names.map((name) => `\`${name}\``).join(', ')}.`;
}

/**
 * Joins the servers that a definition declares with those that its list of tools names: of one that both name, the
 * agent has the tools that both let it have. A server of which nothing is left goes.
 */
export function mergeServers(declared: readonly ServerUse[], named: ReadonlyMap<string, ServerUse['tools']>): readonly ServerUse[] {
  const limited = declared.map((use): ServerUse => ({ ...use, tools: inBoth(use.tools, named.get(use.server) ?? 'all') }));
  const added = [...named].filter(([server]) => !declared.some((use) => use.server === server)).map(([server, tools]): ServerUse => ({ server, tools }));
  return [...limited, ...added].filter(({ tools }) => !grantsNothing(tools));
}

export function grantsNothing(tools: ServerUse['tools']): boolean {
  return tools !== 'all' && tools.length === 0;
}

function inBoth(a: ServerUse['tools'], b: ServerUse['tools']): ServerUse['tools'] {
  if (a === 'all') return b;
  return b === 'all' ? a : a.filter((name) => b.includes(name));
}
