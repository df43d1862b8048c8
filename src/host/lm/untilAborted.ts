import { abortable } from '../../runtime/base/abort.ts';

/** The items of the source. On abort it rejects with the abort error at once, whatever the source does then; nobody waits for its end. */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T, void, undefined> {
  const iterator = source[Symbol.asyncIterator]();
  let isOver = false;
  try {
    for (;;) {
      const next = await abortable(iterator.next(), signal);
      if (next.done) break;
      yield next.value;
    }
    isOver = true;
  } finally {
    if (!isOver) void leave(iterator);
  }
}

/** Tells the source that nothing more is read. How it takes that is its own affair. */
async function leave(iterator: AsyncIterator<unknown>): Promise<void> {
  try {
    await iterator.return?.();
  } catch {
    // It has failed, or fails now: what it fails with was already told or is of no more use.
  }
}
