/** Tokens of one or more model turns. `input` excludes the cached ones, so that the four add up without counting any twice. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** Part of `output`. */
  readonly reasoning: number;
  /** US dollars. Absent where no price is configured. Of several turns, those with a price. */
  readonly cost?: number;
  /** True where a turn's provider didn't say what it used: it was more than is counted here. */
  readonly isPartial?: boolean;
}

/**
 * Why no more may be used, in a sentence; nothing while more may.
 * @param pending what the asker has used and not told yet: the failed tries of a turn that goes on
 */
export type OverBudget = (pending?: Usage) => string | undefined;

export const NO_USAGE: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  const hasCost = a.cost !== undefined || b.cost !== undefined;
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    reasoning: a.reasoning + b.reasoning,
    ...(hasCost && { cost: (a.cost ?? 0) + (b.cost ?? 0) }),
    ...((a.isPartial || b.isPartial) && { isPartial: true }),
  };
}

export function totalTokens(usage: Usage): number {
  return usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
}
