/** Longer waits than this can't be meant, and would overflow a timer. */
const MAX_WAIT = 24 * 60 * 60 * 1000;

/** How long the answer asks to wait, in milliseconds: from `retry-after-ms`, else `retry-after` in seconds or as a date. Nothing where it doesn't say. */
export function retryAfterMs(headers: Headers | undefined, now: number): number | undefined {
  const exact = seconds(headers?.get('retry-after-ms'));
  if (exact !== undefined) return bounded(exact);
  const given = headers?.get('retry-after');
  const delay = seconds(given);
  if (delay !== undefined) return bounded(delay * 1000);
  const date = given ? Date.parse(given) : NaN;
  return Number.isNaN(date) ? undefined : bounded(date - now);
}

function seconds(text: string | null | undefined): number | undefined {
  return text && /^\s*\d+(?:\.\d+)?\s*$/u.test(text) ? Number(text) : undefined;
}

function bounded(ms: number): number {
  return Math.min(Math.max(0, Math.ceil(ms)), MAX_WAIT);
}
