import { isAppError } from '../../runtime/base/errors.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import type { Target } from '../commands/targets.ts';

/** The tasks among the targets that no known subagent has: there is nothing but the task itself to accept. */
export function tasksAlone(agent: Pick<LiteAgent, 'child'>, targets: readonly Target[]): readonly string[] {
  return targets.flatMap(({ taskId, agentId }) => (taskId === undefined || (agentId !== undefined && agent.child(agentId) !== undefined) ? [] : [taskId]));
}

/** Completes tasks that are in review. One that somebody else moved meanwhile counts as done. Rejects with the first other failure. */
export async function acceptTasks(agent: Pick<LiteAgent, 'tasks'>, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await agent.tasks.accept(id).catch((error: unknown) => {
      if (!isAppError(error, 'conflict')) throw error;
    });
  }
}
