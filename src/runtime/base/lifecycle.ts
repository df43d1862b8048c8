/** Something with one owner who ends it. `dispose` is idempotent and never throws. */
export interface Disposable {
  dispose(): void;
}

/** Wraps a function so that it runs at most once. */
export function toDisposable(end: () => void): Disposable {
  let live = true;
  return {
    dispose() {
      if (!live) return;
      live = false;
      end();
    },
  };
}

/** Owns disposables and ends them together, the newest first. Adding to a disposed store ends the newcomer at once. */
export class DisposableStore implements Disposable {
  readonly #items = new Set<Disposable>();
  #disposed = false;

  add<T extends Disposable>(item: T): T {
    if (this.#disposed) item.dispose();
    else this.#items.add(item);
    return item;
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    for (const item of [...this.#items].reverse()) item.dispose();
    this.#items.clear();
  }
}
