/** Runs work that concerns the same things one after the other, in the order of the calls, and all else side by side. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs the work once all earlier work on any of the keys has ended. Rejects as the work does. */
  run<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const before = keys.flatMap((key) => this.#last.get(key) ?? []);
    const result = Promise.all(before).then(work);
    const end = result.then(noop, noop).then(() => {
      for (const key of keys) if (this.#last.get(key) === end) this.#last.delete(key);
    });
    for (const key of keys) this.#last.set(key, end);
    return result;
  }

  /** Resolves when everything that was asked for up to now has ended. */
  async idle(): Promise<void> {
    await Promise.all(this.#last.values());
  }
}

function noop(): void {}
