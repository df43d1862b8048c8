import { wireName } from '../base/wireNames.ts';
import { toolsNamed } from '../definitions/toolNames.ts';
import type { AgentCapabilities } from '../domain/capabilities.ts';
import type { AgentDefinition } from '../domain/definitions.ts';

/** What an agent is limited to, and what is taken away from it. */
export type ToolLists = Pick<AgentCapabilities, 'allowedTools' | 'disallowedTools'>;

/** The lists of a definition as capabilities. One that names skills can load them, whatever tools it is limited to. */
export function listsOf({ tools, disallowedTools, skills = [] }: Pick<AgentDefinition, 'tools' | 'disallowedTools' | 'skills'>): ToolLists {
  return { ...(tools !== 'inherit' && { allowedTools: skills.length > 0 ? [...tools, 'Skill'] : tools }), disallowedTools };
}

/** Whether an allow list lets a built-in tool be. Without a list it does; `*` names all. */
export function isAllowed(name: string, { allowedTools }: ToolLists): boolean {
  return allowedTools === undefined || allowedTools.some((entry) => entry === '*' || names(entry, name));
}

/** Whether a deny list takes a tool away, whatever kind it is. Read widely: an entry that were overlooked would leave a tool that was meant to go. */
export function isDenied(name: string, { disallowedTools = [] }: ToolLists): boolean {
  if (disallowedTools.length === 0) return false;
  const spellings = [...spellingsOf(name), fold(wireName(name))];
  return disallowedTools.map(denialOf).some(({ entry, builtins, patterns }) => entry === name || builtins.includes(name) || patterns.some((pattern) => spellings.some((spelling) => fits(pattern, spelling))));
}

/** False for an entry of a deny list that would take nothing away: nothing at all, several names in one, or a rule about single calls. Names of servers' tools may hold any character. */
export function canName(entry: string): boolean {
  const whole = wholeTool(entry);
  return whole !== '' && (isOfServer(whole) || toolsNamed(whole, 'own').length > 0 || !/[(),]|\p{Cc}/u.test(whole));
}

/** A tool's own name, or what a built-in one is called in any case and by other products. */
function names(entry: string, name: string): boolean {
  return entry === name || toolsNamed(entry, 'own').some((tool) => tool === name);
}

/** `Bash(*)` is all calls of `Bash`. */
function wholeTool(entry: string): string {
  return entry.trim().replace(/^([\w-]+)\s*\(\s*\*?\s*\)$/, '$1');
}

function isOfServer(entry: string): boolean {
  return /^mcp_|^[^(),]+\//i.test(entry);
}

/** What an entry takes away. In `patterns` any text may stand between the parts of each. */
interface Denial {
  readonly entry: string;
  readonly builtins: readonly string[];
  readonly patterns: readonly (readonly string[])[];
}

/** Lists are read for every tool at every call, and hold the same few entries. */
const denials = new Map<string, Denial>();

function denialOf(written: string): Denial {
  const known = denials.get(written);
  if (known) return known;
  const entry = wholeTool(written);
  const denial: Denial = { entry, builtins: toolsNamed(entry, 'own'), patterns: patternsOf(entry).map((pattern) => pattern.split('*')) };
  denials.set(written, denial);
  return denial;
}

/** The whole names that an entry stands for, where `*` is any text. `mcp__server` is all tools of a server; a `/` may be what stands between server and tool, or a part of either. */
function patternsOf(entry: string): readonly string[] {
  const folded = fold(entry);
  const joined = [...entry.matchAll(/\//g)].map(({ index }) => `mcp__${fold(entry.slice(0, index))}__${fold(entry.slice(index + 1))}`);
  return [folded, ...joined, ...(folded.startsWith('mcp__') ? [`${folded}__*`] : [])];
}

/** How lists may write the name of a tool: case doesn't count, nor characters that mean something in names. That of a server's tool may end with a hash that neither the server nor a person knows. */
function spellingsOf(name: string): readonly string[] {
  const folded = fold(name.replaceAll('*', '_'));
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(folded) ?? [];
  if (server === undefined || tool === undefined) return [folded];
  return [tool, tool.replace(/_[0-9a-f]{8}$/, '')].flatMap((each) => [`mcp__${server}__${each}`, `mcp_${server}_${each}`]);
}

function fold(text: string): string {
  return text.normalize('NFC').replace(/[^\p{L}\p{N}*_-]/gu, '_').toLowerCase();
}

/** Whether the parts stand in the text one after the other, the first at its start and the last at its end. */
function fits([first = '', ...others]: readonly string[], text: string): boolean {
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.length >= at + last.length && text.endsWith(last);
}
