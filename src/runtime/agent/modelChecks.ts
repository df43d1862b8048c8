import { AppError } from '../base/errors.ts';
import type { RootOptions } from '../domain/liteAgent.ts';
import { EDITOR_PROVIDER, TIERS, type ModelCatalog, type ModelPrice, type ModelRef, type ReasoningEffort } from '../domain/models.ts';
import { tiersOf, type ModelOptions } from './currentModel.ts';

const SAMPLING = ['temperature', 'topP'] as const;
const LIMITS = ['contextWindow', 'maxOutputTokens'] as const;
const EFFORTS: readonly ReasoningEffort[] = ['low', 'medium', 'high'];
const NEEDED_PRICES: Readonly<Record<keyof ModelPrice, boolean>> = { input: true, output: true, cacheRead: false, cacheWrite: false };

/** The settings of a model that no provider takes together with an effort. To a model of the editor none is sent, so that it disturbs nothing. */
export function samplingBesideEffort(model: ModelRef): readonly string[] {
  return model.reasoningEffort === undefined || model.provider === EDITOR_PROVIDER ? [] : SAMPLING.filter((name) => model[name] !== undefined);
}

/** What makes no sense in the options about models, a sentence each. */
export function modelProblems({ model, models, defaultModel, rootModel }: Partial<ModelOptions> & Pick<RootOptions, 'rootModel'>): readonly string[] {
  return [
    ...(model ? problemsOf(model, 'model') : []),
    ...(models ? catalogProblems(models) : []),
    ...(defaultModel === undefined ? [] : tierProblems('defaultModel', defaultModel, models)),
    ...(rootModel === undefined ? [] : typeof rootModel === 'string' ? tierProblems('rootModel', rootModel, models) : problemsOf(rootModel, 'rootModel')),
  ];
}

/** Throws `invalid_input` for a root's model that makes no sense, or a tier that isn't configured. */
export function checkRootModel(rootModel: NonNullable<RootOptions['rootModel']>, models: ModelCatalog | undefined): void {
  const problems = modelProblems({ rootModel, ...(models && { models }) });
  if (problems.length > 0) throw new AppError('invalid_input', problems.join(' '));
}

function catalogProblems(models: ModelCatalog): readonly string[] {
  const unknown = Object.keys(models).filter((name) => !TIERS.some((tier) => tier === name));
  const tiers = tiersOf(models);
  return [
    ...(tiers.length === 0 ? [`models must have at least one of ${TIERS.join(', ')}.`] : []),
    ...unknown.map((name) => `models has the tier ${JSON.stringify(name)}; there are only ${TIERS.join(', ')}.`),
    ...tiers.flatMap((tier) => problemsOf(models[tier], `models.${tier}`)),
  ];
}

function tierProblems(option: string, tier: string, models: ModelCatalog = {}): readonly string[] {
  const tiers: readonly string[] = tiersOf(models);
  return tiers.includes(tier) ? [] : [`${option} must be one of the configured tiers (${tiers.join(', ') || 'there are none'}), not ${JSON.stringify(tier)}.`];
}

function problemsOf(model: ModelRef | undefined, option: string): readonly string[] {
  if (!model) return [];
  const { temperature, topP, reasoningEffort, price } = model;
  return [
    ...(['provider', 'model'] as const).filter((name) => !model[name]).map((name) => `${option}.${name} is missing.`),
    ...samplingBesideEffort(model).map((name) => `${option}.reasoningEffort and ${option}.${name} can't be set together.`),
    ...LIMITS.filter((name) => model[name] !== undefined && !isCount(model[name])).map((name) => `${option}.${name} must be a whole number of at least 1, not ${String(model[name])}.`),
    ...(isWithin(temperature, 2) ? [] : [`${option}.temperature must be a number from 0 to 2, not ${String(temperature)}.`]),
    ...(isWithin(topP, 1) ? [] : [`${option}.topP must be a number from 0 to 1, not ${String(topP)}.`]),
    ...(reasoningEffort === undefined || EFFORTS.includes(reasoningEffort) ? [] : [`${option}.reasoningEffort must be one of ${EFFORTS.join(', ')}, not ${JSON.stringify(reasoningEffort)}.`]),
    ...(price ? priceProblems(price, `${option}.price`) : []),
  ];
}

/** A model may cost nothing. */
function priceProblems(price: ModelPrice, option: string): readonly string[] {
  const names = Object.keys(NEEDED_PRICES) as (keyof ModelPrice)[];
  return names.filter((name) => (price[name] === undefined ? NEEDED_PRICES[name] : !isWithin(price[name], Number.MAX_VALUE))).map((name) => `${option}.${name} must be a number of dollars of at least 0, not ${String(price[name])}.`);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1;
}

function isWithin(value: number | undefined, max: number): boolean {
  return value === undefined || (Number.isFinite(value) && value >= 0 && value <= max);
}
