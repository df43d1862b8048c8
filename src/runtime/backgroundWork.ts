import { errorText } from './base/errors.ts';
import type { Publish } from './domain/events.ts';

/** Work that nobody waits for but the end. What fails of it is told as a `problem`. */
export class BackgroundWork {
  readonly #publish: Publish;
  readonly #running = new Set<Promise<void>>();

  constructor(publish: Publish) {
    this.#publish = publish;
  }

  /** `whatFailed`: the sentence that begins the problem, without its end. */
  readonly run = (work: Promise<void>, whatFailed: string): void => {
    const running = work
      .catch((error: unknown) => this.#publish({ type: 'problem', message: `${whatFailed}: ${errorText(error)}` }))
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  };

  /** Resolves once all that runs now has ended. Never rejects. */
  async idle(): Promise<void> {
    await Promise.all(this.#running);
  }
}
