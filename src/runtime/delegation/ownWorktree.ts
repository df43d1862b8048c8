import { join, relative, sep } from 'node:path';
import type { AgentServices } from '../agent/services.ts';
import { errorText, isAppError } from '../base/errors.ts';
import type { ChildSpec, GroupSpec, WorktreeSpec } from '../domain/agents.ts';
import type { Publish } from '../domain/events.ts';
import type { ChangeWatch, WorktreeGuard, WorktreeLimits } from '../domain/ports.ts';
import type { FileChange } from '../domain/tools.ts';
import type { ChildTurn } from './childRun.ts';

/** The worktrees of children that run. */
export interface ChildWorktrees {
  /** Makes the child's worktree, or finds it as it was left, and says what holds for it. `isNew`: the child hasn't worked yet. Rejects with `not_found` where it is gone, and where it can't be made. */
  open(spec: ChildSpec, worktree: WorktreeSpec, group: GroupSpec, isNew: boolean, signal: AbortSignal): Promise<WorktreeGuard>;
  /** The run that it was opened for is over: others may look whether it can go. Idempotent; never rejects. */
  leave(agentId: string): Promise<void>;
  /** What differs in it by now, by the paths of the workspace. Never rejects: what can't be told is none. */
  changed(agentId: string): Promise<readonly FileChange[]>;
}

const MAX_NAMED = 5;

/**
 * What an agent with a worktree works with: files of it count as those of the workspace that they stand for, and
 * nothing of it is kept, since the worktree holds all. Commands are watched for what they change outside of it.
 */
export function inWorktree(services: AgentServices, limits: WorktreeLimits, guard: Pick<WorktreeGuard, 'leaveBranch'>): AgentServices {
  const { checkpoints: _, watch, filesOfWatched: __, publish, ...shared } = services;
  return { ...shared, publish: publishInWorktree(publish, limits), ...(watch && { watch: watchOutside(watch, limits, guard) }) };
}

/** Says which files of the worktree the child has changed by now, also by commands. */
export async function tellChanged({ spec, group }: ChildTurn, { worktrees, services }: { readonly worktrees?: ChildWorktrees; readonly services: Pick<AgentServices, 'publish'> }): Promise<void> {
  const changes = (await worktrees?.changed(spec.agentId)) ?? [];
  const { sessionId, groupId } = group;
  if (changes.length > 0) services.publish({ type: 'files.changed', agent: { kind: 'child', sessionId, groupId, agentId: spec.agentId, displayName: spec.displayName }, callId: 'worktree', changes });
}

/** Takes the worktree off a branch that some program put it on, so that no further commit moves that. Gives a note of it. Never rejects. */
export async function leaveBranch(guard: Pick<WorktreeGuard, 'leaveBranch'>): Promise<string | undefined> {
  try {
    const branch = await guard.leaveBranch();
    return branch === undefined ? undefined : `Its worktree was on the branch ${branch}, which its commits may have moved. It was taken off it, at the same commit: look at that branch.`;
  } catch (error) {
    return isAppError(error, 'not_found') ? undefined : `Whether its worktree is on a branch of yours could not be told: ${errorText(error)}`;
  }
}

function publishInWorktree(publish: Publish, { top, standsFor }: WorktreeLimits): Publish {
  return (event) => publish(event.type === 'files.changed' ? { ...event, changes: event.changes.map(({ path, kind }) => ({ path: path.startsWith(top + sep) ? join(standsFor, relative(top, path)) : path, kind })) } : event);
}

/** Rules are a guard, and what gets by them must not go unnoticed. */
function watchOutside(watch: ChangeWatch, { top }: WorktreeLimits, guard: Pick<WorktreeGuard, 'leaveBranch'>): ChangeWatch {
  const isIn = (path: string): boolean => path === top || path.startsWith(top + sep);
  return {
    async begin(folders, agentId) {
      const look = await watch.begin(folders.filter((folder) => !isIn(folder)), agentId);
      return {
        async end() {
          const { changes } = await look.end();
          const outside = [...new Set(changes.map(({ path }) => path))].filter((path) => !isIn(path));
          const written = outside.length > 0 ? `While a command of it ran, files outside of its worktree changed: ${listed(outside)}. It may have been the command, you, or somebody else: look at them.` : undefined;
          const unseen = [await leaveBranch(guard), written].filter((text) => text !== undefined).join(' ');
          return { changes: [], ...(unseen !== '' && { unseen }) };
        },
      };
    },
  };
}

function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, MAX_NAMED).join(', ');
  return paths.length > MAX_NAMED ? `${shown}, and ${paths.length - MAX_NAMED} more` : shown;
}
