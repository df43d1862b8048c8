import { deferred } from '../base/async.ts';
import type { SettledGroup } from './groupRun.ts';

/**
 * A tool call that waits for its group. The results go to exactly one place: to the call or, once it waits no more, to
 * the conversation as those of any other group.
 */
export class GroupWait {
  readonly #end = deferred<SettledGroup | undefined>();
  #isOver = false;

  /** What the group came to; nothing where the wait was given up. Never rejects. */
  get results(): Promise<SettledGroup | undefined> {
    return this.#end.promise;
  }

  /** Hands the results over. False where nobody waits any more: they are still to be delivered then. */
  take(group: SettledGroup): boolean {
    return this.#finish(group);
  }

  /** Ends the wait without results; where they were handed over already, they stay so. */
  giveUp(): void {
    this.#finish(undefined);
  }

  #finish(group: SettledGroup | undefined): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#end.resolve(group);
    return true;
  }
}
