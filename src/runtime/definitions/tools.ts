import { nearNames } from '../base/nearNames.ts';
import type { ServerUse, ToolSelection } from '../domain/definitions.ts';
import type { ReadContext } from './context.ts';
import type { Problem } from '../frontmatter/frontmatter.ts';
import { readList, type Item } from '../frontmatter/lists.ts';
import { isWhole, knownServers, toolOfServer, type ServerTool } from './serverNames.ts';
import { grantsNothing, reportUnknownServer } from './servers.ts';
import { DELEGATION_TOOLS, isOwnName, NAMEABLE_TOOLS, toolsNamed, type ToolName } from './toolNames.ts';
import type { Value } from '../frontmatter/values.ts';

/** What a list of tools names. */
export interface NamedTools {
  readonly tools: ToolSelection;
  readonly servers: ReadonlyMap<string, ServerUse['tools']>;
}

/** What one entry of such a list stands for. `why`: what keeps it from granting anything. */
type Meaning =
  | { readonly kind: 'all' }
  | { readonly kind: 'builtin'; readonly names: readonly ToolName[] }
  | { readonly kind: 'server'; readonly server: string; readonly tools: ServerUse['tools']; readonly why?: string }
  | { readonly kind: 'nothing'; readonly why: string };

/**
 * The tools that a definition is limited to, and those that it has of servers. Names that mean nothing here are warned
 * of and grant nothing; a list of which nothing is left is an error, because running with less than meant is no better
 * than with more. Whether a server is there shows only when the agent runs, so that naming one is enough.
 */
export function readTools(value: Value, declared: readonly ServerUse[], context: ReadContext, problems: Problem[]): NamedTools | undefined {
  const items = readList('tools', value, problems);
  if (!items) return undefined;
  const builtins = new Set<ToolName>();
  const servers = new Map<string, ServerUse['tools']>();
  let all = false;
  for (const item of items) {
    const meaning = meaningOf(item.text, declared, context);
    switch (meaning.kind) {
      case 'all':
        all = true;
        problems.push({ severity: 'information', code: 'tools_all', message: '`*` means all inherited tools, the same as leaving `tools` out.', at: item.at });
        break;
      case 'builtin':
        for (const name of meaning.names) builtins.add(name);
        reportAlias(item, meaning.names, problems);
        break;
      case 'server':
        if (meaning.why !== undefined) reportUngranted(item, meaning.why, [`${meaning.server}/*`], problems);
        if (!servers.has(meaning.server) && !declared.some(({ server }) => server === meaning.server)) reportUnknownServer(meaning.server, item.at, context, problems);
        // A server that is named is limited to what is named of it, also where that is nothing.
        servers.set(meaning.server, inEither(servers.get(meaning.server) ?? [], meaning.tools));
        break;
      case 'nothing':
        reportUngranted(item, meaning.why, nearTools(item.text, declared, context), problems);
        break;
    }
  }
  if (items.length > 0 && !all && builtins.size === 0 && [...servers.values()].every(grantsNothing)) {
    const names = items.map((item) => `\`${item.text}\``).join(', ');
    problems.push({ severity: 'error', code: 'no_tools', message: `None of the entries of \`tools\` names a tool that exists, so it refuses to start: ${names}. Write \`[]\` for no tools.`, at: value.at });
    return undefined;
  }
  if (!all && context.format !== 'own') reportUnlimited(value, declared, servers, problems);
  return { tools: all ? 'inherit' : [...builtins], servers };
}

function meaningOf(text: string, declared: readonly ServerUse[], context: ReadContext): Meaning {
  if (text === '*') return { kind: 'all' };
  const named = toolsNamed(text, context.format);
  const names = named.filter((name) => !DELEGATION_TOOLS.includes(name));
  if (names.length > 0) return { kind: 'builtin', names };
  if (named.length > 0) return { kind: 'nothing', why: 'a subagent can\'t delegate.' };
  const known = knownServers(declared, context);
  const ofServer = toolOfServer(text, known, context);
  if (!ofServer) return { kind: 'nothing', why: whyUnknown(text, known) };
  const { server, tool } = ofServer;
  const why = whyNotOfServer(ofServer, declared);
  if (why !== undefined) return { kind: 'server', server, tools: [], why };
  return { kind: 'server', server, tools: tool === '*' ? 'all' : [tool] };
}

function inEither(a: ServerUse['tools'], b: ServerUse['tools']): ServerUse['tools'] {
  return a === 'all' || b === 'all' ? 'all' : [...new Set([...a, ...b])];
}

/** Why an entry gives nothing of a server that it names. */
function whyNotOfServer(entry: ServerTool, declared: readonly ServerUse[]): string | undefined {
  if (!isWhole(entry)) return `this is a pattern. Name whole tools, or all of the server with \`${entry.server}/*\`.`;
  const limited = declared.find(({ server }) => server === entry.server)?.tools ?? 'all';
  if (entry.tool === '*' || limited === 'all' || limited.includes(entry.tool)) return undefined;
  return `the \`tools\` of \`mcpServers.${entry.server}\` leave it out.`;
}

function whyUnknown(text: string, servers: readonly string[]): string {
  if (servers.includes(text)) return `this is an MCP server. Write \`${text}/*\` for its tools.`;
  if (/^mcp_/i.test(text)) return 'tools of MCP servers are written `server/tool`, or `server/*` for all of one.';
  if (text.includes('(')) return 'this is a rule. Rules belong in `permission`; here only names of tools count.';
  return 'no tool of that name exists.';
}

/** In other products such a list would take away the tools of every server that it doesn't name. */
function reportUnlimited(value: Value, declared: readonly ServerUse[], named: NamedTools['servers'], problems: Problem[]): void {
  for (const { server } of declared.filter(({ server: name, tools }) => tools === 'all' && !named.has(name))) {
    problems.push({ severity: 'information', code: 'tools_all', message: `\`tools\` names nothing of the MCP server \`${server}\`, so the agent has all that it offers. Name some, such as \`${server}/tool\`, to limit it.`, at: value.at });
  }
}

/** Says what another product's name was taken for. */
export function reportAlias({ text, at }: Item, named: readonly string[], problems: Problem[]): void {
  const [first] = named;
  if (first === undefined || (named.length === 1 && isOwnName(text, first))) return;
  problems.push({ severity: 'information', code: 'mapped', message: `\`${text}\` is read as ${named.map((name) => `\`${name}\``).join(', ')}.`, at, data: { kind: 'mapped', of: 'tool', word: text, as: named } });
}

function reportUngranted({ text, at }: Item, why: string, near: readonly string[], problems: Problem[]): void {
  problems.push({ severity: 'warning', code: 'unknown_tool', message: `\`${text}\` grants nothing: ${why}`, at, data: { kind: 'unknown', of: 'tool', word: text, near } });
}

/** What could be meant by a name that isn't a tool's. */
export function nearTools(text: string, declared: readonly ServerUse[], context: ReadContext): readonly string[] {
  const servers = knownServers(declared, context);
  if (servers.includes(text)) return [`${text}/*`];
  // A rule names a tool, too.
  return nearNames(text.replace(/\(.*$/, ''), [...NAMEABLE_TOOLS, ...servers.map((server) => `${server}/*`)]);
}
