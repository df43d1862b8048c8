import { setTimeout as delay } from 'node:timers/promises';

/** Asks `probe` again and again until it gives a value; throws with `what` when the time is over. */
export async function waitFor<T>(what: string, timeoutMs: number, probe: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const value = await probe();
    if (value !== undefined) return value;
    if (performance.now() > end) throw new Error(`Waited ${timeoutMs} ms in vain for ${what}.`);
    await delay(50);
  }
}
