import { errorText } from './base/errors.ts';
import { LostTasks } from './delegation/lostTasks.ts';
import { mendTasks } from './delegation/taskMending.ts';
import type { ChildView, GroupView } from './domain/agents.ts';
import type { Publish } from './domain/events.ts';
import type { Log } from './domain/ports.ts';
import type { TrackedTasks } from './tasks/trackedTasks.ts';

export interface TaskCareParts {
  readonly tasks: TrackedTasks;
  readonly archive: { child(agentId: string): ChildView | undefined; group(groupId: string): GroupView | undefined };
  readonly publish: Publish;
  readonly log: Log;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Keeps the task list in step with the children that work on it, and with other windows. */
export class TaskCare {
  readonly #parts: TaskCareParts;
  /** From when all children are known. */
  #lost: LostTasks | undefined;

  constructor(parts: TaskCareParts) {
    this.#parts = parts;
  }

  /** All children are known: brings tasks in step with those that ended unseen. Rejects where the list can't be stored. */
  async mend(): Promise<void> {
    const { tasks, archive, publish, now } = this.#parts;
    this.#lost = new LostTasks({ tasks, child: (agentId) => archive.child(agentId), now });
    await mendTasks({ tasks, child: (agentId) => archive.child(agentId), isElsewhere: ({ roundGroupId }) => archive.group(roundGroupId)?.isElsewhere === true, publish });
    await this.giveUpLost();
  }

  /** Gives up tasks whose children nobody knows. Never rejects: a list that can't be stored has told of it itself. */
  async giveUpLost(): Promise<void> {
    await this.#lost?.giveUp().catch((error: unknown) => this.#parts.log.warn(`tasks: ${errorText(error)}`));
  }

  /** Takes in what other windows did. Never rejects: where the list can't be read, what is known of it stays, and whoever changes it hears of that. */
  async refresh(): Promise<void> {
    await this.#parts.tasks.load().catch((error: unknown) => this.#parts.log.warn(`tasks: ${errorText(error)}`));
  }
}
