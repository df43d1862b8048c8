import type { GroupSpec, RunOutcome } from '../domain/agents.ts';
import { isSameEndpoint, type ModelRef } from '../domain/models.ts';
import type { Usage } from '../domain/usage.ts';
import { ChildRun, type ChildStart } from './childRun.ts';
import type { DelegationDeps } from './deps.ts';
import { GroupRun, type SettledGroup } from './groupRun.ts';
import type { GroupWait } from './groupWait.ts';
import { ChildPool } from './pool.ts';

/** What a group needs of its surroundings. */
export interface GroupLinks {
  /** Why a group may use no more, in a sentence; nothing while it may. `pending`: used, and not counted yet. */
  readonly overBudget: (groupId: string, pending?: Usage) => string | undefined;
  /** Takes the results of a group that has settled, `wait` being the call that waited for them. */
  readonly onSettled: (group: SettledGroup, wait: GroupWait | undefined) => void;
}

/** The groups that haven't settled, in order of acceptance, with the pool that their children share: running ones, and those that an earlier host left interrupted. */
export class OpenGroups {
  readonly #deps: DelegationDeps;
  readonly #links: GroupLinks;
  readonly #pool: ChildPool;
  readonly #groups = new Map<string, GroupRun>();

  /** Throws `invalid_input` for a limit that isn't an integer of at least 1. */
  constructor(deps: DelegationDeps, links: GroupLinks) {
    this.#deps = deps;
    this.#links = links;
    this.#pool = new ChildPool(deps.limits().maxParallel);
  }

  get(groupId: string): GroupRun | undefined {
    return this.#groups.get(groupId);
  }

  /** Oldest first; of one session or of all. */
  list(sessionId?: string): readonly GroupRun[] {
    return [...this.#groups.values()].filter(({ spec }) => sessionId === undefined || spec.sessionId === sessionId);
  }

  /** Makes a group, which counts as open from here on until it settles. */
  create(spec: GroupSpec, starts: readonly ChildStart[], wait?: GroupWait): GroupRun {
    const { publish, runChild, tasks, hostId, stored, archive } = this.#deps;
    const children = starts.map((start) => new ChildRun(start, spec, {
      publish,
      runChild,
      pool: this.#pool,
      child: (agentId) => archive.child(agentId),
      overBudget: (pending) => this.#links.overBudget(spec.groupId, pending),
      onEndpointFailed: (model, outcome) => this.#refuseQueued(model, outcome),
      ...(tasks !== undefined && { tasks }),
    }));
    const onSettled = (settled: SettledGroup): void => {
      this.#groups.delete(spec.groupId);
      this.#links.onSettled(settled, wait);
    };
    const group = new GroupRun(spec, children, { publish, hostId, stored, onSettled, onInterrupted: () => wait?.giveUp() });
    this.#groups.set(spec.groupId, group);
    return group;
  }

  /** Takes a changed limit into use, without touching what runs. Throws as the constructor. */
  limitChanged(): void {
    this.#pool.limit = this.#deps.limits().maxParallel;
  }

  /** Resolves when no child holds a slot or waits for one. */
  idle(): Promise<void> {
    return this.#pool.idle();
  }

  /** Whoever still waits for an endpoint that refuses everything would only meet the same refusal. */
  #refuseQueued(model: ModelRef, outcome: RunOutcome): void {
    const waiting = this.list().flatMap(({ children }) => children);
    for (const child of waiting) if (isSameEndpoint(child.spec.model, model)) child.refuseStart(outcome);
  }
}
