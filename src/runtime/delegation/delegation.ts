import { Serial } from '../base/async.ts';
import { AppError, errorText } from '../base/errors.ts';
import type { ChildSpec, GroupSpec, RunOutcome } from '../domain/agents.ts';
import type { AgentDefinition } from '../domain/definitions.ts';
import type { Publish } from '../domain/events.ts';
import { isSameEndpoint, type ModelRef } from '../domain/models.ts';
import { ChildRun, type RunChild } from './childRun.ts';
import { GroupRun, type Completion } from './groupRun.ts';
import { newAgentId, newGroupId } from './names.ts';
import { ChildPool } from './pool.ts';
import { namesTask, taskProblem, trackChildren, untrackChildren, type TaskList } from './tracking.ts';
import { validateCall, type ResolveChild, type ValidTask } from './validate.ts';

export interface DelegationDeps {
  readonly publish: Publish;
  /** This process, as the group's log names it. */
  readonly hostId: string;
  /** Read at every dispatch, and again on `limitsChanged`. */
  readonly limits: () => { readonly maxParallel: number; readonly maxTasksPerCall: number };
  /** The winners by name, as of now. */
  readonly definitions: () => readonly AgentDefinition[];
  /** Brings the definitions up to their files' present state; called before each dispatch. */
  readonly refreshDefinitions?: () => Promise<void>;
  /** Why a definition can't be used, in sentences; nothing when it can. */
  readonly refusal?: (definition: AgentDefinition) => string | undefined;
  readonly resolveChild: ResolveChild;
  readonly runChild: RunChild;
  /** Absent: tasks are off. */
  readonly tasks?: TaskList;
  /** Takes the one completion of a group. Must not throw. */
  readonly deliver: (completion: Completion) => void;
  /** Where a child's whole transcript can be read, for results that are cut. */
  readonly transcriptPath?: (agentId: string) => string | undefined;
}

/** A delegation call. `tasks` as the model or a person wrote them; `others`: further fields of the model's call, checked too. */
export interface DispatchRequest {
  readonly sessionId: string;
  /** Absolute. */
  readonly cwd: string;
  readonly tasks: unknown;
  readonly others?: Readonly<Record<string, unknown>>;
  /** A person may also pick definitions that are hidden from the model. Default `model`. */
  readonly by?: 'model' | 'person';
}

/** All groups of one root agent instance, over all its sessions, in one pool. */
export class Delegation {
  readonly #deps: DelegationDeps;
  readonly #pool: ChildPool;
  /** Those that aren't settled, in order of acceptance. */
  readonly #groups = new Map<string, GroupRun>();
  /** One after the other, so that children queue in the order of the calls. */
  readonly #dispatches = new Serial();
  #closed = false;

  /** Throws `invalid_input` for a limit that isn't an integer of at least 1. */
  constructor(deps: DelegationDeps) {
    this.#deps = deps;
    this.#pool = new ChildPool(deps.limits().maxParallel);
  }

  /**
   * Accepts a group and resolves once it is announced and queued; its children have a life of their own from then on.
   * Rejects with `invalid_input` naming every problem, `closed`, or what the task list rejects with; then nothing starts.
   */
  dispatch(request: DispatchRequest): Promise<GroupSpec> {
    return this.#dispatches.run(async () => {
      const valid = await this.#validate(request);
      const spec = await this.#specify(request, valid);
      if (this.#closed) await untrackChildren(this.#deps.tasks, spec.children);
      // From here on nothing waits, so that a close either sees the group or keeps it from starting.
      this.#assertOpen();
      this.#start(spec, valid);
      return spec;
    });
  }

  /** The groups that aren't settled, oldest first; of one session or of all. */
  running(sessionId?: string): readonly GroupRun[] {
    return [...this.#groups.values()].filter(({ spec }) => sessionId === undefined || spec.sessionId === sessionId);
  }

  /** Takes a changed number of parallel children into use, without touching what runs. Throws as the constructor. */
  limitsChanged(): void {
    this.#pool.limit = this.#deps.limits().maxParallel;
  }

  /** Each cancel is idempotent and resolves when what it cancelled has really stopped. An unknown or settled id does nothing. */
  async cancelChild(agentId: string): Promise<void> {
    const children = this.running().flatMap((group) => group.children);
    await children.find(({ spec }) => spec.agentId === agentId)?.cancel();
  }

  async cancelGroup(groupId: string): Promise<void> {
    await this.#groups.get(groupId)?.cancel();
  }

  async cancelSession(sessionId: string): Promise<void> {
    await Promise.all(this.running(sessionId).map((group) => group.cancel()));
  }

  async cancelAll(): Promise<void> {
    await Promise.all(this.running().map((group) => group.cancel()));
  }

  /** Cancels everything and waits for it; nothing is delivered any more. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.cancelAll();
    await this.#dispatches.idle();
    await this.#pool.idle();
  }

  async #validate({ sessionId, tasks, others, by }: DispatchRequest): Promise<readonly ValidTask[]> {
    this.#assertOpen();
    this.limitsChanged();
    const { definitions, refreshDefinitions, refusal, publish, tasks: list } = this.#deps;
    await refreshDefinitions?.();
    // The named tasks may have come from another window.
    if (list !== undefined && namesTask(tasks)) await list.load();
    const refused = new Set<string>();
    try {
      return validateCall(
        { ...others, tasks },
        {
          definitions: definitions(),
          ...(refusal !== undefined && { refusal }),
          onRefused: ({ name }) => refused.add(name),
          allowHidden: by === 'person',
          maxTasks: this.#deps.limits().maxTasksPerCall,
          resolveChild: this.#deps.resolveChild,
          ...(list !== undefined && { taskProblem: (id: string) => taskProblem(list, id) }),
        },
      );
    } finally {
      if (refused.size > 0) publish({ type: 'definitions.refused', sessionId, names: [...refused] });
    }
  }

  async #specify({ sessionId, cwd }: DispatchRequest, valid: readonly ValidTask[]): Promise<GroupSpec> {
    const groupId = newGroupId();
    const children = valid.map(({ task, definition, model, maxTurns, tools }): ChildSpec => ({
      agentId: newAgentId(definition.name),
      displayName: task.display_name,
      definition: definition.name,
      model,
      prompt: task.prompt,
      maxTurns,
      tools,
      round: 1,
      ...(task.task_id !== undefined && { taskId: task.task_id }),
    }));
    return { groupId, sessionId, cwd, children: await trackChildren(this.#deps.tasks, groupId, children) };
  }

  #start(spec: GroupSpec, valid: readonly ValidTask[]): void {
    const { publish, runChild, tasks, transcriptPath } = this.#deps;
    const onEndpointFailed = (model: ModelRef, outcome: RunOutcome): void => this.#refuseQueued(model, outcome);
    const childDeps = { publish, runChild, pool: this.#pool, onEndpointFailed, ...(tasks !== undefined && { tasks }) };
    const children = valid.flatMap(({ definition }, index) => {
      const child = spec.children[index];
      return child === undefined ? [] : [new ChildRun(child, spec, definition, childDeps)];
    });
    const completion = transcriptPath === undefined ? {} : { transcriptPath };
    const group = new GroupRun(spec, children, { publish, hostId: this.#deps.hostId, completion, onSettled: (settled) => this.#onSettled(settled) });
    this.#groups.set(spec.groupId, group);
    void group.start();
  }

  #onSettled(completion: Completion): void {
    this.#groups.delete(completion.groupId);
    if (this.#closed) return;
    try {
      this.#deps.deliver(completion);
    } catch (error) {
      this.#deps.publish({ type: 'problem', message: `The results of ${completion.groupId} were not delivered: ${errorText(error)}` });
    }
  }

  /** Whoever still waits for an endpoint that refuses everything would only meet the same refusal. */
  #refuseQueued(model: ModelRef, outcome: RunOutcome): void {
    const waiting = this.running().flatMap(({ children }) => children);
    for (const child of waiting) if (isSameEndpoint(child.spec.model, model)) child.refuseStart(outcome);
  }

  #assertOpen(): void {
    if (this.#closed) throw new AppError('closed', 'This agent is closed and starts no more subagents.');
  }
}
