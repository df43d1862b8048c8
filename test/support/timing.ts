import { RunClock } from '../../src/runtime/agent/runClock.ts';
import type { RetryPolicy } from '../../src/runtime/agent/retryPolicy.ts';
import { createTiming, DEFAULT_LIMITS, type RunTiming } from '../../src/runtime/agent/timing.ts';
import type { Clock } from '../../src/runtime/base/clock.ts';
import type { Publish } from '../../src/runtime/domain/events.ts';
import type { TimeLimits } from '../../src/runtime/domain/liteAgent.ts';

export interface TestTiming {
  /** Absent: the real one. */
  readonly clock?: Clock;
  readonly retry?: Partial<RetryPolicy>;
  readonly limits?: TimeLimits;
  /** Hears of cool-downs. */
  readonly publish?: Publish;
}

/** The timing of one run. With no jitter unless the test says otherwise: `random` gives the middle. */
export function timingOf({ clock, retry, limits, publish = () => undefined }: TestTiming = {}): RunTiming {
  const shared = createTiming(publish, () => ({}), { ...(clock && { clock }), retry: { random: () => 0.5, spreadMs: 0, ...retry } });
  return { ...shared, limits: { ...DEFAULT_LIMITS, ...limits } };
}

/** The clock of a run without limits that the signal ends. */
export function clockOf(signal = new AbortController().signal): RunClock {
  return new RunClock(timingOf({ limits: { toolIdleMs: 0 } }), signal);
}
