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
  return disallowedTools.some((entry) => entry === '*' || names(entry, name) || entry === wireName(name) || namesOfServer(entry, name));
}

/** A tool's own name, or what a built-in one is called in any case and by other products. */
function names(entry: string, name: string): boolean {
  return entry === name || toolsNamed(entry, 'own').some((tool) => tool === name);
}

/** `mcp__server`, `mcp__server__*` and `server/*` stand for all tools of a server, `server/tool` for one. */
function namesOfServer(entry: string, name: string): boolean {
  if (!name.startsWith('mcp__')) return false;
  const [, server, tool] = /^([^/]+)\/(.+)$/.exec(entry) ?? [];
  const whole = server === undefined ? entry : `mcp__${server}__${tool}`;
  return whole === name || (whole.startsWith('mcp__') && name.startsWith(`${whole.replace(/__\*$/, '')}__`));
}
