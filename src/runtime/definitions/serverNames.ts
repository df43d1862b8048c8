import type { ServerUse } from '../domain/definitions.ts';
import type { ReadContext } from './context.ts';
import { isOfSet } from './toolNames.ts';

/** A tool of a server, as an entry of a list names it; `*` for all of them. Anything else with a `*` names nothing. */
export interface ServerTool {
  readonly server: string;
  readonly tool: string;
}

/** All tools of all servers: nobody can say in advance what that grants, so that it only takes away. */
export const EVERY_SERVER = 'mcp__*';

/** How products write `server` and `tool` together. The last one doesn't show where a name that isn't known ends. */
const FORMS: readonly { readonly before: string; readonly between: string }[] = [
  { before: 'mcp__', between: '__' },
  { before: '', between: '/' },
  { before: 'mcp_', between: '_' },
];

/** Names of servers come with any character, and lists write them with `_` instead. */
const fold = (name: string): string => name.replace(/[^A-Za-z0-9_-]/g, '_').toLowerCase();

/**
 * The tool of a server that an entry such as `server/tool`, `mcp__server__tool`, `server/*` or `mcp__server` names;
 * nothing for other entries. Of `known` servers the name is given as it is there; any other is taken as it is written.
 */
export function serverTool(text: string, known: readonly string[]): ServerTool | undefined {
  return ofKnown(text, known) ?? ofAny(text);
}

/** The same for an entry of a file, where a member of a set of built-in tools is a server's only if there is one of that name. */
export function toolOfServer(text: string, known: readonly string[], { format }: ReadContext): ServerTool | undefined {
  return isOfSet(text, format) ? ofKnown(text, known) : serverTool(text, known);
}

/** The servers that the entries of a file may mean: its own, and those that are configured. */
export function knownServers(declared: readonly ServerUse[], { servers = [] }: ReadContext): readonly string[] {
  return [...new Set([...declared.map(({ server }) => server), ...servers])];
}

/** False for a pattern, which names nothing. */
export function isWhole({ tool }: ServerTool): boolean {
  return tool === '*' || !tool.includes('*');
}

/** A tool of a server under the name that it has in an agent. */
export function connectionToolName({ server, tool }: ServerTool): string {
  return `mcp__${server}__${tool}`;
}

function ofKnown(text: string, known: readonly string[]): ServerTool | undefined {
  for (const { before, between } of FORMS) {
    if (!text.toLowerCase().startsWith(before)) continue;
    const rest = text.slice(before.length);
    const split = (server: string): string | undefined => {
      if (fold(rest.slice(0, server.length)) !== fold(server)) return undefined;
      if (rest.length === server.length) return before === 'mcp__' ? '*' : undefined;
      return (rest.startsWith(between, server.length) && rest.slice(server.length + between.length)) || undefined;
    };
    const [found] = known
      .flatMap((server) => {
        const tool = split(server);
        return tool === undefined ? [] : [{ server, tool }];
      })
      // One may begin with another's name, and two may differ only in what lists can't write.
      .sort((a, b) => b.server.length - a.server.length || Number(rest.startsWith(b.server)) - Number(rest.startsWith(a.server)));
    if (found) return found;
  }
  return undefined;
}

function ofAny(text: string): ServerTool | undefined {
  const [, server, tool] = /^mcp__([^\s()*]+?)(?:__([^\s()]+))?$/i.exec(text) ?? /^([^\s()*]+)\/([^\s()/]+)$/.exec(text) ?? [];
  return server === undefined ? undefined : { server, tool: tool ?? '*' };
}
