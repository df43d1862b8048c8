import { AppError, errorText, isAppError } from '../runtime/base/errors.ts';

/** Does all, one after the other, whatever becomes of each. Rejects at the end with the failure, or with one that joins several. */
export async function eachInTurn<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) await work(item).catch((error: unknown) => failures.push(error));
  throwJoined(failures);
}

/** Waits for all of what was begun. Rejects as `eachInTurn`. */
export async function allSettled(begun: readonly Promise<unknown>[]): Promise<void> {
  const results = await Promise.allSettled(begun);
  throwJoined(results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : [])));
}

/** Throws the failure, or one that says what each of them says; nothing where there is none. */
export function throwJoined(failures: readonly unknown[]): void {
  const [first] = failures;
  if (first === undefined) return;
  const texts = [...new Set(failures.map(errorText))];
  throw texts.length < 2 && first instanceof Error ? first : new AppError(isAppError(first) ? first.reason : 'internal', texts.join(' '));
}
