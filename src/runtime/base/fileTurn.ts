import { abortable } from './abort.ts';
import { deferred } from './async.ts';

/** By path in lower case, since some file systems take no notice of case: the end of the last change that was asked for. */
const last = new Map<string, Promise<void>>();

/**
 * Runs a change of a file when all earlier ones of that file have ended. Subagents run side by side: without turns two
 * of them could both find the file as they knew it, and the later write would undo the earlier one.
 * @param path the real path.
 * @throws the abort error when the signal aborts while it waits, and what `work` throws.
 */
export async function inFileTurn<T>(path: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const key = path.toLowerCase();
  const before = last.get(key) ?? Promise.resolve();
  const own = deferred<void>();
  const end = before.then(() => own.promise);
  last.set(key, end);
  void end.then(() => {
    if (last.get(key) === end) last.delete(key);
  });
  try {
    await abortable(before, signal);
    return await work();
  } finally {
    own.resolve();
  }
}
