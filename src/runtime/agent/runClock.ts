import { isInterruption, isRetry, onAbort } from '../base/abort.ts';
import { Countdown, type Clock } from '../base/clock.ts';
import { deferred } from '../base/async.ts';
import { AppError, isAppError } from '../base/errors.ts';
import { toDisposable, type Disposable } from '../base/lifecycle.ts';
import { durationText } from '../base/text.ts';
import type { RunTiming } from './timing.ts';

/** Milliseconds that a call has to end everything after it was told to. One that ignores the signal must not hold its run for ever. */
const GRACE = 10_000;
/** The same where the host ends, which itself isn't given much longer. */
const LAST_GRACE = 2_000;

/** Owns all timers of one run of an agent, and the signal that ends it: aborted with the run's owner, or by a time limit. */
export class RunClock implements Disposable {
  readonly #clock: Clock;
  readonly #limits: RunTiming['limits'];
  readonly #stop = new AbortController();
  readonly #listening: Disposable;
  readonly #countdowns = new Set<Countdown>();
  #pauses = 0;

  constructor({ clock, limits }: RunTiming, outer: AbortSignal) {
    this.#clock = clock;
    this.#limits = limits;
    this.#listening = onAbort(outer, () => this.#stop.abort(outer.reason));
    this.#limit(limits.maxDurationMs, 'The run took longer than');
  }

  /** Its reason is an `AppError` `timeout` where a time limit ended the run. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Stops the time of the run and of its calls, while a person is asked, until the result is disposed. Nests. */
  pause(): Disposable {
    if (this.#pauses++ === 0) for (const countdown of this.#countdowns) countdown.pause();
    return toDisposable(() => {
      if (--this.#pauses === 0) for (const countdown of this.#countdowns) countdown.resume();
    });
  }

  /**
   * Runs a tool call under its limits and settles as it does; `heard` is to be called at each sign of life. Rejects
   * as `unlessStuck` does.
   */
  async timeCall<T>(tool: string, call: (heard: () => void) => Promise<T>, signal = this.signal): Promise<T> {
    const { toolMs, toolIdleMs } = this.#limits;
    const whole = this.#limit(toolMs, `A call of ${tool} took longer than`);
    const silence = this.#limit(toolIdleMs, `A call of ${tool} was silent for`);
    try {
      return await this.unlessStuck(call(() => silence?.restart()), signal);
    } finally {
      this.#drop(whole);
      this.#drop(silence);
    }
  }

  /** Settles as the work does. Rejects with `timeout` where it doesn't end in time after the signal, by default the run's, aborted. */
  async unlessStuck<T>(work: Promise<T>, signal = this.signal): Promise<T> {
    const stuck = deferred<never>();
    let grace: Disposable | undefined;
    const listening = onAbort(signal, () => {
      grace = this.#clock.after(isInterruption(signal) ? LAST_GRACE : GRACE, () => stuck.reject(new AppError('timeout', stuckText(signal))));
    });
    try {
      return await Promise.race([work, stuck.promise]);
    } finally {
      listening.dispose();
      grace?.dispose();
    }
  }

  dispose(): void {
    this.#listening.dispose();
    for (const countdown of [...this.#countdowns]) this.#drop(countdown);
  }

  #limit(ms: number, what: string): Countdown | undefined {
    if (!(ms > 0)) return undefined;
    const countdown = new Countdown(this.#clock, ms, () => {
      this.#stop.abort(new AppError('timeout', `${what} ${durationText(ms)}, the time limit.`));
    });
    this.#countdowns.add(countdown);
    if (this.#pauses > 0) countdown.pause();
    return countdown;
  }

  #drop(countdown: Countdown | undefined): void {
    if (!countdown) return;
    countdown.dispose();
    this.#countdowns.delete(countdown);
  }
}

/** Why a time limit has ended a run; nothing where none did. */
export function timeoutOf(signal: AbortSignal): string | undefined {
  const reason: unknown = signal.reason;
  return isAppError(reason, 'timeout') ? reason.message : undefined;
}

/** What is said of a call that was given up. */
function stuckText(signal: AbortSignal): string {
  const why = timeoutOf(signal) ?? (isInterruption(signal) ? 'Interrupted.' : isRetry(signal) ? 'Stopped by the user.' : 'Cancelled.');
  return `${why} It did not stop when told to: what became of it is not known. Look before you call it again.`;
}
