import { SYSTEM_CLOCK, type Clock } from '../base/clock.ts';
import type { AgentDefinition } from '../domain/definitions.ts';
import type { Publish } from '../domain/events.ts';
import type { TimeLimits } from '../domain/liteAgent.ts';
import { Cooldowns } from './cooldown.ts';
import { DEFAULT_RETRY, type RetryPolicy } from './retryPolicy.ts';

/** What all agents of one runtime share about time. */
export interface SharedTiming {
  readonly clock: Clock;
  readonly retry: RetryPolicy;
  readonly cooldowns: Cooldowns;
  /** As they are set now. */
  readonly limits: () => TimeLimits;
}

/** What one run of an agent knows of time. Of each limit 0 means none. */
export interface RunTiming {
  readonly clock: Clock;
  readonly retry: RetryPolicy;
  readonly cooldowns: Cooldowns;
  readonly limits: Required<TimeLimits>;
}

/** Replaces where the time comes from and how models are asked again: for tests. */
export interface TimingOverrides {
  readonly clock?: Clock;
  readonly retry?: Partial<RetryPolicy>;
}

export const DEFAULT_LIMITS: Required<TimeLimits> = { maxDurationMs: 0, toolMs: 0, toolIdleMs: 15 * 60_000, streamIdleMs: 5 * 60_000 };

export function createTiming(publish: Publish, limits: () => TimeLimits, { clock = SYSTEM_CLOCK, retry }: TimingOverrides = {}): SharedTiming {
  return { clock, retry: { ...DEFAULT_RETRY, ...retry }, cooldowns: new Cooldowns(clock, publish), limits };
}

/** A child's timing. Its definition's own time limit wins. */
export function childTiming({ limits, ...shared }: SharedTiming, { maxDurationMs }: AgentDefinition): RunTiming {
  return { ...shared, limits: { ...DEFAULT_LIMITS, ...limits(), ...(maxDurationMs !== undefined && { maxDurationMs }) } };
}

/** The root's timing: whom a person watches and can stop is limited in nothing but its model's silence. */
export function rootTiming({ limits, ...shared }: SharedTiming): RunTiming {
  const { streamIdleMs = DEFAULT_LIMITS.streamIdleMs } = limits();
  return { ...shared, limits: { maxDurationMs: 0, toolMs: 0, toolIdleMs: 0, streamIdleMs } };
}
