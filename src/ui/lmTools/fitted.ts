/** Longest text of a child that a result holds anyway, in UTF-16 units. */
const MAX_CHILD_TEXT = 20_000;
/** The search for the right length ends at this precision. */
const STEP = 200;
const CUT = '\n[Cut. The whole results are in the Groups view of Subagent Panel.]';

/** How many tokens a result may have, as the caller counts them. */
export interface TokenBudget {
  readonly tokens: number;
  readonly count: (text: string) => Thenable<number>;
}

/**
 * A result that fits the budget: the texts of all children are cut alike, each with a pointer to the whole of it; only
 * where even that is too much, what comes last is left out. `text`: the result with texts of at most that many UTF-16 units.
 */
export async function fitted(text: (maxChildText: number) => string, { tokens, count }: TokenBudget): Promise<string> {
  const fits = async (candidate: string): Promise<boolean> => (await count(candidate)) <= tokens;
  const whole = text(MAX_CHILD_TEXT);
  if (await fits(whole)) return whole;
  const shortest = text(0);
  if (await fits(shortest)) return text(await longest(MAX_CHILD_TEXT, (length) => fits(text(length))));
  const cutTo = (length: number): string => `${shortest.slice(0, length).replace(/[\ud800-\udbff]$/, '')}${CUT}`;
  return cutTo(await longest(shortest.length, (length) => fits(cutTo(length))));
}

/** The greatest length below `max` that fits, within a step; 0 where none does. */
async function longest(max: number, fits: (length: number) => Promise<boolean>): Promise<number> {
  let [low, high] = [0, max];
  while (high - low > STEP) {
    const middle = Math.floor((low + high) / 2);
    if (await fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}
