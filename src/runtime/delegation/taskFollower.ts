import { errorText, isAppError } from '../base/errors.ts';
import type { ChildSpec, RunOutcome } from '../domain/agents.ts';
import type { Publish } from '../domain/events.ts';
import type { TrackedTaskStatus } from '../domain/trackedTasks.ts';
import type { TaskList } from './tracking.ts';

/** Moves the tracked task of one child as the child goes. Its writes come in order; none of them ever fails a child. */
export class TaskFollower {
  readonly #spec: ChildSpec;
  readonly #tasks: TaskList | undefined;
  readonly #publish: Publish;
  #writes: Promise<void> = Promise.resolve();

  constructor(spec: ChildSpec, tasks: TaskList | undefined, publish: Publish) {
    this.#spec = spec;
    this.#tasks = tasks;
    this.#publish = publish;
  }

  /** Resolves when everything so far is stored, or has failed and been told. */
  stored(): Promise<void> {
    return this.#writes;
  }

  /** The child works. In a later round, or where it `goesOn` after an interruption, its task may have been anywhere. */
  started(goesOn: boolean): void {
    const { round } = this.#spec;
    this.#move(goesOn || round > 1, async (tasks, id) => {
      if (tasks.get(id)?.status !== 'in_progress') await tasks.transition(id, 'in_progress', 'runtime', round > 1 ? `Its subagent goes on (round ${round}).` : undefined);
    });
  }

  /** `hasStarted`: false where the child never worked in this round, so that its task is as it was before. */
  settled(outcome: RunOutcome, hasStarted: boolean): void {
    const to = statusAfter(outcome);
    const reason = outcome.status === 'failed' ? outcome.message : undefined;
    this.#move(!hasStarted, async (tasks, id) => {
      const now = tasks.get(id)?.status;
      if (!hasStarted && now !== 'pending' && now !== 'in_progress') return;
      // Where the start couldn't be stored, the result still gets its review.
      if (to === 'review' && now === 'pending') await tasks.transition(id, 'in_progress', 'runtime');
      await tasks.transition(id, to, 'runtime', reason);
    });
  }

  /** `looks`: whether others may have moved the task since this host last saw it. */
  #move(looks: boolean, move: (tasks: TaskList, id: string) => Promise<void>): void {
    const tasks = this.#tasks;
    const { taskId, displayName } = this.#spec;
    if (tasks === undefined || taskId === undefined) return;
    // A look that fails shows in the change after it, which fails for the same reason.
    const look = (): Promise<void> | undefined => (looks ? tasks.load().catch(() => undefined) : undefined);
    this.#writes = this.#writes.then(look).then(() => move(tasks, taskId)).catch((error: unknown) => {
      // The list has reported its own failures; a task that somebody else moved meanwhile is told here.
      if (!isAppError(error, 'unavailable')) this.#publish({ type: 'problem', message: `Task of ${displayName}: ${errorText(error)}` });
    });
  }
}

function statusAfter(outcome: RunOutcome): TrackedTaskStatus {
  switch (outcome.status) {
    case 'completed':
      return 'review';
    case 'failed':
    case 'cancelled':
      return outcome.status;
  }
}
