import { AppError, isAppError } from './errors.ts';
import { toDisposable, type Disposable } from './lifecycle.ts';

/** The error that ends an aborted operation. */
export function abortError(): AppError {
  return new AppError('aborted', 'Cancelled.');
}

/** True for our own abort error and for the ones that Node and `fetch` throw. */
export function isAbort(error: unknown): boolean {
  return isAppError(error, 'aborted') || (error instanceof Error && error.name === 'AbortError');
}

/** The reason of a signal that aborts because the host stops: the run isn't over, it only doesn't go on here. */
export const INTERRUPTION = Symbol('interruption');

/** Whether it was the host's end that aborted the signal. */
export function isInterruption(signal: AbortSignal): boolean {
  return signal.reason === INTERRUPTION;
}

/** The reason of a signal that aborts because a person wants another try: the run goes on. */
export const RETRY = Symbol('retry');

/** Whether it was the wish for another try that aborted the signal. */
export function isRetry(signal: AbortSignal): boolean {
  return signal.reason === RETRY;
}

/** Throws the abort error when the signal is aborted. */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw abortError();
}

/** Calls back once on abort, at once if that was before. Dispose to stop listening. */
export function onAbort(signal: AbortSignal, callback: () => void): Disposable {
  if (signal.aborted) {
    callback();
    return { dispose() {} };
  }
  signal.addEventListener('abort', callback, { once: true });
  return toDisposable(() => signal.removeEventListener('abort', callback));
}

/** Settles as the promise does, or rejects with the abort error as soon as the signal aborts. The promise's own later rejection is then nobody's. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const listening = onAbort(signal, () => reject(abortError()));
    void promise.then(resolve, reject).finally(() => listening.dispose());
  });
}

/** Waits that many milliseconds; rejects with the abort error when aborted, leaving no timer. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      listening.dispose();
      resolve();
    }, ms);
    const listening = onAbort(signal, () => {
      clearTimeout(timer);
      reject(abortError());
    });
  });
}
