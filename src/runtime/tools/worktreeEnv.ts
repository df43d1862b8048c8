import { dirname } from 'node:path';
import type { WorktreeLimits } from '../domain/ports.ts';
import { withGitSettings } from './shellEnv.ts';

/** By which git would work somewhere else than in the folder where it is called. */
const STEERING = [
  'GIT_DIR', 'GIT_WORK_TREE', 'GIT_COMMON_DIR', 'GIT_INDEX_FILE', 'GIT_OBJECT_DIRECTORY', 'GIT_ALTERNATE_OBJECT_DIRECTORIES', 'GIT_NAMESPACE', 'GIT_PREFIX', 'GIT_SHALLOW_FILE', 'GIT_GRAFT_FILE', 'GIT_REPLACE_REF_BASE',
  // By this `cd` would go elsewhere than it says.
  'CDPATH',
];
/**
 * A commit there runs no program of the repository's, and tidies nothing up in it. Whatever the user has set: no
 * harmless command moves branches along, keeps something where all worktrees share it, or works in submodules, and no
 * commit goes unrecorded.
 */
const SETTINGS = [
  ['core.hooksPath', '/dev/null'], ['gc.auto', '0'], ['maintenance.auto', 'false'],
  ['rebase.updateRefs', 'false'], ['rebase.autoStash', 'false'], ['merge.autoStash', 'false'], ['checkout.guess', 'false'], ['rerere.enabled', 'false'], ['submodule.recurse', 'false'], ['core.logAllRefUpdates', 'true'],
] as const;

/** The environment of a command of an agent with a worktree: git finds that one, and nothing above it. For others it is the same. */
export function worktreeEnvironment(env: Readonly<Record<string, string>>, worktree: WorktreeLimits | undefined): Readonly<Record<string, string>> {
  if (!worktree) return env;
  const rest = Object.fromEntries(Object.entries(env).filter(([name]) => !STEERING.includes(name.toUpperCase())));
  return withGitSettings({ ...rest, GIT_CEILING_DIRECTORIES: dirname(worktree.top) }, SETTINGS);
}
