import { abortError, onAbort } from '../base/abort.ts';
import { Countdown, type Clock } from '../base/clock.ts';
import type { Disposable } from '../base/lifecycle.ts';
import type { ModelEvent } from '../domain/models.ts';

/** Milliseconds that a provider has to stop after the abort. One that ignores it must not hold its child, and all of `close`, for ever. */
const ABORT_GRACE = 1000;

/** The signal of one try: aborts with the run, or when the stream is silent for too long. */
export class StreamGuard implements Disposable {
  readonly #stop = new AbortController();
  readonly #listening: Disposable;
  readonly #idle: Countdown | undefined;
  isSilent = false;

  constructor(outer: AbortSignal, clock: Clock, idleMs: number) {
    this.#listening = onAbort(outer, () => this.#stop.abort(outer.reason));
    if (idleMs <= 0) return;
    this.#idle = new Countdown(clock, idleMs, () => {
      this.isSilent = true;
      this.#stop.abort();
    });
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  heard(): void {
    this.#idle?.restart();
  }

  /** Nothing more is wanted: tells the provider, which may not stop for the end of the reading alone. */
  giveUp(): void {
    this.#stop.abort();
  }

  dispose(): void {
    this.#listening.dispose();
    this.#idle?.dispose();
  }
}

/** Hands over the events until `take` wants no more, the stream ends, or the abort is so long ago that the provider seems to ignore it. */
export async function consume(stream: AsyncIterable<ModelEvent>, signal: AbortSignal, clock: Clock, take: (event: ModelEvent) => boolean): Promise<void> {
  const iterator = stream[Symbol.asyncIterator]();
  let isLate = false;
  let giveUp = (): void => undefined;
  let grace: Disposable | undefined;
  const listening = onAbort(signal, () => {
    grace = clock.after(ABORT_GRACE, () => {
      isLate = true;
      giveUp();
    });
  });
  const unlessLate = <T>(step: Promise<T> | undefined): Promise<T | undefined> =>
    new Promise((resolve, reject) => {
      giveUp = () => reject(abortError());
      if (isLate) giveUp();
      void Promise.resolve(step).then(resolve, reject);
    });
  try {
    for (let next = await unlessLate(iterator.next()); next && !next.done; next = await unlessLate(iterator.next())) {
      if (take(next.value)) continue;
      await unlessLate(iterator.return?.());
      return;
    }
  } finally {
    listening.dispose();
    grace?.dispose();
    if (isLate) void iterator.return?.().catch(() => undefined);
  }
}
