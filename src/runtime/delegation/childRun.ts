import { INTERRUPTION, isInterruption } from '../base/abort.ts';
import { deferred } from '../base/async.ts';
import type { ChildSpec, ChildStatus, ChildView, GroupSpec, RunOutcome } from '../domain/agents.ts';
import type { AgentDefinition } from '../domain/definitions.ts';
import type { ChildKey, Publish } from '../domain/events.ts';
import type { ModelRef } from '../domain/models.ts';
import type { OverBudget } from '../domain/usage.ts';
import { budgetOutcome } from './budget.ts';
import { checkedOutcome, isFatalForProvider, thrownOutcome } from './outcomes.ts';
import type { ChildPool } from './pool.ts';
import { TaskFollower } from './taskFollower.ts';
import type { TaskList } from './tracking.ts';

/** A child on its way into its conversation. */
export interface ChildTurn {
  readonly spec: ChildSpec;
  readonly group: GroupSpec;
  /** As it was when the child was accepted; absent where an earlier host didn't store it. */
  readonly definition?: AgentDefinition;
  /** True where an interrupted child goes on in its group. */
  readonly goesOn: boolean;
  /** What is said to it as it goes on. */
  readonly prompt?: string;
  /** Why its group may use no more, in a sentence; nothing while it may. */
  readonly overBudget: OverBudget;
}

/** Runs one child from where its conversation stands to its end. What it throws is a failure; it settles only when everything has stopped. */
export type RunChild = (turn: ChildTurn, signal: AbortSignal) => Promise<RunOutcome>;

export interface ChildRunDeps {
  readonly publish: Publish;
  readonly pool: ChildPool;
  readonly runChild: RunChild;
  readonly tasks?: TaskList;
  /** What is known of a child by now, in whatever round it is. */
  readonly child: (agentId: string) => ChildView | undefined;
  /** See `ChildTurn`. */
  readonly overBudget: OverBudget;
  /** Called with a failure that ends everything on the model's endpoint, while the failed child still holds its slot. */
  readonly onEndpointFailed: (model: ModelRef, outcome: RunOutcome) => void;
}

/** What a child is made of: fresh, or as a log tells it. */
export interface ChildStart {
  readonly spec: ChildSpec;
  readonly definition?: AgentDefinition;
  /** How far it came on an earlier host. Absent: it is new. */
  readonly before?: { readonly hasStarted: boolean; readonly outcome?: RunOutcome };
}

/** With what an interrupted child goes on: words for it, another model. */
export interface Continuation {
  readonly prompt?: string;
  readonly spec?: ChildSpec;
}

/** One child of a group: waits in the pool, runs, may be interrupted and go on, and settles exactly once, in whatever way it ends. */
export class ChildRun {
  #spec: ChildSpec;
  readonly #group: GroupSpec;
  readonly #definition: AgentDefinition | undefined;
  readonly #deps: ChildRunDeps;
  readonly #key: ChildKey;
  readonly #tasks: TaskFollower;
  #turn: ChildTurn;
  #stop = new AbortController();
  #status: Exclude<ChildStatus, RunOutcome['status']> = 'queued';
  #hasStarted: boolean;
  #outcome: RunOutcome | undefined;
  /** Given to a child that is refused its start. */
  #refusal: RunOutcome | undefined;
  /** Ends when the child has stopped, for good or for now. */
  #stopped = deferred<void>();

  constructor({ spec, definition, before }: ChildStart, group: GroupSpec, deps: ChildRunDeps) {
    this.#spec = spec;
    this.#definition = definition;
    this.#group = group;
    this.#deps = deps;
    this.#key = { sessionId: group.sessionId, groupId: group.groupId, agentId: spec.agentId };
    this.#tasks = new TaskFollower(spec, deps.tasks, deps.publish);
    this.#turn = { spec, group, goesOn: false, overBudget: deps.overBudget };
    this.#hasStarted = before?.hasStarted ?? false;
    this.#outcome = before?.outcome;
    if (!before) return;
    this.#status = 'interrupted';
    this.#stopped.resolve();
  }

  get spec(): ChildSpec {
    return this.#spec;
  }

  /** See `ChildTurn`. */
  get definition(): AgentDefinition | undefined {
    return this.#definition;
  }

  get status(): ChildStatus {
    return this.#outcome?.status ?? this.#status;
  }

  get outcome(): RunOutcome | undefined {
    return this.#outcome;
  }

  /** Announces that the child waits, for the first time or after an interruption. `start` follows. */
  queue({ prompt, spec }: Continuation = {}): void {
    const goesOn = this.#status === 'interrupted';
    if (goesOn) {
      this.#stop = new AbortController();
      this.#stopped = deferred<void>();
    }
    if (spec) this.#spec = spec;
    this.#status = 'queued';
    this.#turn = { spec: this.#spec, group: this.#group, goesOn, overBudget: this.#deps.overBudget, ...(this.#definition && { definition: this.#definition }), ...(prompt !== undefined && { prompt }) };
    this.#deps.publish({ type: 'child.queued', ...this.#key, ...(spec && { spec }) });
  }

  /** Runs the queued child in its turn. Resolves when it has stopped and its tracked task is stored. Never rejects. */
  async start(): Promise<void> {
    const { signal } = this.#stop;
    try {
      await this.#deps.pool.run(() => this.#run(signal), signal);
    } catch (error) {
      this.#end(this.#refusal ?? thrownOutcome(error, signal.aborted), signal);
    }
    await this.#tasks.stored();
    this.#stopped.resolve();
  }

  /** Settles the child, wherever it is. Idempotent; resolves when it has really stopped. */
  async cancel(): Promise<void> {
    if (this.status === 'interrupted') {
      this.#settle({ status: 'cancelled' });
      await this.#tasks.stored();
    } else if (this.#outcome === undefined) {
      this.#stop.abort();
    }
    await this.#stopped.promise;
  }

  /** Stops the child for now. Idempotent; resolves when it has really stopped. */
  async interrupt(): Promise<void> {
    if (this.#outcome === undefined && this.#status !== 'interrupted') this.#stop.abort(INTERRUPTION);
    await this.#stopped.promise;
  }

  /** Ends a child that hasn't started with this outcome; any other is left alone. */
  refuseStart(outcome: RunOutcome): void {
    if (this.status !== 'queued' || this.#stop.signal.aborted) return;
    this.#refusal = outcome;
    this.#stop.abort();
  }

  /** Says of a child that an earlier host left behind what is known of it now. Resolves when its tracked task is stored. */
  takeOver(wasInterrupted: boolean): Promise<void> {
    const { agentId, round } = this.#spec;
    const now = this.#deps.child(agentId);
    // Its host may have died before the task list had heard of the end. In a later round the task is no more this one's.
    if (this.#outcome) {
      if (now?.round === round) this.#tasks.endedBefore(now);
    } else if (!wasInterrupted) this.#deps.publish({ type: 'child.interrupted', ...this.#key });
    return this.#tasks.stored();
  }

  /** Everything that follows from the outcome happens in here, before the slot goes to the next child. */
  async #run(signal: AbortSignal): Promise<void> {
    const used = this.#deps.overBudget();
    if (used !== undefined) {
      this.#settle(budgetOutcome(used));
      return;
    }
    this.#status = 'running';
    this.#hasStarted = true;
    this.#deps.publish({ type: 'child.started', ...this.#key });
    this.#tasks.started(this.#turn.goesOn);
    const outcome = this.#end(await this.#attempt(signal), signal);
    if (outcome && isFatalForProvider(outcome)) this.#deps.onEndpointFailed(this.#spec.model, outcome);
  }

  async #attempt(signal: AbortSignal): Promise<RunOutcome> {
    // Whoever heard of the start may have cancelled it already.
    if (signal.aborted) return { status: 'cancelled' };
    try {
      return checkedOutcome(await this.#deps.runChild(this.#turn, signal));
    } catch (error) {
      return thrownOutcome(error, signal.aborted);
    }
  }

  /** The outcome, or nothing where the run was only interrupted. */
  #end(outcome: RunOutcome, signal: AbortSignal): RunOutcome | undefined {
    if (outcome.status !== 'cancelled' || !isInterruption(signal)) return this.#settle(outcome);
    this.#status = 'interrupted';
    this.#deps.publish({ type: 'child.interrupted', ...this.#key });
    return undefined;
  }

  #settle(outcome: RunOutcome): RunOutcome {
    if (this.#outcome !== undefined) return this.#outcome;
    this.#outcome = outcome;
    this.#deps.publish({ type: 'child.settled', ...this.#key, outcome });
    this.#tasks.settled(outcome, this.#hasStarted);
    return outcome;
  }
}
