/** A promise with its resolvers beside it. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
}

export function deferred<T>(): Deferred<T> {
  return Promise.withResolvers<T>();
}

/** Runs functions one after the other in the order of the calls. A failed one rejects its own caller only. */
export class Serial {
  #tail: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(work);
    this.#tail = result.catch(() => undefined);
    return result;
  }

  /** Resolves when everything that was queued up to now has ended. */
  async idle(): Promise<void> {
    await this.#tail;
  }
}

/** Maps with at most `limit` calls in flight; results keep the order of the items. The first failure rejects. */
export async function mapLimited<T, R>(items: readonly T[], limit: number, map: (item: T, index: number) => Promise<R>): Promise<R[]> {
  const results = new Array<R>(items.length);
  const entries = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of entries) results[index] = await map(item, index);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return results;
}

/**
 * Gathers what is added while an earlier batch is worked on and hands it on together, so that many small writes
 * become few. Batches run one after the other; a failed one rejects its own items only.
 */
export class Batcher<T> {
  readonly #work: (items: readonly T[]) => Promise<void>;
  readonly #order = new Serial();
  #next: { readonly items: T[]; readonly done: Promise<void> } | undefined;

  constructor(work: (items: readonly T[]) => Promise<void>) {
    this.#work = work;
  }

  /** Settles as the batch that the item is in. */
  add(item: T): Promise<void> {
    if (this.#next) {
      this.#next.items.push(item);
      return this.#next.done;
    }
    const items = [item];
    const done = this.#order.run(() => {
      this.#next = undefined;
      return this.#work(items);
    });
    this.#next = { items, done };
    return done;
  }

  /** Resolves when everything that was added up to now is worked on. */
  idle(): Promise<void> {
    return this.#order.idle();
  }
}
