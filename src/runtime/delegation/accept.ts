import { AppError } from '../base/errors.ts';
import type { ChildSpec, ChildView, GroupSpec } from '../domain/agents.ts';
import type { WorktreePlans } from './deps.ts';
import { newAgentId, newGroupId } from './names.ts';
import { trackChildren, type TaskList } from './tracking.ts';
import type { ValidTask } from './validate.ts';

/** Gives a claim up. Never rejects. */
export type Release = () => Promise<void>;

/** Makes sure that no other window starts the same round; nothing where one does. */
export type ClaimRound = (agentId: string, round: number) => Promise<Release | undefined>;

/** Claims the rounds that a call starts, all or none. Rejects with `conflict` where another window continues one of the runs. */
export async function claimRounds(valid: readonly ValidTask[], claim: ClaimRound, child: (agentId: string) => ChildView | undefined): Promise<Release> {
  const claims: Release[] = [];
  const releaseAll = async (): Promise<void> => {
    await Promise.all(claims.map((release) => release()));
  };
  for (const { run } of valid) {
    if (!run) continue;
    const { view } = run;
    const release = await claim(view.agentId, view.round + 1);
    if (release) claims.push(release);
    // It may have gone on elsewhere right before the claim.
    const now = child(view.agentId);
    if (release && now?.round === view.round && now.status === view.status) continue;
    await releaseAll();
    throw new AppError('conflict', `${view.displayName} (${view.agentId}) is being continued in another window.`);
  }
  return releaseAll;
}

/** The group of a valid call, with ids, and tracked tasks where there is a list. Rejects as the list does. */
export async function specifyGroup(place: Pick<GroupSpec, 'sessionId' | 'cwd'>, valid: readonly ValidTask[], tasks: TaskList | undefined, worktrees?: WorktreePlans): Promise<GroupSpec> {
  const groupId = newGroupId();
  const children = await Promise.all(valid.map((task) => specifyChild(task, worktrees)));
  return { groupId, sessionId: place.sessionId, cwd: place.cwd, children: await trackChildren(tasks, groupId, children) };
}

/** The child of a valid task, with an id of its own where it is new. */
export async function specifyChild({ task, definition, model, maxTurns, tools, notes, run, plan }: ValidTask, worktrees: WorktreePlans | undefined): Promise<ChildSpec> {
  const common = { definition: definition.name, model, prompt: task.prompt, maxTurns, tools, ...(notes.length > 0 && { notes }) };
  if (!run) {
    const agentId = newAgentId(definition.name);
    const worktree = plan && (await worktrees?.specify(agentId, plan));
    return { agentId, displayName: task.display_name, ...common, round: 1, ...(worktree && { worktree }), ...(task.task_id !== undefined && { taskId: task.task_id }) };
  }
  const { agentId, displayName, taskId, worktree, round: before } = run.view;
  // It keeps its name too: people know its row by it.
  return { agentId, displayName, ...common, round: before + 1, ...(worktree && { worktree }), ...(taskId !== undefined && { taskId }) };
}
