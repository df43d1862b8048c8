import { plural } from '../base/text.ts';
import type { ModelError, ModelFailure } from '../domain/models.ts';

/** How a model is asked again. Times in milliseconds. */
export interface RetryPolicy {
  /** Of one model turn, the first included. */
  readonly maxTries: number;
  /** The wait after the first failed try; doubled by each further one, up to `maxDelayMs`. */
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  /** A provider that asks for more than this isn't waited for. */
  readonly maxRetryAfterMs: number;
  /** Over how long those who waited for a cool-down start again. */
  readonly spreadMs: number;
  /** From 0 up to but not including 1. */
  readonly random: () => number;
}

export const DEFAULT_RETRY: RetryPolicy = {
  maxTries: 6,
  baseDelayMs: 1000,
  maxDelayMs: 32_000,
  maxRetryAfterMs: 5 * 60_000,
  spreadMs: 2000,
  random: Math.random,
};

/** Which failures pass by themselves, and which of them say that the provider has too much to do for anybody. */
const NATURE: Readonly<Record<ModelFailure, 'limited' | 'passing' | 'lasting'>> = {
  rate_limited: 'limited',
  overloaded: 'limited',
  server: 'passing',
  timeout: 'passing',
  network: 'passing',
  auth: 'lasting',
  quota: 'lasting',
  bad_request: 'lasting',
  context: 'lasting',
  error: 'lasting',
};

/** Whether a failure passes by itself. */
export function isPassing(failure: ModelFailure): boolean {
  return NATURE[failure] !== 'lasting';
}

/** `coolMs`: how long nobody should ask this provider; 0 where the failure says nothing about others. */
export type Verdict =
  | { readonly kind: 'again'; readonly delayMs: number; readonly coolMs: number }
  | { readonly kind: 'give_up'; readonly error: ModelError; readonly coolMs: number };

/** What follows from the failure of that many tries, the last with this error. */
export function judgeFailure(error: ModelError, tries: number, policy: RetryPolicy): Verdict {
  if (!isPassing(error.failure)) return { kind: 'give_up', error, coolMs: 0 };
  const wanted = error.retryAfterMs ?? 0;
  if (wanted > policy.maxRetryAfterMs) {
    // No cool-down either: a date that a wrong clock made absurd would lock everybody out.
    return { kind: 'give_up', error: { ...error, message: `${error.message} (It asks to wait ${plural(Math.ceil(wanted / 60_000), 'minute')}, which is too long to wait here.)` }, coolMs: 0 };
  }
  const delayMs = Math.max(wanted, backoff(tries, policy));
  const coolMs = NATURE[error.failure] === 'limited' ? delayMs : 0;
  if (tries < policy.maxTries) return { kind: 'again', delayMs, coolMs };
  return { kind: 'give_up', error: { ...error, message: `Gave up after ${tries} tries. ${error.message}` }, coolMs };
}

/** Doubled by each failed try, give or take a quarter, so that those who failed together don't come back together. */
function backoff(tries: number, { baseDelayMs, maxDelayMs, random }: RetryPolicy): number {
  return Math.min(maxDelayMs, baseDelayMs * 2 ** (tries - 1)) * (0.75 + random() / 2);
}
