import { NO_USAGE, addUsage, totalTokens, type Usage } from '../runtime/domain/usage.ts';
import type { L10n } from './l10n.ts';

/** How numbers are written. */
export interface NumberStyle {
  /** A BCP 47 tag. */
  readonly locale: string;
  readonly l10n: L10n;
}

const CENT = 0.01;

/** `950`, `12.3k`, `1.2M`. */
export function tokenCount(tokens: number, { locale, l10n }: NumberStyle): string {
  const written = (value: number): string => value.toLocaleString(locale, { maximumFractionDigits: value < 100 ? 1 : 0 });
  if (tokens < 1000) return written(tokens);
  // What would be rounded up to a thousand thousands is a million.
  return tokens < 999_500 ? l10n.t('{0}k', written(tokens / 1000)) : l10n.t('{0}M', written(tokens / 1_000_000));
}

/** `$0.04`; `< $0.01` for what is less than a cent. */
export function moneyWords(dollars: number, { locale, l10n }: NumberStyle): string {
  const written = (amount: number): string => amount.toLocaleString(locale, { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' });
  return dollars > 0 && dollars < CENT ? l10n.t('< {0}', written(CENT)) : written(dollars);
}

/** `12.3k tokens` and `$0.04`, as far as they are known; nothing where nothing was used. */
export function usageFacts(usage: Usage, style: NumberStyle): readonly string[] {
  const { l10n } = style;
  const total = totalTokens(usage);
  if (total === 0) return usage.isPartial ? [l10n.t('tokens not reported')] : [];
  const tokens = tokenCount(total, style);
  return [usage.isPartial ? l10n.t('> {0} tokens', tokens) : l10n.t('{0} tokens', tokens), ...costFacts(usage, style)];
}

/** As `usageFacts`, with what the model read and what it wrote apart. */
export function splitFacts(usage: Usage, style: NumberStyle): readonly string[] {
  if (totalTokens(usage) === 0 || usage.isPartial) return usageFacts(usage, style);
  return [style.l10n.t('{0} tokens in, {1} out', tokenCount(inputOf(usage), style), tokenCount(usage.output, style)), ...costFacts(usage, style)];
}

/** What was used, by kind, as lines of a tooltip; an empty value where there is nothing to say. */
export function usageLines(usage: Usage, style: NumberStyle, hasUnpriced = false): readonly { readonly name: string; readonly value: string }[] {
  const { l10n } = style;
  const [count, cost] = [(tokens: number): string => tokenCount(tokens, style), costFacts(usage, style).join('')];
  const { cacheRead, cacheWrite, reasoning } = usage;
  return [
    { name: l10n.t('Tokens'), value: tokensLine(usage, style) },
    { name: l10n.t('Cached'), value: cacheRead + cacheWrite === 0 ? '' : l10n.t('{0} read, {1} written, part of what went in', count(cacheRead), count(cacheWrite)) },
    { name: l10n.t('Thinking'), value: reasoning === 0 ? '' : l10n.t('{0}, part of what came out', count(reasoning)) },
    { name: l10n.t('Cost'), value: cost !== '' && hasUnpriced ? l10n.t('{0}, without models that have no price', cost) : cost },
  ];
}

/** The sum of what rows show. */
export function usedBy(children: readonly { readonly usage: Usage }[]): Usage {
  return children.map(({ usage }) => usage).reduce(addUsage, NO_USAGE);
}

/** Whether one of several used tokens of which nobody knows the price. */
export function hasUnpriced(children: readonly { readonly usage: Usage }[]): boolean {
  return children.some(({ usage }) => usage.cost === undefined && totalTokens(usage) > 0);
}

function tokensLine(usage: Usage, style: NumberStyle): string {
  const { l10n } = style;
  if (totalTokens(usage) === 0) return usage.isPartial ? l10n.t('not reported') : '';
  const words = l10n.t('{0} in, {1} out', tokenCount(inputOf(usage), style), tokenCount(usage.output, style));
  return usage.isPartial ? l10n.t('{0}, and more that was not reported, as of an answer that was stopped', words) : words;
}

function costFacts({ cost }: Usage, style: NumberStyle): readonly string[] {
  return cost === undefined ? [] : [moneyWords(cost, style)];
}

/** All that the model read, cached or not. */
function inputOf({ input, cacheRead, cacheWrite }: Usage): number {
  return input + cacheRead + cacheWrite;
}
