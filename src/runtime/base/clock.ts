import { onAbort } from './abort.ts';
import { toDisposable, type Disposable } from './lifecycle.ts';

/** Where the time comes from, so that tests can have their own. */
export interface Clock {
  /** Milliseconds since the epoch: for people. May jump when the computer's clock is set. */
  now(): number;
  /** Milliseconds since some moment in the past: for measuring. Never jumps. */
  elapsed(): number;
  /** Calls back once, that many milliseconds from now (at most 2^31 - 1). Dispose it to prevent that. */
  after(ms: number, act: () => void): Disposable;
}

export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return toDisposable(() => clearTimeout(timer));
  },
};

/** What a timer can wait for at most; of more, Node makes none at all. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Calls back once when its time has run out, never earlier. Starts at once; has one owner, who disposes it. */
export class Countdown implements Disposable {
  readonly #clock: Clock;
  readonly #ms: number;
  readonly #act: () => void;
  #deadline: number;
  /** What is left, while it is paused. */
  #rest: number | undefined;
  #timer: Disposable | undefined;

  constructor(clock: Clock, ms: number, act: () => void) {
    this.#clock = clock;
    this.#ms = ms;
    this.#act = act;
    this.#deadline = clock.elapsed() + ms;
    this.#arm();
  }

  /** Gives it the whole time again. Cheap: the timer that runs finds out by itself that it is too early. */
  restart(): void {
    if (this.#rest === undefined) this.#deadline = this.#clock.elapsed() + this.#ms;
    else this.#rest = this.#ms;
  }

  /** Stops the time until `resume`. Idempotent; does nothing once it has run out. */
  pause(): void {
    if (this.#timer === undefined) return;
    this.dispose();
    this.#rest = Math.max(0, this.#deadline - this.#clock.elapsed());
  }

  resume(): void {
    if (this.#rest === undefined) return;
    this.#deadline = this.#clock.elapsed() + this.#rest;
    this.#rest = undefined;
    this.#arm();
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#rest = undefined;
  }

  #arm(): void {
    const rest = Math.ceil(this.#deadline - this.#clock.elapsed());
    this.#timer = this.#clock.after(Math.min(rest, LONGEST_TIMER), () => this.#check());
  }

  #check(): void {
    this.#timer = undefined;
    if (this.#clock.elapsed() < this.#deadline) this.#arm();
    else this.#act();
  }
}

/** Waits that many milliseconds, never less. False, at once, when aborted. Leaves no timer. */
export function waitFor(clock: Clock, ms: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(false);
    const countdown = new Countdown(clock, ms, () => {
      listening.dispose();
      resolve(true);
    });
    const listening = onAbort(signal, () => {
      countdown.dispose();
      resolve(false);
    });
  });
}
