import { errorText, isAppError } from '../base/errors.ts';
import type { ChildSpec, ChildView, RunOutcome } from '../domain/agents.ts';
import type { Publish } from '../domain/events.ts';
import type { TrackedTask, TrackedTaskStatus } from '../domain/trackedTasks.ts';
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
    this.#move(goesOn || this.#spec.round > 1, (tasks, id) => this.#begin(tasks, id));
  }

  /** `hasStarted`: false where the child never worked in this round, so that its task is as it was before. */
  settled(outcome: RunOutcome, hasStarted: boolean): void {
    this.#move(!hasStarted, async (tasks, id) => {
      if (hasStarted || isOpen(tasks.get(id))) await this.#end(tasks, id, outcome);
    });
  }

  /** The child ended its latest round on an earlier host, and the list may not have heard of it. */
  endedBefore(child: ChildView): void {
    this.#move(true, async (tasks, id) => {
      const outcome = endUnheard(child, tasks.get(id));
      if (outcome !== undefined) await this.#end(tasks, id, outcome);
    });
  }

  async #begin(tasks: TaskList, id: string): Promise<void> {
    const { round } = this.#spec;
    const now = tasks.get(id)?.status;
    if (now === 'in_progress') return;
    const reason = round > 1 ? `Its subagent goes on (round ${round}).` : now === 'pending' ? undefined : 'Its subagent is at work on it.';
    await reach('in_progress', tasks, id, reason);
  }

  /** Where the start couldn't be stored, or somebody moved the task meanwhile, the result still gets its review. */
  async #end(tasks: TaskList, id: string, outcome: RunOutcome): Promise<void> {
    const to = statusAfter(outcome);
    const now = tasks.get(id)?.status;
    if (now !== 'pending' || to === 'review') await this.#begin(tasks, id);
    await reach(to, tasks, id, outcome.status === 'failed' ? outcome.message : undefined);
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

/** After a start two may bring the same task in step: that the other was quicker is as well. */
async function reach(to: TrackedTaskStatus, tasks: TaskList, id: string, reason: string | undefined): Promise<void> {
  try {
    await tasks.transition(id, to, 'runtime', reason);
  } catch (error) {
    if (!isAppError(error, 'conflict') || tasks.get(id)?.status !== to) throw error;
  }
}

/** How a child ended where its task doesn't say so: it is open still, or what last became of it was before that end. Nothing where it says so, or where the child didn't end. */
export function endUnheard({ status, outcome, startedAt, settledAt = 0 }: ChildView, task: TrackedTask | undefined): RunOutcome | undefined {
  if (task === undefined || outcome?.status !== status) return undefined;
  // A round that never worked leaves the task as it was.
  const isLater = startedAt !== undefined && (task.history.at(-1)?.at ?? 0) < settledAt;
  return isLater || isOpen(task) ? outcome : undefined;
}

export function isOpen(task: TrackedTask | undefined): boolean {
  return task?.status === 'pending' || task?.status === 'in_progress';
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
