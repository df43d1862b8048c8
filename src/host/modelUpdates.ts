import { isDeepStrictEqual } from 'node:util';
import { SETTINGS, type SettingKey } from '../ids.ts';
import type { ModelRef, Tier } from '../runtime/domain/models.ts';
import type { ConfiguredModels } from './catalogSettings.ts';
import { environmentAddress, isKeyedProvider, ownAddress, type Environment } from './endpoints.ts';
import { OFFLINE_MODEL } from './modelSettings.ts';
import { isRecord } from './records.ts';

/** One setting of the user. `value` undefined: it is removed. */
export interface SettingUpdate {
  readonly key: SettingKey;
  readonly value: unknown;
}

/** What a chosen model is for: everything, or one tier of the catalog. Each of the two takes the other's place. */
export type ModelUse = { readonly kind: 'single' } | { readonly kind: 'tier'; readonly tier: Tier };

/** The user's settings, as they are written and as they are read. */
export interface PresentModels extends Pick<ConfiguredModels, 'model' | 'models'> {
  readonly written: (key: SettingKey) => unknown;
}

/** What the one model's settings say beside its provider. */
const SINGLE_FIELDS = [SETTINGS.model, SETTINGS.baseUrl, SETTINGS.api, SETTINGS.reasoningEffort, SETTINGS.maxOutputTokens, SETTINGS.contextWindow, SETTINGS.price] as const;

/**
 * What to write for a chosen model, in an order in which no state in between is a model that nobody meant: the provider
 * goes first and comes back last. Of the same model as now, what else a person wrote about it stays. `chosen` without an
 * address means the provider's own, which is written out where the environment names another. What is right already
 * isn't written.
 */
export function modelUpdates(chosen: ModelRef, use: ModelUse, present: PresentModels, env: Environment): readonly SettingUpdate[] {
  const baseUrl = chosen.baseUrl ?? addressAgainst(chosen.provider, env);
  switch (use.kind) {
    case 'single':
      return singleUpdates(chosen, baseUrl, present);
    case 'tier':
      return tierUpdates(chosen, baseUrl, use.tier, present);
  }
}

function singleUpdates(chosen: ModelRef, baseUrl: string | undefined, { written, model, models }: PresentModels): readonly SettingUpdate[] {
  const isChange = ({ key, value }: SettingUpdate): boolean => !isDeepStrictEqual(value, written(key));
  const off = removal(SETTINGS.provider);
  const catalog = [removal(SETTINGS.models), removal(SETTINGS.defaultModel)];
  if (chosen.provider === OFFLINE_MODEL.provider) return [off, ...catalog].filter(isChange);
  const isKept = models === undefined && isSameModel(chosen, model);
  const values: Readonly<Partial<Record<SettingKey, unknown>>> = { ...chosen, baseUrl };
  const fields = SINGLE_FIELDS.filter((key) => !isKept || key === SETTINGS.reasoningEffort || key === SETTINGS.baseUrl).map((key) => ({ key, value: values[key] }));
  const rest = [...catalog, ...fields].filter(isChange);
  const on = { key: SETTINGS.provider, value: chosen.provider };
  return rest.length === 0 ? [on].filter(isChange) : [...[off].filter(isChange), ...rest, on];
}

/** The one model beside a catalog would be ignored and complained about, so it goes. */
function tierUpdates(chosen: ModelRef, baseUrl: string | undefined, tier: Tier, { written, models }: PresentModels): readonly SettingUpdate[] {
  const catalog = written(SETTINGS.models);
  const others = isRecord(catalog) ? catalog : {};
  const earlier = others[tier];
  const now = models?.[tier];
  const kept = isRecord(earlier) && now !== undefined && isSameModel(chosen, now) ? withoutEffort(earlier, chosen) : freshEntry(chosen);
  const entry = definedOnly({ ...kept, provider: chosen.provider, model: chosen.model, baseUrl, reasoningEffort: chosen.reasoningEffort });
  const single = written(SETTINGS.model) === undefined ? [] : [SETTINGS.provider, ...SINGLE_FIELDS].map(removal);
  return [...single, { key: SETTINGS.models, value: { ...others, [tier]: entry } }].filter(({ key, value }) => !isDeepStrictEqual(value, written(key)));
}

function freshEntry({ provider, model, displayName, maxOutputTokens, contextWindow }: ModelRef): Readonly<Record<string, unknown>> {
  return { provider, model, displayName, maxOutputTokens, contextWindow };
}

/** Effort and sampling exclude each other. */
function withoutEffort(entry: Readonly<Record<string, unknown>>, { reasoningEffort }: ModelRef): Readonly<Record<string, unknown>> {
  return reasoningEffort === undefined ? entry : { ...entry, temperature: undefined, topP: undefined };
}

function isSameModel(a: ModelRef, b: ModelRef): boolean {
  return a.provider === b.provider && a.model === b.model && a.baseUrl === b.baseUrl;
}

/** The provider's own address, where without it the environment's would count. */
function addressAgainst(provider: string, env: Environment): string | undefined {
  return isKeyedProvider(provider) && environmentAddress(provider, env).kind !== 'own' ? ownAddress(provider) : undefined;
}

function removal(key: SettingKey): SettingUpdate {
  return { key, value: undefined };
}

function definedOnly(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
