import type { Clock } from '../base/clock.ts';
import type { ModelError } from '../domain/models.ts';
import type { Cooldown } from './cooldown.ts';
import type { RetryPolicy } from './retryPolicy.ts';

/** A try that failed, and from when on, by `Clock.elapsed`, it may be followed by another. */
export interface FailedTry {
  readonly error: ModelError;
  readonly nextAt: number;
}

export interface WaitOptions {
  /** The try before; nothing for the first. */
  readonly failed: FailedTry | undefined;
  readonly cooldown: Cooldown;
  readonly clock: Clock;
  readonly retry: RetryPolicy;
}

/** How long to wait, in milliseconds, and because of what. */
export interface Wait {
  readonly ms: number;
  readonly error: ModelError;
}

/**
 * How long to wait, in milliseconds, before anything is sent, and because of what: one's own back-off or the provider's
 * cool-down, whosever it is. Nothing where it may be sent now. To be asked anew after each wait, since another agent
 * may have met the limit meanwhile, and with nothing awaited between the answer and the sending.
 */
export function nextWait({ failed, cooldown, clock, retry }: WaitOptions): Wait | undefined {
  const own = failed ? Math.ceil(failed.nextAt - clock.elapsed()) : 0;
  const cooling = cooldown.current;
  const shared = cooling ? Math.ceil(cooling.restMs + retry.random() * retry.spreadMs) : 0;
  const error = failed && own > 0 ? failed.error : cooling?.error;
  return error && { ms: Math.max(own, shared), error };
}
