import { onAbort, RETRY } from '../base/abort.ts';

/** The steps of one run, a model turn or the calls of one, each of which can be stopped without the run. One at a time. */
export class Steps {
  readonly #run: AbortSignal;
  #current: AbortController | undefined;

  /** @param run ends each step, too */
  constructor(run: AbortSignal) {
    this.#run = run;
  }

  /** Does the work under a signal that aborts with the run, or where the step is stopped. Settles as the work does. */
  async take<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const step = new AbortController();
    const listening = onAbort(this.#run, () => step.abort(this.#run.reason));
    this.#current = step;
    try {
      return await work(step.signal);
    } finally {
      this.#current = undefined;
      listening.dispose();
    }
  }

  /** Stops the step that is under way, so that the run takes another one. Does nothing between two of them. */
  retry(): void {
    this.#current?.abort(RETRY);
  }
}
