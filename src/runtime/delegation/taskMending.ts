import type { ChildView } from '../domain/agents.ts';
import type { Publish } from '../domain/events.ts';
import type { TrackedTasks } from '../tasks/trackedTasks.ts';
import { endUnheard, TaskFollower } from './taskFollower.ts';

export interface TaskMending {
  readonly tasks: TrackedTasks;
  /** A child that this window answers for, or another one's; nothing for one that is known nowhere. */
  readonly child: (agentId: string) => ChildView | undefined;
  readonly isElsewhere: (child: ChildView) => boolean;
  readonly publish: Publish;
}

/** Brings tasks in step with their children after a start: those whose end the list never heard of, because it couldn't be stored. Never rejects. */
export async function mendTasks({ tasks, child: find, isElsewhere, publish }: TaskMending): Promise<void> {
  for (const task of tasks.list()) {
    const child = task.agentId === undefined ? undefined : find(task.agentId);
    if (child?.taskId !== task.id || endUnheard(child, task) === undefined || isElsewhere(child)) continue;
    const follower = new TaskFollower(child, tasks, publish);
    follower.endedBefore(child);
    await follower.stored();
  }
}
