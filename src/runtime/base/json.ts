/** A JSON value as text that is the same for equal values, in whatever order the keys of their objects stand. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) => (isRecord(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each)) ?? '';
}

/** Whether objects and arrays lie in each other in more levels than that; what does makes recursive code run out of stack. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > levels) return true;
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? [Object.values(each) as unknown[]] : [])).flat();
    level = level.filter((each) => typeof each === 'object' && each !== null);
  }
  return false;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
