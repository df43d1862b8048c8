import { abortable, abortError, onAbort } from './abort.ts';
import { Countdown, type Clock } from './clock.ts';
import { AppError } from './errors.ts';
import { durationText } from './text.ts';

/**
 * Does work that may take so many milliseconds. Its signal aborts with the given one, and when the time has run out.
 * Rejects with the abort error for the one, with `timeout` for the other, whatever the work does then.
 */
export async function withTimeLimit<T>(clock: Clock, ms: number, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const own = new AbortController();
  const listening = onAbort(signal, () => own.abort());
  const countdown = new Countdown(clock, ms, () => own.abort());
  try {
    return await abortable(work(own.signal), own.signal);
  } catch (error) {
    if (signal.aborted) throw abortError();
    if (own.signal.aborted) throw new AppError('timeout', `It took longer than ${durationText(ms)}. Try again.`, { cause: error });
    throw error;
  } finally {
    listening.dispose();
    countdown.dispose();
  }
}
