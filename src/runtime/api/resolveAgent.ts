import { capabilityProblems, isObject } from '../agent/capabilityChecks.ts';
import { movedProblems, type MovedOptions } from '../agent/movedOptions.ts';
import { resolveAgent as resolve, type ResolvedAgent, type ResolveOptions } from '../agent/resolveAgent.ts';
import { AppError } from '../base/errors.ts';
import type { AgentCapabilities } from '../domain/capabilities.ts';
import type { AgentDefinition } from '../domain/definitions.ts';
import type { RuntimeEnvironment } from '../domain/environment.ts';

const SIGNATURE = '`resolveAgent(runtime, capabilities, def, opts?)`';
const toSecond = (field: string) => (): string => `is now \`${field}\` of \`capabilities\`, the second argument`;

const MOVED_OF_DEFINITION: MovedOptions = {
  allowedTools: toSecond('allowedTools'),
  customTools: toSecond('customTools'),
  mcpTools: toSecond('connectionTools'),
  availableSkills: toSecond('skills'),
};

/**
 * The tools and skills that an agent has at one moment: built-in tools, then custom, then connection tools, of two with
 * one name the later; less what the allow list (built-in tools only) and the deny list (all of them) take away; for a
 * child without the tools that delegate, and for a child called `Explore` or with `readOnly` only what reads, and the
 * built-in `Bash`; with deferred tools in this agent's own `FindTool` catalogue. Pure: it starts nothing and keeps nothing.
 *
 * @param runtime what is inherited, as `createRuntimeEnvironment` gives it
 * @param capabilities the agent's own. The lists of a loaded definition count only where they are handed over in here.
 * @param definition what kind of agent it is
 * @param options whether it is a child, its parent's lists, which deferred tools it has found
 * @throws AppError `invalid_input` for arguments of the 2.x shape (`resolveAgent(env, def)`), naming what belongs where, and for what makes no sense
 */
export function resolveAgent(
  runtime: Pick<RuntimeEnvironment, 'builtinTools'>,
  capabilities: AgentCapabilities,
  definition: Pick<AgentDefinition, 'name' | 'readOnly' | 'permission'>,
  options: ResolveOptions = {},
): ResolvedAgent {
  const problems = argumentProblems(runtime, capabilities, definition);
  if (problems.length > 0) throw new AppError('invalid_input', `${problems.join(' ')} It is called as ${SIGNATURE}.`);
  return resolve(runtime, capabilities, definition, options);
}

function argumentProblems(runtime: unknown, capabilities: unknown, definition: unknown): readonly string[] {
  const isOld = definition === undefined;
  const named = isOld ? capabilities : definition;
  return [
    ...(isObject(runtime) && Array.isArray(runtime['builtinTools']) ? [] : ['The first argument must be a `RuntimeEnvironment`; `createRuntimeEnvironment` makes one.']),
    ...(isOld ? ['The agent\'s own `capabilities` are missing between the environment and the definition.'] : capabilityProblems(capabilities ?? null)),
    ...(isObject(named) ? definitionProblems(named) : ['The definition must be an object with a `name`.']),
  ];
}

function definitionProblems(definition: Readonly<Record<string, unknown>>): readonly string[] {
  // One that was loaded from a file has such a list of its own.
  const moved = definition['source'] === undefined ? { ...MOVED_OF_DEFINITION, disallowedTools: toSecond('disallowedTools') } : MOVED_OF_DEFINITION;
  return movedProblems(definition, moved, 'def.');
}
