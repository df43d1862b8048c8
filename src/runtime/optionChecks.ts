import { isAbsolute } from 'node:path';
import { modelProblems } from './agent/modelChecks.ts';
import { AppError } from './base/errors.ts';
import { DELEGATION_TOOLS } from './definitions/toolNames.ts';
import type { LiteAgentOptions } from './domain/liteAgent.ts';

const COUNTS = ['maxParallelSubagents', 'maxTasksPerCall', 'maxTurns'] as const;
const LIMITS = ['maxDurationMs', 'toolMs', 'toolIdleMs', 'streamIdleMs'] as const;
const FOLDERS = ['cwd', 'storageDir'] as const;

/** Throws one `invalid_input` that names every option which makes no sense. A limit such as `NaN` would be none: nothing exceeds it. */
export function checkOptions(options: Partial<LiteAgentOptions>): void {
  const problems = [
    ...COUNTS.filter((name) => options[name] !== undefined && !isCount(options[name])).map((name) => `${name} must be a whole number of at least 1, not ${String(options[name])}.`),
    ...LIMITS.filter((name) => options.timeLimits?.[name] !== undefined && !isLimit(options.timeLimits[name])).map((name) => `timeLimits.${name} must be a number of milliseconds, 0 for no limit, not ${String(options.timeLimits?.[name])}.`),
    ...FOLDERS.filter((name) => options[name] !== undefined && !isAbsolute(options[name])).map((name) => `${name} must be an absolute path, not ${JSON.stringify(options[name])}.`),
    ...(options.roots ?? []).filter((root) => !isAbsolute(root)).map((root) => `roots must be absolute paths, not ${JSON.stringify(root)}.`),
    ...modelProblems(options),
    ...(options.delegationTools ?? []).filter((name) => !DELEGATION_TOOLS.includes(name)).map((name) => `delegationTools must be of ${DELEGATION_TOOLS.join(', ')}, not ${JSON.stringify(name)}.`),
  ];
  if (problems.length > 0) throw new AppError('invalid_input', problems.join(' '));
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1;
}

function isLimit(value: unknown): boolean {
  return Number.isFinite(value) && Number(value) >= 0;
}
