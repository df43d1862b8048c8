import { abortError, onAbort } from '../base/abort.ts';
import { deferred, type Deferred } from '../base/async.ts';
import { AppError } from '../base/errors.ts';

/** The slots in which children run, first come, first served. One per root agent instance. */
export class ChildPool {
  /** In order of arrival. */
  readonly #waiting = new Set<() => void>();
  #limit: number;
  #running = 0;
  #idle: Deferred<void> | undefined;

  /** Throws `invalid_input` for a limit that isn't an integer of at least 1. */
  constructor(limit: number) {
    this.#limit = checked(limit);
  }

  get limit(): number {
    return this.#limit;
  }

  /** Counts at once: a higher limit starts who waits, a lower one lets the running work end. Throws as the constructor. */
  set limit(limit: number) {
    this.#limit = checked(limit);
    this.#advance();
  }

  /**
   * Runs the work when its turn comes and settles as it does; `onStart` is called right before. An abort while waiting
   * gives the place up at once and rejects with `aborted`, and the work never starts. An abort later is the work's own
   * business: its slot is held until it has really settled.
   */
  run<T>(work: () => Promise<T>, signal: AbortSignal, onStart?: () => void): Promise<T> {
    if (signal.aborted) return Promise.reject(abortError());
    const result = deferred<T>();
    const begin = (): void => {
      listening.dispose();
      void this.#occupy(work, onStart).then(
        (value) => result.resolve(value),
        (error: unknown) => result.reject(error),
      );
    };
    const listening = onAbort(signal, () => {
      this.#waiting.delete(begin);
      result.reject(abortError());
      this.#tellIdle();
    });
    this.#waiting.add(begin);
    this.#advance();
    return result.promise;
  }

  /** Resolves when nothing runs or waits. */
  idle(): Promise<void> {
    if (this.#isIdle()) return Promise.resolve();
    this.#idle ??= deferred<void>();
    return this.#idle.promise;
  }

  async #occupy<T>(work: () => Promise<T>, onStart: (() => void) | undefined): Promise<T> {
    this.#running++;
    try {
      onStart?.();
      return await work();
    } finally {
      this.#running--;
      this.#advance();
      this.#tellIdle();
    }
  }

  #advance(): void {
    for (const begin of this.#waiting) {
      if (this.#running >= this.#limit) return;
      this.#waiting.delete(begin);
      begin();
    }
  }

  #isIdle(): boolean {
    return this.#running === 0 && this.#waiting.size === 0;
  }

  #tellIdle(): void {
    if (!this.#isIdle()) return;
    this.#idle?.resolve();
    this.#idle = undefined;
  }
}

function checked(limit: number): number {
  if (Number.isSafeInteger(limit) && limit >= 1) return limit;
  throw new AppError('invalid_input', `The number of parallel subagents must be a whole number of at least 1, not ${limit}.`);
}
