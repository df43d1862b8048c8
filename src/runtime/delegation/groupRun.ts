import { deferred } from '../base/async.ts';
import type { GroupSpec, GroupStatus } from '../domain/agents.ts';
import { withoutSecrets, type AgentDefinition } from '../domain/definitions.ts';
import type { Publish } from '../domain/events.ts';
import type { ChildRun, Continuation } from './childRun.ts';
import type { SettledChild } from './completionText.ts';
import { groupStatus } from './outcomes.ts';

/** What a group came to. */
export interface SettledGroup {
  readonly sessionId: string;
  readonly groupId: string;
  readonly status: GroupStatus;
  /** In input order. */
  readonly children: readonly SettledChild[];
  /** True where an earlier host may have delivered it before it could say so. */
  readonly mayBeThere: boolean;
}

export interface GroupRunDeps {
  readonly publish: Publish;
  readonly hostId: string;
  /** Resolves when all that was published about the group so far is stored. Never rejects. */
  readonly stored: (groupId: string) => Promise<void>;
  /** Takes the results of a group that has settled. Called once for a group. */
  readonly onSettled: (group: SettledGroup) => void;
  /** Nothing of the group runs or waits, and not all of it has settled. */
  readonly onInterrupted: () => void;
}

/** The children of one delegation call, from acceptance to their one completion. */
export class GroupRun {
  readonly children: readonly ChildRun[];
  readonly #spec: GroupSpec;
  readonly #deps: GroupRunDeps;
  readonly #done = deferred<void>();
  /** Children that wait or run. */
  #active = 0;
  /** All of them, and what follows from their ends. */
  #running: Promise<unknown> = Promise.resolve();
  #isSettled = false;

  /** `children` in input order. */
  constructor(spec: GroupSpec, children: readonly ChildRun[], deps: GroupRunDeps) {
    this.#spec = spec;
    this.children = children;
    this.#deps = deps;
  }

  /** As accepted, but for children that went on with something else. */
  get spec(): GroupSpec {
    return { ...this.#spec, children: this.children.map(({ spec }) => spec) };
  }

  /** Announces the group and queues its children. Called once, for a new group. */
  start(): void {
    this.#deps.publish({ type: 'group.accepted', group: this.#spec, hostId: this.#deps.hostId, definitions: this.#definitions() });
    for (const child of this.children) child.queue();
    this.#run(this.children);
  }

  /**
   * Takes over what an earlier host left behind. Called once instead of `start`: what was going on is interrupted from
   * now on; where all have settled, only what was left of that is done.
   */
  takeOver(interrupted: ReadonlySet<string>, settled: GroupStatus | undefined): void {
    const { groupId, sessionId } = this.#spec;
    const tasks = this.children.map((child) => child.takeOver(interrupted.has(child.spec.agentId)));
    this.#isSettled = settled !== undefined;
    const isOpen = this.children.some(({ outcome }) => outcome === undefined);
    if (isOpen) this.#deps.publish({ type: 'group.interrupted', sessionId, groupId, hostId: this.#deps.hostId });
    this.#running = Promise.all(tasks).then(() => {
      if (settled !== undefined) return this.#handOver(settled, true);
      return isOpen ? undefined : this.#advance();
    });
  }

  /** Lets interrupted children go on. */
  resume(children: readonly ChildRun[], continuation: (child: ChildRun) => Continuation): void {
    const { groupId, sessionId } = this.#spec;
    this.#deps.publish({ type: 'group.resumed', sessionId, groupId, hostId: this.#deps.hostId });
    for (const child of children) child.queue(continuation(child));
    this.#run(children);
  }

  /** Settles every child that hasn't. Idempotent; resolves when all have really stopped and the group has settled. */
  async cancel(): Promise<void> {
    await Promise.all(this.children.map((child) => child.cancel()));
    await this.#advance();
    await this.#done.promise;
  }

  /** Settles one child. Resolves when it has really stopped. */
  async cancelChild(child: ChildRun): Promise<void> {
    await child.cancel();
    await this.#advance();
  }

  /** Stops what runs and waits, for good or for now; what is interrupted stays so. Resolves when all has really stopped. */
  async stop(how: 'cancel' | 'interrupt'): Promise<void> {
    const active = this.children.filter(({ status }) => status === 'queued' || status === 'running');
    await Promise.all(active.map((child) => (how === 'cancel' ? child.cancel() : child.interrupt())));
    await this.#running;
  }

  /** What the children start on that don't go on with a conversation, which has its own. */
  #definitions(): readonly AgentDefinition[] {
    const fresh = this.children.flatMap(({ spec, definition }) => (spec.round === 1 && definition ? [definition] : []));
    return [...new Map(fresh.map((definition) => [definition.name, withoutSecrets(definition)])).values()];
  }

  #run(children: readonly ChildRun[]): void {
    const ends = children.map(async (child) => {
      this.#active++;
      await child.start();
      this.#active--;
      await this.#advance();
    });
    this.#running = Promise.all([this.#running, ...ends]);
  }

  /** Once nothing runs or waits: the group has settled, or is interrupted. */
  async #advance(): Promise<void> {
    if (this.#active > 0 || this.#isSettled) return;
    const { groupId, sessionId } = this.#spec;
    const outcomes = this.children.flatMap(({ outcome }) => outcome ?? []);
    if (outcomes.length < this.children.length) {
      this.#deps.publish({ type: 'group.interrupted', sessionId, groupId });
      this.#deps.onInterrupted();
      return;
    }
    const status = groupStatus(outcomes);
    this.#isSettled = true;
    this.#deps.publish({ type: 'group.settled', sessionId, groupId, status });
    await this.#handOver(status, false);
  }

  /** That it has settled is stored first, so that a crash from here on neither loses the completion nor doubles it. */
  async #handOver(status: GroupStatus, mayBeThere: boolean): Promise<void> {
    const { groupId, sessionId } = this.#spec;
    await this.#deps.stored(groupId);
    const children = this.children.flatMap(({ spec: { agentId, displayName, worktree }, outcome }) => (outcome ? [{ agentId, displayName, outcome, ...(worktree && { worktree }) }] : []));
    this.#deps.onSettled({ sessionId, groupId, status, children, mayBeThere });
    this.#done.resolve();
  }
}
