import { deferred } from '../base/async.ts';
import type { GroupSpec, RunOutcome } from '../domain/agents.ts';
import type { Publish } from '../domain/events.ts';
import type { ChildRun } from './childRun.ts';
import { completionText, type CompletionOptions } from './completionText.ts';
import { groupStatus } from './outcomes.ts';

/** A group's results on their way to the session that asked for them. */
export interface Completion {
  readonly sessionId: string;
  readonly groupId: string;
  readonly text: string;
}

export interface GroupRunDeps {
  readonly publish: Publish;
  readonly hostId: string;
  readonly completion: CompletionOptions;
  /** Takes the completion of a group that has settled. Called once for a group. */
  readonly onSettled: (completion: Completion) => void;
}

/** The children of one delegation call, from acceptance to their one completion. */
export class GroupRun {
  readonly spec: GroupSpec;
  readonly children: readonly ChildRun[];
  readonly #deps: GroupRunDeps;
  readonly #done = deferred<void>();

  /** `children` in input order. */
  constructor(spec: GroupSpec, children: readonly ChildRun[], deps: GroupRunDeps) {
    this.spec = spec;
    this.children = children;
    this.#deps = deps;
  }

  /** Announces the group and queues its children. Resolves when all have settled and the completion is handed over. Called once; never rejects. */
  async start(): Promise<void> {
    const { groupId, sessionId } = this.spec;
    this.#deps.publish({ type: 'group.accepted', group: this.spec, hostId: this.#deps.hostId });
    for (const { spec } of this.children) this.#deps.publish({ type: 'child.queued', sessionId, groupId, agentId: spec.agentId });
    for (const child of this.children) void child.start();
    this.#settle(await Promise.all(this.children.map(({ done }) => done)));
    this.#done.resolve();
  }

  /** Cancels every child that is not settled. Idempotent; resolves when all have really stopped and the group is settled. */
  async cancel(): Promise<void> {
    await Promise.all(this.children.map((child) => child.cancel()));
    await this.#done.promise;
  }

  #settle(outcomes: readonly RunOutcome[]): void {
    const { groupId, sessionId } = this.spec;
    const status = groupStatus(outcomes);
    const children = this.spec.children.flatMap(({ agentId, displayName }, index) => {
      const outcome = outcomes[index];
      return outcome === undefined ? [] : [{ agentId, displayName, outcome }];
    });
    this.#deps.publish({ type: 'group.settled', sessionId, groupId, status });
    this.#deps.onSettled({ sessionId, groupId, text: completionText({ groupId, status, children }, this.#deps.completion) });
  }
}
