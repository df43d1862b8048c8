import type { LiteAgentOptions } from '../domain/liteAgent.ts';
import { TIERS, type ModelCatalog, type ModelRef, type Tier } from '../domain/models.ts';

/** What is configured of models, as of now. */
export type ModelOptions = Pick<LiteAgentOptions, 'model' | 'models' | 'defaultModel'>;
export type IsReachable = (model: ModelRef) => boolean;

/** Which tier is current where none is named. */
const DEFAULT_ORDER: readonly Tier[] = ['medium', 'simple', 'complex'];

/** The tiers that are configured, the simplest first. */
export function tiersOf(catalog: ModelCatalog): readonly Tier[] {
  return TIERS.filter((tier) => catalog[tier] !== undefined);
}

/** The model of a tier, which it says of itself; nothing where the tier isn't configured. */
export function tierModel(catalog: ModelCatalog | undefined, tier: Tier): ModelRef | undefined {
  const model = catalog?.[tier];
  return model && { ...model, tier };
}

/** What a root runs on: the model or tier that is wanted, else the default. A tier that is no longer configured counts as none. */
export function currentModel(wanted: Tier | ModelRef | undefined, options: ModelOptions, isReachable: IsReachable): ModelRef {
  const named = typeof wanted === 'string' ? tierModel(options.models, wanted) : wanted;
  return named ?? defaultModel(options, isReachable);
}

/** What `inherit` means for the children of a root: with a catalog its tier, or the default one where it runs outside of it; without one its model. */
export function inheritedModel(current: ModelRef, options: ModelOptions, isReachable: IsReachable): ModelRef {
  if (!options.models) return current;
  return (current.tier && tierModel(options.models, current.tier)) ?? defaultModel(options, isReachable);
}

/** The default tier, which nothing replaces where it alone can't be reached; the model beside the catalog where none of it can. */
function defaultModel({ model, models = {}, defaultModel: named }: ModelOptions, isReachable: IsReachable): ModelRef {
  if (!Object.values(models).some(isReachable)) return model;
  const tier = [...(named ? [named] : []), ...DEFAULT_ORDER].find((each) => models[each] !== undefined);
  return (tier && tierModel(models, tier)) ?? model;
}
