import { AppError } from '../base/errors.ts';
import type { RootOptions } from '../domain/liteAgent.ts';
import { capabilityProblems, isObject, toolProblems } from './capabilityChecks.ts';
import { MOVED_OF_ROOT, movedProblems, unknownProblems, type MovedOptions } from './movedOptions.ts';

type RootFields = Omit<RootOptions, 'rootMaxTurns'>;

const FIELDS: Readonly<Record<keyof RootFields, true>> = { rootModel: true, prompt: true, appendPrompt: true, customTools: true, mcpServers: true, capabilities: true };

const MOVED_OF_REQUEST: MovedOptions = { ...MOVED_OF_ROOT, env: () => 'belongs to `runtime`, which the agent was made with' };

/** Throws one `invalid_input` that names everything that is wrong with what is asked for one request. `turns`: what its limit of model turns is called there. */
export function checkRequest(request: unknown, turns?: string): void {
  const problems = isObject(request) ? requestProblems(request, turns) : ['What is asked for one request must be an object of options.'];
  if (problems.length > 0) throw new AppError('invalid_input', problems.join(' '));
}

function requestProblems(request: object, turns = 'rootMaxTurns'): readonly string[] {
  const limit: unknown = new Map(Object.entries(request)).get(turns);
  return [
    ...movedProblems(request, MOVED_OF_REQUEST),
    ...unknownProblems(request, [...Object.keys(FIELDS), turns], MOVED_OF_REQUEST),
    ...(limit === undefined ? [] : countProblems(turns, limit)),
    ...rootProblems(request),
  ];
}

/** What is wrong with the fields that are the root's alone but for its limit of turns, a sentence each. Others are left to whoever knows them. */
export function rootProblems({ rootModel, prompt, appendPrompt, customTools, mcpServers, capabilities }: { readonly [K in keyof RootFields]?: unknown }): readonly string[] {
  return [
    ...(rootModel === undefined || isModel(rootModel) ? [] : ['`rootModel` must be a tier, or a model with `provider` and `model`.']),
    ...Object.entries({ prompt, appendPrompt }).filter(([, text]) => text !== undefined && typeof text !== 'string').map(([name]) => `\`${name}\` must be a text.`),
    ...(customTools === undefined ? [] : toolProblems(customTools, 'customTools')),
    ...serverProblems(mcpServers),
    ...capabilityProblems(capabilities),
  ];
}

function isModel(value: unknown): boolean {
  return typeof value === 'string' || (isObject(value) && typeof value['provider'] === 'string' && typeof value['model'] === 'string');
}

/** A limit such as `NaN` would be none: nothing exceeds it. */
export function countProblems(name: string, value: unknown): readonly string[] {
  return Number.isSafeInteger(value) && Number(value) >= 1 ? [] : [`\`${name}\` must be a whole number of at least 1, not ${String(value)}.`];
}

/** Whether each can be connected is found when it is. */
function serverProblems(servers: unknown): readonly string[] {
  if (servers === undefined) return [];
  if (!isObject(servers)) return ['`mcpServers` must be an object of configurations by name.'];
  return Object.entries(servers).filter(([, config]) => !isObject(config)).map(([name]) => `\`mcpServers.${name}\` must be a configuration with \`command\` or \`url\`.`);
}
