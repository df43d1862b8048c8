import { deferred, type Deferred } from '../base/async.ts';
import type { RuntimeEvent } from '../domain/events.ts';

type Step = IteratorResult<RuntimeEvent, undefined>;

const DONE: Step = { done: true, value: undefined };

/** The events that one consumer has yet to see, in order, up to an end or a failure. */
export class EventStream implements AsyncIterator<RuntimeEvent, undefined> {
  readonly #events: RuntimeEvent[] = [];
  readonly #waiting: Deferred<Step>[] = [];
  readonly #leave: () => Promise<void>;
  #hasEnded = false;
  #failure: { readonly error: unknown } | undefined;

  /** @param leave called when the consumer goes before the end; never rejects */
  constructor(leave: () => Promise<void>) {
    this.#leave = leave;
  }

  push(event: RuntimeEvent): void {
    if (this.#hasEnded) return;
    const next = this.#waiting.shift();
    if (next) next.resolve({ done: false, value: event });
    else this.#events.push(event);
  }

  /** No event follows. Those that wait are still given. */
  end(): void {
    this.#hasEnded = true;
    for (const next of this.#waiting.splice(0)) next.resolve(DONE);
  }

  /** As `end`, but one `next()`, the first after what waits, rejects. */
  fail(error: unknown): void {
    const first = this.#waiting.shift();
    if (first) first.reject(error);
    else this.#failure = { error };
    this.end();
  }

  async next(): Promise<Step> {
    const event = this.#events.shift();
    if (event) return { done: false, value: event };
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure) throw failure.error;
    if (this.#hasEnded) return DONE;
    const next = deferred<Step>();
    this.#waiting.push(next);
    return next.promise;
  }

  async return(): Promise<Step> {
    this.#events.length = 0;
    this.#failure = undefined;
    this.end();
    await this.#leave();
    return DONE;
  }
}
