import type { PanelAgent, PanelSkill, PanelTool } from '../../api.ts';
import { canName } from '../../runtime/agent/toolLists.ts';
import { AppError } from '../../runtime/base/errors.ts';
import { nameKey } from '../../runtime/base/names.ts';
import { oneLine } from '../../runtime/base/text.ts';
import { BUILTIN_NAMES } from '../../runtime/definitions/names.ts';
import { toolsNamed } from '../../runtime/definitions/toolNames.ts';
import type { SubAgentEntry } from '../../runtime/domain/capabilities.ts';
import { externalTool } from './externalTool.ts';

/** What providers take for a tool's name. The tools of MCP servers have a beginning of their own. */
const TOOL_NAME = /^(?!mcp_)[A-Za-z][\w-]{0,63}$/i;

/** A tool of another extension as ours. Throws `invalid_input` for what is none, `conflict` for the name of a built-in tool. */
export function checkedTool(tool: PanelTool): ReturnType<typeof externalTool> {
  const given: Readonly<Record<string, unknown>> = isObject(tool) ? tool : {};
  const { name, description, inputSchema, describe, invoke } = given;
  const shown = typeof name === 'string' ? JSON.stringify(name) : 'without a name';
  const problems = [
    ...(typeof name === 'string' && TOOL_NAME.test(name) ? [] : ['`name` must be 1 to 64 letters, digits, `_` or `-`, begin with a letter and not with `mcp_`.']),
    ...(isFilled(description) ? [] : ['`description` must be a text that is not empty.']),
    ...(isObject(inputSchema) && inputSchema['type'] === 'object' && isJson(inputSchema) ? [] : ['`inputSchema` must be a JSON Schema of type `object`.']),
    ...(describe === undefined || typeof describe === 'function' ? [] : ['`describe` must be a function.']),
    ...(typeof invoke === 'function' ? [] : ['`invoke` must be a function.']),
  ];
  if (problems.length > 0) throw new AppError('invalid_input', `The tool ${shown} can't be registered. ${problems.join(' ')}`);
  if (toolsNamed(tool.name, 'own').length > 0) throw new AppError('conflict', `The tool ${shown} can't be registered: a built-in tool is called so. Give it another name.`);
  return externalTool(tool);
}

/** Of the name of a definition, in characters. */
const MAX_AGENT_NAME = 64;

/** A kind of subagent as an entry in code. Throws `invalid_input` for what is none, `conflict` for the name of a built-in one. */
export function checkedAgent(name: string, agent: PanelAgent): SubAgentEntry {
  if (!isObject(agent)) throw new AppError('invalid_input', `The agent ${JSON.stringify(name)} can't be registered: it must be an object with \`description\` and \`prompt\`.`);
  const { description, prompt, model, maxTurns, tools, disallowedTools, customTools, skills } = agent;
  const problems = [
    ...(oneLine(name) === name && name !== '' && name.length <= MAX_AGENT_NAME ? [] : [`Its name must be 1 to ${MAX_AGENT_NAME} visible characters in one line.`]),
    ...Object.entries({ description, prompt }).filter(([, text]) => !isFilled(text)).map(([field]) => `\`${field}\` must be a text that is not empty.`),
    ...(model === undefined || typeof model === 'string' ? [] : ['`model` must be a text.']),
    ...(maxTurns === undefined || (Number.isInteger(maxTurns) && maxTurns > 0) ? [] : ['`maxTurns` must be a whole number of at least 1.']),
    ...Object.entries({ tools, disallowedTools }).filter(([, list]) => list !== undefined && !(Array.isArray(list) && list.every(isFilled))).map(([field]) => `\`${field}\` must be a list of names of tools.`),
    ...(Array.isArray(disallowedTools) ? disallowedTools.filter((entry) => typeof entry === 'string' && !canName(entry)) : []).map((entry) => `\`disallowedTools\`: ${JSON.stringify(entry)} names no tool.`),
    ...Object.entries({ customTools, skills }).filter(([, list]) => list !== undefined && !Array.isArray(list)).map(([field]) => `\`${field}\` must be a list.`),
  ];
  if (problems.length > 0) throw new AppError('invalid_input', `The agent ${JSON.stringify(name)} can't be registered. ${problems.join(' ')}`);
  const own = [...(customTools ?? [])].map(checkedTool);
  assertDistinct(own.map((tool) => tool.name));
  if (BUILTIN_NAMES.some((builtin) => nameKey(builtin) === nameKey(name))) throw new AppError('conflict', `The agent ${JSON.stringify(name)} can't be registered: a built-in one is called so. Give it another name.`);
  return {
    description,
    prompt,
    ...(model !== undefined && { model }),
    ...(maxTurns !== undefined && { maxTurns }),
    capabilities: {
      ...(tools !== undefined && { allowedTools: [...tools] }),
      ...(disallowedTools !== undefined && { disallowedTools: [...disallowedTools] }),
      customTools: own,
      skills: [...(skills ?? [])].map(checkedSkill),
    },
  };
}

/** A skill as it is now. Throws `invalid_input` for what is none. */
export function checkedSkill(skill: PanelSkill): PanelSkill {
  const { name, description, instructions } = isObject(skill) ? skill : { name: '', description: '', instructions: '' };
  if (![name, description, instructions].every(isFilled)) throw new AppError('invalid_input', 'A skill can’t be registered: `name`, `description` and `instructions` must be texts that are not empty.');
  return { name, description, instructions };
}

function assertDistinct(names: readonly string[]): void {
  const twice = names.find((name, index) => names.findIndex((other) => nameKey(other) === nameKey(name)) < index);
  if (twice !== undefined) throw new AppError('conflict', `Two tools of one agent are called ${twice}. Rename one.`);
}

function isObject<T>(value: T): value is T & Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isFilled(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

function isJson(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    // It refers to itself, or holds what JSON has no form for.
    return false;
  }
}
