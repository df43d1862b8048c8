import type { ModelPrice } from '../domain/models.ts';
import type { Usage } from '../domain/usage.ts';

/** Prices are for that many tokens. */
const MILLION = 1_000_000;

/** What the tokens cost, in US dollars. Thinking is part of the output, and each cached token has the one price of its kind. */
export function costOf({ input, output, cacheRead, cacheWrite }: Usage, price: ModelPrice): number {
  const { cacheRead: ofRead = price.input, cacheWrite: ofWrite = price.input } = price;
  return (input * price.input + output * price.output + cacheRead * ofRead + cacheWrite * ofWrite) / MILLION;
}
