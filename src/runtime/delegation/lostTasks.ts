import { isAppError } from '../base/errors.ts';
import type { ChildView } from '../domain/agents.ts';
import type { TrackedTask } from '../domain/trackedTasks.ts';
import type { TrackedTasks } from '../tasks/trackedTasks.ts';
import { isOpen } from './taskFollower.ts';

/** A task that is linked this long to a child that nobody knows has lost it: another window accepts one within moments. */
const LOST_AFTER_MS = 60_000;

export interface LostTasksOptions {
  readonly tasks: Pick<TrackedTasks, 'list' | 'transition'>;
  /** See `TaskMending`. */
  readonly child: (agentId: string) => Pick<ChildView, 'taskId'> | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Open tasks whose children never came to be, because their host died first. */
export class LostTasks {
  readonly #options: LostTasksOptions;
  /** Each is given up once: where that can't be stored, the next start does it. */
  readonly #found = new Set<string>();

  constructor(options: LostTasksOptions) {
    this.#options = options;
  }

  /** Gives up those that there are by now. Costs nothing where there are none. Rejects as the list does. */
  async giveUp(): Promise<void> {
    const { tasks } = this.#options;
    const lost = tasks.list().filter((task) => this.#isLost(task) && !this.#found.has(task.id));
    for (const { id } of lost) this.#found.add(id);
    for (const { id } of lost) {
      try {
        await tasks.transition(id, 'cancelled', 'runtime', 'Its subagent is not known any more.');
      } catch (error) {
        // Somebody has moved it meanwhile, so it isn't lost.
        if (!isAppError(error, 'conflict')) throw error;
      }
    }
  }

  #isLost(task: TrackedTask): boolean {
    const { child, now } = this.#options;
    return isOpen(task) && task.agentId !== undefined && task.updatedAt + LOST_AFTER_MS < now() && child(task.agentId)?.taskId !== task.id;
  }
}
