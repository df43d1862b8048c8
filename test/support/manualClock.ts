import type { Clock } from '../../src/runtime/base/clock.ts';
import type { Disposable } from '../../src/runtime/base/lifecycle.ts';

interface Timer {
  readonly at: number;
  readonly act: () => void;
}

/** A clock that stands still until the test moves it. */
export class ManualClock implements Clock {
  #now = 0;
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#now;
  }

  elapsed(): number {
    return this.#now;
  }

  after(ms: number, act: () => void): Disposable {
    const timer = { at: this.#now + Math.max(0, ms), act };
    this.#timers.add(timer);
    return { dispose: () => void this.#timers.delete(timer) };
  }

  /** Timers that wait. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Lets that much time pass; timers act at their own moment, in order. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (let next = this.#next(); next && next.at <= end; next = this.#next()) this.#fire(next);
    this.#now = end;
  }

  /** Moves to the moment of the timer that is due first; false when none waits. */
  advanceToNext(): boolean {
    const next = this.#next();
    if (next) this.#fire(next);
    return next !== undefined;
  }

  #next(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) if (first === undefined || timer.at < first.at) first = timer;
    return first;
  }

  #fire(timer: Timer): void {
    this.#timers.delete(timer);
    this.#now = Math.max(this.#now, timer.at);
    timer.act();
  }
}

/** Lets everything happen that needs no time. */
export const quiet = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Rounds of the event loop after which a wait is one for files, which needs no hurry. */
const BUSY_ROUNDS = 50;
/** Milliseconds after which it stops, so that a test that failed by its own time limit doesn't go on for ever. */
const HOPELESS = 60_000;

/** Moves the clock from timer to timer until the work has settled, letting each moment's consequences happen first. */
export async function runThrough<T>(clock: ManualClock, work: Promise<T>): Promise<T> {
  let isOver = false;
  void work.then(
    () => (isOver = true),
    () => (isOver = true),
  );
  const started = performance.now();
  for (let idle = 0; performance.now() - started < HOPELESS; idle += 1) {
    await (idle < BUSY_ROUNDS ? quiet() : new Promise((resolve) => setTimeout(resolve, 1)));
    if (isOver) return work;
    if (clock.advanceToNext()) idle = 0;
  }
  throw new Error('It waits for something that is not the clock.');
}
