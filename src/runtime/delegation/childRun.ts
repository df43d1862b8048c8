import { deferred } from '../base/async.ts';
import { errorText, isAppError } from '../base/errors.ts';
import type { ChildSpec, GroupSpec, RunOutcome } from '../domain/agents.ts';
import type { AgentDefinition } from '../domain/definitions.ts';
import type { ChildKey, Publish } from '../domain/events.ts';
import type { ModelRef } from '../domain/models.ts';
import type { TrackedTaskStatus } from '../domain/trackedTasks.ts';
import { checkedOutcome, isFatalForProvider, thrownOutcome } from './outcomes.ts';
import type { ChildPool } from './pool.ts';
import type { TaskList } from './tracking.ts';

/** Runs one child from its first turn to its end. What it throws is a failure; it settles only when everything has stopped. */
export type RunChild = (spec: ChildSpec, group: GroupSpec, definition: AgentDefinition, signal: AbortSignal) => Promise<RunOutcome>;

export interface ChildRunDeps {
  readonly publish: Publish;
  readonly pool: ChildPool;
  readonly runChild: RunChild;
  readonly tasks?: TaskList;
  /** Called with a failure that ends everything on the model's endpoint, while the failed child still holds its slot. */
  readonly onEndpointFailed: (model: ModelRef, outcome: RunOutcome) => void;
}

/** One child of a group: waits in the pool, runs, and settles exactly once, in whatever way it ends. */
export class ChildRun {
  readonly spec: ChildSpec;
  readonly #group: GroupSpec;
  readonly #definition: AgentDefinition;
  readonly #deps: ChildRunDeps;
  readonly #key: ChildKey;
  readonly #stop = new AbortController();
  readonly #done = deferred<RunOutcome>();
  #started = false;
  #outcome: RunOutcome | undefined;
  /** Given to a child that is refused its start. */
  #refusal: RunOutcome | undefined;
  #taskWrites: Promise<void> = Promise.resolve();

  constructor(spec: ChildSpec, group: GroupSpec, definition: AgentDefinition, deps: ChildRunDeps) {
    this.spec = spec;
    this.#group = group;
    this.#definition = definition;
    this.#deps = deps;
    this.#key = { sessionId: group.sessionId, groupId: group.groupId, agentId: spec.agentId };
  }

  get status(): 'queued' | 'running' | RunOutcome['status'] {
    return this.#outcome?.status ?? (this.#started ? 'running' : 'queued');
  }

  /** Resolves when the child has settled and its tracked task is stored. Never rejects. */
  get done(): Promise<RunOutcome> {
    return this.#done.promise;
  }

  /** Queues the child. Called once. */
  async start(): Promise<void> {
    const { signal } = this.#stop;
    let outcome: RunOutcome;
    try {
      outcome = await this.#deps.pool.run(() => this.#run(signal), signal);
    } catch (error) {
      outcome = this.#settle(this.#refusal ?? thrownOutcome(error, signal.aborted));
    }
    await this.#taskWrites;
    this.#done.resolve(outcome);
  }

  /** Stops the child, wherever it is. Idempotent; resolves when it has really stopped. */
  async cancel(): Promise<void> {
    if (this.#outcome === undefined) this.#stop.abort();
    await this.#done.promise;
  }

  /** Ends a child that hasn't started with this outcome; any other is left alone. */
  refuseStart(outcome: RunOutcome): void {
    if (this.#started || this.#stop.signal.aborted) return;
    this.#refusal = outcome;
    this.#stop.abort();
  }

  /** Everything that follows from the outcome happens in here, before the slot goes to the next child. */
  async #run(signal: AbortSignal): Promise<RunOutcome> {
    this.#started = true;
    this.#deps.publish({ type: 'child.started', ...this.#key });
    this.#moveTask('in_progress');
    const outcome = this.#settle(await this.#attempt(signal));
    if (isFatalForProvider(outcome)) this.#deps.onEndpointFailed(this.spec.model, outcome);
    return outcome;
  }

  async #attempt(signal: AbortSignal): Promise<RunOutcome> {
    // Whoever heard of the start may have cancelled it already.
    if (signal.aborted) return { status: 'cancelled' };
    try {
      return checkedOutcome(await this.#deps.runChild(this.spec, this.#group, this.#definition, signal));
    } catch (error) {
      return thrownOutcome(error, signal.aborted);
    }
  }

  #settle(outcome: RunOutcome): RunOutcome {
    if (this.#outcome !== undefined) return this.#outcome;
    this.#outcome = outcome;
    this.#deps.publish({ type: 'child.settled', ...this.#key, outcome });
    if (outcome.status === 'failed') this.#moveTask('failed', outcome.message);
    else this.#moveTask(outcome.status === 'completed' ? 'review' : 'cancelled');
    return outcome;
  }

  #moveTask(to: TrackedTaskStatus, reason?: string): void {
    const { tasks, publish } = this.#deps;
    const { taskId } = this.spec;
    if (tasks === undefined || taskId === undefined) return;
    const move = async (): Promise<void> => {
      // Where the start couldn't be stored, the result still gets its review.
      if (to === 'review' && tasks.get(taskId)?.status === 'pending') await tasks.transition(taskId, 'in_progress', 'runtime');
      await tasks.transition(taskId, to, 'runtime', reason);
    };
    this.#taskWrites = this.#taskWrites.then(move).catch((error: unknown) => {
      // The list has reported its own failures; a task that somebody else moved meanwhile is told here.
      if (!isAppError(error, 'unavailable')) publish({ type: 'problem', message: `Task of ${this.spec.displayName}: ${errorText(error)}` });
    });
  }
}
