import type { Disposable } from '../runtime/base/lifecycle.ts';

/** Runs the work once for all calls within a span of milliseconds that starts with the first. Nothing runs after disposal. */
export class Coalescer implements Disposable {
  readonly #ms: number;
  readonly #work: () => void;
  #timer: NodeJS.Timeout | undefined;
  #disposed = false;

  constructor(ms: number, work: () => void) {
    this.#ms = ms;
    this.#work = work;
  }

  schedule(): void {
    if (this.#disposed || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#work();
    }, this.#ms);
  }

  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
