import { Serial } from '../base/async.ts';
import { AppError } from '../base/errors.ts';
import type { GroupSpec, PlannedChild } from '../domain/agents.ts';
import type { EventOf } from '../domain/events.ts';
import type { GroupRecord } from '../store/groupRecord.ts';
import { claimRounds, specifyGroup } from './accept.ts';
import { withBudgetNotes } from './budget.ts';
import { BudgetWatch } from './budgetWatch.ts';
import { checkCall } from './checkCall.ts';
import type { ChildStart } from './childRun.ts';
import { Deliveries } from './deliveries.ts';
import type { DelegationDeps } from './deps.ts';
import type { GroupRun } from './groupRun.ts';
import { OpenGroups } from './openGroups.ts';
import { plannedChild } from './plannedChild.ts';
import type { DispatchRequest, ResumeOptions } from './requests.ts';
import { assertHere, findResumed } from './resumable.ts';
import { Resuming } from './resuming.ts';
import type { ResumeAnswer } from './rounds.ts';
import { untrackChildren } from './tracking.ts';
import type { ValidTask } from './validate.ts';

/** All groups of one root agent instance, over all its sessions, in one pool. */
export class Delegation {
  readonly #deps: DelegationDeps;
  readonly #groups: OpenGroups;
  readonly #budget: BudgetWatch;
  readonly #deliveries: Deliveries;
  readonly #resuming: Resuming;
  /** One after the other, so that children queue in the order of the calls. */
  readonly #dispatches = new Serial();
  #closed = false;

  /** Throws `invalid_input` for a limit that isn't an integer of at least 1. */
  constructor(deps: DelegationDeps) {
    this.#deps = deps;
    this.#deliveries = new Deliveries(deps);
    this.#budget = new BudgetWatch(deps, (groupId) => this.#groups.get(groupId)?.children ?? []);
    this.#groups = new OpenGroups(deps, {
      overBudget: (groupId, pending) => this.#budget.problem(groupId, pending),
      onSettled: (group, wait) => this.#deliveries.take(group, wait),
    });
    this.#resuming = new Resuming(deps, this.#groups, (request, known) => this.#dispatch(request, known));
  }

  /**
   * Accepts a group and resolves once it is announced, queued and stored; its children have a life of their own from then on.
   * Rejects with `invalid_input` naming every problem, `conflict` where another window was quicker to continue the
   * same run, `closed`, or what the task list rejects with; then nothing starts.
   */
  dispatch(request: DispatchRequest): Promise<GroupSpec> {
    return this.#dispatches.run(async () => this.#dispatch(request, await findResumed(this.#deps.archive, request.tasks)));
  }

  /** The children that a call would start, as of now. Rejects as `dispatch`, and tells nobody. */
  async plan(request: DispatchRequest): Promise<readonly PlannedChild[]> {
    this.#assertOpen();
    const valid = await checkCall(request, await findResumed(this.#deps.archive, request.tasks), { ...this.#deps, publish: () => undefined });
    return valid.map(plannedChild);
  }

  /**
   * Lets a child go on: an interrupted one inside its group, a settled one in a round of its own. Rejects with
   * `not_found`, `conflict` while it is queued, running or another window's, `unavailable` where its model can't be
   * reached any more, and else as `dispatch`.
   */
  resumeChild(agentId: string, options: ResumeOptions = {}): Promise<GroupSpec> {
    return this.#dispatches.run(async () => {
      this.#assertOpen();
      return this.#resuming.child(agentId, options);
    });
  }

  /** Lets every interrupted child that the group's row shows go on. Rejects with `not_found`, `conflict` where none is interrupted, or `unavailable`; then none does. */
  resumeGroup(groupId: string): Promise<GroupSpec> {
    return this.#dispatches.run(async () => {
      this.#assertOpen();
      return this.#resuming.group(groupId);
    });
  }

  /** Looks after a group that an earlier host left behind: what ran there is interrupted, what had settled is delivered. */
  adopt(record: GroupRecord): void {
    const interrupted = new Set<string>();
    const starts = record.children.map(({ spec, definition, state, hasStarted }): ChildStart => {
      if (state === 'interrupted') interrupted.add(spec.agentId);
      return { spec, ...(definition && { definition }), before: { hasStarted, ...(typeof state === 'object' && { outcome: state }) } };
    });
    this.#groups.create(record.spec, starts).takeOver(interrupted, record.settled);
  }

  /** The groups that haven't settled, oldest first; of one session or of all. */
  running(sessionId?: string): readonly GroupRun[] {
    return this.#groups.list(sessionId);
  }

  /** Takes changed limits into use, without touching what runs. Throws as the constructor. */
  limitsChanged(): void {
    this.#groups.limitChanged();
    for (const { spec } of this.running()) this.#budget.usageChanged(spec.groupId);
  }

  /** Takes note of what a turn of a child used. */
  turnEnded(event: EventOf<'model.ended'>): void {
    this.#budget.turnEnded(event);
  }

  /**
   * Each cancel is idempotent and resolves when what it cancelled has really stopped; what is interrupted settles. An
   * unknown or settled id does nothing. Rejects with `conflict` for what another window runs.
   */
  async cancelChild(agentId: string): Promise<void> {
    const { archive } = this.#deps;
    const child = archive.child(agentId);
    if (child) assertHere(archive, child.roundGroupId);
    for (const group of this.running()) {
      const run = group.children.find(({ spec, outcome }) => spec.agentId === agentId && outcome === undefined);
      if (run) return group.cancelChild(run);
    }
  }

  /** The group, and the rounds in which children of its row go on. */
  async cancelGroup(groupId: string): Promise<void> {
    const { archive } = this.#deps;
    assertHere(archive, groupId);
    const children = archive.group(groupId)?.children ?? [];
    const rounds = children.filter((child) => child.groupId === groupId && child.roundGroupId !== groupId);
    await Promise.all([this.#groups.get(groupId)?.cancel(), ...rounds.map(({ agentId }) => this.cancelChild(agentId))]);
  }

  async cancelSession(sessionId: string): Promise<void> {
    await Promise.all(this.running(sessionId).map((group) => group.cancel()));
  }

  async cancelAll(): Promise<void> {
    await Promise.all(this.running().map((group) => group.cancel()));
  }

  /** Cancels all that runs or waits and waits for it; nothing is delivered any more. What is interrupted stays so. Idempotent. */
  close(): Promise<void> {
    return this.#stop('cancel');
  }

  /** As `close`, but what runs or waits is interrupted. */
  suspend(): Promise<void> {
    return this.#stop('interrupt');
  }

  async #stop(how: 'cancel' | 'interrupt'): Promise<void> {
    this.#closed = true;
    this.#deliveries.close();
    await Promise.all(this.running().map((group) => group.stop(how)));
    await this.#dispatches.idle();
    await this.#groups.idle();
    await this.#deliveries.idle();
  }

  /** `resumed`: what was found of the runs that the tasks continue. */
  async #dispatch(request: DispatchRequest, resumed: ReadonlyMap<string, ResumeAnswer>): Promise<GroupSpec> {
    this.#assertOpen();
    this.limitsChanged();
    const valid = await checkCall(request, resumed, this.#deps);
    const { archive, claimRound, tasks, stored } = this.#deps;
    const release = await claimRounds(valid, claimRound, (agentId) => archive.child(agentId));
    try {
      const spec = await this.#specify(request, valid);
      if (this.#closed) await untrackChildren(tasks, spec.children);
      // From here on nothing waits, so that a close either sees the group or keeps it from starting.
      this.#assertOpen();
      const starts = spec.children.map((child, index): ChildStart => ({ spec: child, ...(valid[index] && { definition: valid[index].definition }) }));
      this.#groups.create(spec, starts, request.wait).start();
      // What is said to have been accepted must not be lost; and until then other windows know of a round by its claim alone.
      await stored(spec.groupId);
      return spec;
    } finally {
      await release();
    }
  }

  async #specify(request: DispatchRequest, valid: readonly ValidTask[]): Promise<GroupSpec> {
    const spec = await specifyGroup(request, valid, this.#deps.tasks, this.#deps.worktrees);
    return { ...spec, children: withBudgetNotes(spec.children, this.#deps.budget()) };
  }

  #assertOpen(): void {
    if (this.#closed) throw new AppError('closed', 'This agent is closed and starts no more subagents.');
  }
}
