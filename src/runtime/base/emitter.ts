import { toDisposable, type Disposable } from './lifecycle.ts';

/** Subscribes a listener; the result unsubscribes it. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/**
 * Delivers values to listeners in one order for all of them: a value fired by a listener waits until the
 * current one has reached everybody. A listener that throws, or whose promise
 * rejects, costs the others nothing; its error goes to `onError`.
 */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<(value: T) => unknown>();
  readonly #queue: T[] = [];
  readonly #onError: (error: unknown) => void;
  #delivering = false;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  readonly event: Event<T> = (listener) => {
    // A wrapper of its own, so that one function subscribed twice is two subscriptions.
    const own = (value: T): unknown => listener(value);
    this.#listeners.add(own);
    return toDisposable(() => this.#listeners.delete(own));
  };

  fire(value: T): void {
    this.#queue.push(value);
    if (this.#delivering) return;
    this.#delivering = true;
    try {
      // Iterating an array reaches what is added meanwhile. A value may itself be undefined, so none can mark the end.
      for (const next of this.#queue) this.#deliver(next);
    } finally {
      this.#queue.length = 0;
      this.#delivering = false;
    }
  }

  dispose(): void {
    this.#listeners.clear();
  }

  #deliver(value: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        const result = listener(value);
        // An async function is taken where nothing is to be returned, and nobody else sees how it ends.
        if (typeof result === 'object' && result !== null) Promise.resolve(result).catch(this.#onError);
      } catch (error) {
        this.#onError(error);
      }
    }
  }
}
