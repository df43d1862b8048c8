import { isAbsolute } from 'node:path';
import { isObject } from './agent/capabilityChecks.ts';
import { modelProblems } from './agent/modelChecks.ts';
import { MOVED_OF_ROOT, movedProblems } from './agent/movedOptions.ts';
import { countProblems, rootProblems } from './agent/requestChecks.ts';
import { AppError } from './base/errors.ts';
import { DELEGATION_TOOLS } from './definitions/toolNames.ts';
import type { LiteAgentOptions } from './domain/liteAgent.ts';
import { entryProblems } from './entryChecks.ts';
import { serviceProblems } from './serviceChecks.ts';

const COUNTS = ['maxParallelSubagents', 'maxTasksPerCall', 'maxTurns', 'rootMaxTurns'] as const;
const LIMITS = ['maxDurationMs', 'toolMs', 'toolIdleMs', 'streamIdleMs'] as const;
const BUDGETS = ['tokens', 'cost'] as const;
const FOLDERS = ['cwd', 'storageDir'] as const;
const ROOT_REVIEWS: Readonly<Record<NonNullable<LiteAgentOptions['rootReviews']>, true>> = { unchanged: true, always: true, never: true };
const REQUIRED = [...FOLDERS, 'provider', 'model'] as const;

/** Throws one `invalid_input` that names everything that is wrong with the options of a new agent. */
export function checkNewAgent(options: LiteAgentOptions): void {
  const missing = isObject(options) ? REQUIRED.filter((name) => options[name] === undefined) : REQUIRED;
  assertNone([...missing.map((name) => `\`${name}\` is required.`), ...(isObject(options) ? optionProblems(options) : [])]);
}

/** Throws one `invalid_input` that names every option which makes no sense. */
export function checkOptions(options: Partial<LiteAgentOptions>): void {
  assertNone(optionProblems(options));
}

/** What is wrong with the options that are given, a sentence each. A limit such as `NaN` would be none: nothing exceeds it. */
export function optionProblems(options: Partial<LiteAgentOptions>): readonly string[] {
  const { timeLimits, deferToolsOver } = options;
  return [
    ...movedProblems(options, MOVED_OF_ROOT),
    ...COUNTS.flatMap((name) => (options[name] === undefined ? [] : countProblems(name, options[name]))),
    ...LIMITS.filter((name) => timeLimits?.[name] !== undefined && !isLimit(timeLimits[name])).map((name) => `timeLimits.${name} must be a number of milliseconds, 0 for no limit, not ${String(timeLimits?.[name])}.`),
    ...BUDGETS.filter((name) => options.budget?.[name] !== undefined && !isAmount(options.budget[name])).map((name) => `budget.${name} must be a number above 0, not ${String(options.budget?.[name])}.`),
    ...(deferToolsOver !== undefined && !isLimit(deferToolsOver) ? [`deferToolsOver must be a number of bytes, not ${String(deferToolsOver)}.`] : []),
    ...FOLDERS.filter((name) => options[name] !== undefined && !isAbsolutePath(options[name])).map((name) => `${name} must be an absolute path, not ${JSON.stringify(options[name])}.`),
    ...(options.rootReviews !== undefined && !isRootReview(options.rootReviews) ? [`rootReviews must be one of ${Object.keys(ROOT_REVIEWS).join(', ')}, not ${String(options.rootReviews)}.`] : []),
    ...(options.roots ?? []).filter((root) => !isAbsolutePath(root)).map((root) => `roots must be absolute paths, not ${JSON.stringify(root)}.`),
    ...modelProblems(options),
    ...delegationProblems(options.delegationTools),
    ...folderProblems('agents', options.agents === false ? undefined : options.agents, 'definitions', '`subAgents`'),
    ...folderProblems('skills', options.skills, 'skills', '`capabilities.skills`'),
    ...environmentProblems(options.env),
    ...serviceProblems(options),
    ...rootProblems(options),
    ...entryProblems(options.subAgents),
  ];
}

function assertNone(problems: readonly string[]): void {
  if (problems.length > 0) throw new AppError('invalid_input', problems.join(' '));
}

function delegationProblems(names: unknown): readonly string[] {
  if (names === undefined || (Array.isArray(names) && names.every((name: unknown) => DELEGATION_TOOLS.some((tool) => tool === name)))) return [];
  return [`\`delegationTools\` must be a list of ${DELEGATION_TOOLS.join(', ')}.`];
}

/** `inCode`: where the same things are given that aren't in folders. */
function folderProblems(name: string, folders: unknown, what: string, inCode: string): readonly string[] {
  if (folders === undefined || (isObject(folders) && Object.values(folders).every((folder) => folder === undefined || isAbsolutePath(folder)))) return [];
  return [`\`${name}\` must be absolute paths of folders of ${what} by source. Those that are given in code belong in ${inCode}.`];
}

function environmentProblems(env: unknown): readonly string[] {
  if (env === undefined || (isObject(env) && Object.values(env).every((value) => value === undefined || typeof value === 'string'))) return [];
  return ['`env` must be variables for shell commands, each a text. What all agents share is given by the options themselves, and to `Agent` and `query` as `runtime`.'];
}

function isAbsolutePath(value: unknown): boolean {
  return typeof value === 'string' && isAbsolute(value);
}

function isRootReview(value: unknown): boolean {
  return typeof value === 'string' && Object.hasOwn(ROOT_REVIEWS, value);
}

function isAmount(value: unknown): boolean {
  return Number.isFinite(value) && Number(value) > 0;
}

function isLimit(value: unknown): boolean {
  return Number.isFinite(value) && Number(value) >= 0;
}
