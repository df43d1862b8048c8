import { dirname } from 'node:path';
import type { WorktreeLimits } from '../domain/ports.ts';
import { withGitSettings } from './shellEnv.ts';

/** By which git would work somewhere else than in the folder where it is called. */
const STEERING = [
  'GIT_DIR', 'GIT_WORK_TREE', 'GIT_COMMON_DIR', 'GIT_INDEX_FILE', 'GIT_OBJECT_DIRECTORY', 'GIT_ALTERNATE_OBJECT_DIRECTORIES', 'GIT_NAMESPACE', 'GIT_PREFIX', 'GIT_SHALLOW_FILE', 'GIT_GRAFT_FILE', 'GIT_REPLACE_REF_BASE',
];
/** A commit there runs no program of the repository's, and tidies nothing up in it. */
const SETTINGS = [['core.hooksPath', '/dev/null'], ['gc.auto', '0'], ['maintenance.auto', 'false']] as const;

/** The environment of a command of an agent with a worktree: git finds that one, and nothing above it. For others it is the same. */
export function worktreeEnvironment(env: Readonly<Record<string, string>>, worktree: WorktreeLimits | undefined): Readonly<Record<string, string>> {
  if (!worktree) return env;
  const rest = Object.fromEntries(Object.entries(env).filter(([name]) => !STEERING.includes(name.toUpperCase())));
  return withGitSettings({ ...rest, GIT_CEILING_DIRECTORIES: dirname(worktree.top) }, SETTINGS);
}
