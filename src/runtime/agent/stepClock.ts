import type { Disposable } from '../base/lifecycle.ts';
import type { RunClock } from './runClock.ts';

/** What the calls of one turn know of time: the clock of their run, with a signal that may end them without it. */
export type CallClock = Pick<RunClock, 'signal' | 'pause' | 'timeCall' | 'unlessStuck'>;

/** The clock of a run for calls that can be stopped by themselves. */
export class StepClock implements CallClock {
  readonly signal: AbortSignal;
  readonly #run: RunClock;

  /** @param signal aborts with the run, too */
  constructor(run: RunClock, signal: AbortSignal) {
    this.#run = run;
    this.signal = signal;
  }

  pause(): Disposable {
    return this.#run.pause();
  }

  timeCall<T>(tool: string, call: (heard: () => void) => Promise<T>): Promise<T> {
    return this.#run.timeCall(tool, call, this.signal);
  }

  unlessStuck<T>(work: Promise<T>): Promise<T> {
    return this.#run.unlessStuck(work, this.signal);
  }
}
