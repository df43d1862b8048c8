import { SETTINGS } from '../ids.ts';
import { TIERS, type ModelCatalog, type ModelRef, type Tier } from '../runtime/domain/models.ts';
import type { Environment } from './endpoints.ts';
import { OFFLINE_MODEL, readModel } from './modelSettings.ts';
import { isEmptyRecord, isRecord } from './records.ts';
import type { SettingValues } from './settingValue.ts';
import { readTier } from './tierSettings.ts';

/** What agents run on. */
export interface ConfiguredModels {
  /** The default tier's model; without a catalog the one configured model, else the offline demo. */
  readonly model: ModelRef;
  /** At least one tier. Absent without a catalog. */
  readonly models: ModelCatalog | undefined;
  /** The tier that the user made the default, where it is configured. */
  readonly defaultModel: Tier | undefined;
}

const NO_DEFAULT = 'auto';
/** The default tier, where the user names none: the first of these that is configured. */
const DEFAULT_ORDER = ['medium', 'simple', 'complex'] as const satisfies readonly Tier[];

/**
 * The models by the user's settings alone: the catalog, and only where none is written the one model. A catalog of which
 * nothing can be used is the offline demo: it was meant to replace the one model, so that model isn't meant any more.
 */
export function readModels(values: SettingValues, env: Environment): ConfiguredModels {
  const written = values.inspect(SETTINGS.models)?.globalValue;
  if (written === undefined || isEmptyRecord(written)) return { model: readModel(values, env), models: undefined, defaultModel: undefined };
  if (values.text(SETTINGS.model, 'user') !== '') values.problems.add(SETTINGS.model, 'beside_catalog');
  const models = readCatalog(written, values, env);
  const defaultModel = readDefault(models, values);
  const first = [defaultModel, ...DEFAULT_ORDER].flatMap((tier) => (tier === undefined ? [] : (models[tier] ?? [])))[0];
  return first === undefined ? { model: OFFLINE_MODEL, models: undefined, defaultModel: undefined } : { model: first, models, defaultModel };
}

/** Each tier by itself: one that can't be used is reported and left out, and costs the others nothing. */
function readCatalog(written: unknown, { problems }: SettingValues, env: Environment): ModelCatalog {
  if (!isRecord(written)) {
    problems.add(SETTINGS.models, 'not_a_catalog');
    return {};
  }
  const entries = Object.entries(written).flatMap(([name, value]): [Tier, ModelRef][] => {
    const tier = TIERS.find((one) => one === name);
    if (tier === undefined) {
      problems.addTier(SETTINGS.models, name, { kind: 'unknown_tier' });
      return [];
    }
    const reading = readTier(tier, value, env);
    if (!reading.ok) {
      problems.addTier(SETTINGS.models, tier, reading.fault);
      return [];
    }
    if (reading.isEffortUnsent) problems.addUnsentEffort(SETTINGS.models, tier);
    return [[tier, reading.model]];
  });
  return Object.fromEntries(entries);
}

function readDefault(models: ModelCatalog, values: SettingValues): Tier | undefined {
  const chosen = values.choice(SETTINGS.defaultModel, 'user', [NO_DEFAULT, ...TIERS]);
  if (chosen === NO_DEFAULT) return undefined;
  if (models[chosen] !== undefined) return chosen;
  values.problems.add(SETTINGS.defaultModel, 'not_a_tier');
  return undefined;
}
