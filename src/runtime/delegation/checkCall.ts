import { modelProblem } from '../agent/modelChoice.ts';
import { isAppError } from '../base/errors.ts';
import { findDefinition } from '../definitions/names.ts';
import type { DelegationDeps } from './deps.ts';
import type { DispatchRequest } from './requests.ts';
import { resolveRound, type ResumeAnswer } from './rounds.ts';
import { namesTask, taskProblem } from './tracking.ts';
import { validateCall, type ValidTask, type WorktreeAnswer } from './validate.ts';

/**
 * Checks a call against definitions and task list as they are at this moment. `resumed`: what was found of the runs
 * that its tasks continue. Rejects with `invalid_input` naming every problem; then tells which definitions were refused.
 */
export async function checkCall(request: DispatchRequest, resumed: ReadonlyMap<string, ResumeAnswer>, deps: DelegationDeps): Promise<readonly ValidTask[]> {
  const { sessionId, tasks, others, by, wait } = request;
  const { definitions, refreshDefinitions, refusal, publish, tasks: list, limits, resolveChild, today } = deps;
  await refreshDefinitions?.();
  // The named tasks may have come from another window.
  if (list !== undefined && namesTask(tasks)) await list.load();
  const worktree = wantsWorktree(tasks, deps) ? await planWorktree(request, deps) : undefined;
  const refused = new Set<string>();
  try {
    return validateCall(
      { ...others, tasks },
      {
        definitions: definitions(),
        ...(refusal !== undefined && { refusal }),
        onRefused: ({ name }) => refused.add(name),
        allowHidden: by === 'person',
        waits: wait !== undefined,
        maxTasks: limits().maxTasksPerCall,
        resolveChild: (definition, task) => resolveChild(definition, task, request),
        modelProblem: (model) => modelProblem(model, today(request).models),
        resumable: (id) => resumed.get(id) ?? { ok: false, reason: 'not_found', problem: `there is no subagent ${id}.` },
        resolveRound: (run, model) => resolveRound(run, model, today(request)),
        ...(worktree && { worktree }),
        ...(list !== undefined && { taskProblem: (id: string) => taskProblem(list, id) }),
      },
    );
  } finally {
    if (refused.size > 0) publish({ type: 'definitions.refused', sessionId, names: [...refused] });
  }
}

/** True where some task of a call, checked or not, is for a definition whose children work in worktrees. */
function wantsWorktree(tasks: unknown, { definitions }: DelegationDeps): boolean {
  if (!Array.isArray(tasks)) return false;
  return tasks.some((task: unknown) => {
    const type: unknown = typeof task === 'object' && task !== null && 'subagent_type' in task ? task.subagent_type : undefined;
    return findDefinition(definitions(), typeof type === 'string' && type.trim() !== '' ? type.trim() : undefined)?.isolation !== undefined;
  });
}

/** From what a worktree of that folder can be made, or why none can; nothing where nobody makes any. */
export async function planWorktree({ cwd }: Pick<DispatchRequest, 'cwd'>, { worktrees }: Pick<DelegationDeps, 'worktrees'>): Promise<WorktreeAnswer | undefined> {
  try {
    return worktrees && { ok: true, plan: await worktrees.plan(cwd) };
  } catch (error) {
    if (isAppError(error)) return { ok: false, problem: error.message };
    throw error;
  }
}
