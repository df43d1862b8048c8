import { isObject } from '../agent/capabilityChecks.ts';
import { movedProblems, type MovedOptions } from '../agent/movedOptions.ts';
import { countProblems } from '../agent/requestChecks.ts';
import { AppError } from '../base/errors.ts';
import type { AgentOptions } from '../domain/agentApi.ts';
import type { RuntimeOptions } from '../domain/environment.ts';
import { optionProblems } from '../optionChecks.ts';

const toRuntime = (name: keyof RuntimeOptions) => (): string => `belongs to \`runtime\`: \`createRuntimeEnvironment({ ${name}, … })\``;

const MOVED_OF_AGENT: MovedOptions = {
  env: () => 'is now `runtime`, or belongs to it as the variables of shell commands: `createRuntimeEnvironment({ env, … })`',
  ...Object.fromEntries((['cwd', 'roots', 'provider', 'model', 'storageDir', 'builtinTools'] as const).map((name) => [name, toRuntime(name)])),
  rootMaxTurns: () => 'is `maxTurns`',
};

/** Throws one `invalid_input` that names everything that is wrong with the options of an `Agent` or a `query`. */
export function checkAgentOptions(options: AgentOptions): void {
  const problems = isObject(options) ? problemsOf(options) : ['The options must be an object with `runtime`.'];
  if (problems.length > 0) throw new AppError('invalid_input', problems.join(' '));
}

function problemsOf({ runtime, maxTurns, childMaxTurns, onApproval, ...options }: AgentOptions): readonly string[] {
  return [
    ...runtimeProblems(runtime),
    ...movedProblems(options, MOVED_OF_AGENT),
    ...(maxTurns === undefined ? [] : countProblems('maxTurns', maxTurns)),
    ...(childMaxTurns === undefined ? [] : countProblems('childMaxTurns', childMaxTurns)),
    ...(onApproval === undefined || typeof onApproval === 'function' ? [] : ['`onApproval` must be a function.']),
    ...optionProblems(withoutMoved(options)),
  ];
}

function runtimeProblems(runtime: unknown): readonly string[] {
  if (!isObject(runtime) || !Array.isArray(runtime['builtinTools']) || !isObject(runtime['provider'])) return ['`runtime` must be a `RuntimeEnvironment`; `createRuntimeEnvironment` makes one.'];
  return optionProblems({ ...runtime });
}

/** What stands in the wrong place is told once. */
function withoutMoved(options: object): object {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !Object.hasOwn(MOVED_OF_AGENT, name)));
}
