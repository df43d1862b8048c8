import type { AgentCapabilities } from '../domain/capabilities.ts';
import type { SkillDefinition } from '../domain/skills.ts';
import type { ToolDefinition } from '../domain/tools.ts';
import { canName } from './toolLists.ts';
import { unknownProblems } from './movedOptions.ts';

type Check = (value: unknown) => boolean;
type Fields<T> = Readonly<Record<string, Check>> & { readonly [K in keyof T]?: Check };

const isText: Check = (value) => typeof value === 'string';
const isFunction: Check = (value) => typeof value === 'function';
const isName: Check = (value) => typeof value === 'string' && value.trim() !== '';

/** What nothing works without in a tool. */
const TOOL: Fields<ToolDefinition> = {
  name: isName,
  description: isText,
  inputSchema: isObject,
  isReadOnly: (value) => typeof value === 'boolean',
  describe: isFunction,
  targets: isFunction,
  execute: isFunction,
};
const SKILL: Fields<SkillDefinition> = { name: isName, description: isText, instructions: isText };

const CAPABILITIES: Readonly<Record<keyof AgentCapabilities, (value: unknown, at: string) => readonly string[]>> = {
  connectionTools: toolProblems,
  customTools: toolProblems,
  skills: (value, at) => listProblems(value, at, 'SkillDefinition', SKILL),
  allowedTools: nameProblems,
  disallowedTools: denialProblems,
};

/** What is wrong with capabilities as a host's code gives them, a sentence each. `at`: the path to them. Absent ones say nothing. */
export function capabilityProblems(value: unknown, at = 'capabilities'): readonly string[] {
  if (value === undefined) return [];
  if (!isObject(value)) return [`\`${at}\` must be an object.`];
  const problems = Object.entries(CAPABILITIES).flatMap(([name, problemsOf]) => (value[name] === undefined ? [] : problemsOf(value[name], `${at}.${name}`)));
  return [...unknownProblems(value, Object.keys(CAPABILITIES), {}, `${at}.`), ...problems];
}

/** What is wrong with a list of tools, a sentence each. */
export function toolProblems(value: unknown, at: string): readonly string[] {
  return listProblems(value, at, 'ToolDefinition', TOOL);
}

/** True for what has fields: no list, no function. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listProblems(value: unknown, at: string, kind: string, fields: Readonly<Record<string, Check>>): readonly string[] {
  if (!Array.isArray(value)) return [`\`${at}\` must be a list of ${kind}.`];
  return value.flatMap((item: unknown, index) => {
    const wrong = isObject(item) ? Object.entries(fields).filter(([name, check]) => !check(item[name])).map(([name]) => name) : Object.keys(fields);
    return wrong.length > 0 ? [`\`${at}[${index}]\` is no ${kind}: ${wrong.join(', ')} missing or of the wrong type.`] : [];
  });
}

function nameProblems(value: unknown, at: string): readonly string[] {
  return Array.isArray(value) && value.every(isText) ? [] : [`\`${at}\` must be a list of names of tools.`];
}

/** An entry that takes nothing away would leave a tool that was meant to go. */
function denialProblems(value: unknown, at: string): readonly string[] {
  const problems = nameProblems(value, at);
  if (problems.length > 0 || !Array.isArray(value)) return problems;
  const odd = value.filter((entry: string) => !canName(entry));
  return odd.map((entry) => `\`${at}\`: ${JSON.stringify(entry)} names no tool. Write one name an entry; rules about single calls, such as \`Bash(rm:*)\`, belong in \`permissions\`.`);
}
