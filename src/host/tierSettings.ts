import { EDITOR_PROVIDER, isVendorModel, type ModelRef, type OpenAiApi, type ReasoningEffort, type Tier } from '../runtime/domain/models.ts';
import { isKeyedProvider, meantAddress, type AddressProblem, type Environment } from './endpoints.ts';
import { OFFLINE_MODEL } from './modelSettings.ts';
import { readPrice } from './priceValue.ts';
import { isRecord } from './records.ts';
import { isAmount, isText } from './settingValue.ts';

/** Why something is no model of the catalog. `field`, `fields`: what has the wrong value. */
export type TierFault =
  | { readonly kind: 'not_an_object' | 'unknown_provider' | 'no_model' | 'no_vendor' | 'not_a_price' | 'unknown_tier' }
  | { readonly kind: 'not_text' | 'not_a_choice' | 'not_a_count'; readonly field: string }
  | { readonly kind: 'out_of_range'; readonly field: string; readonly max: number }
  /** `variable`: the one of the environment that holds the address, where the tier has none. */
  | { readonly kind: AddressProblem; readonly variable?: string }
  | { readonly kind: 'effort_with'; readonly fields: readonly string[] };

/** `isEffortUnsent`: an effort is set where none can be sent, and left out. */
export type TierReading = { readonly ok: true; readonly model: ModelRef; readonly isEffortUnsent: boolean } | { readonly ok: false; readonly fault: TierFault };

type Fields = Readonly<Record<string, unknown>>;

const EFFORTS: readonly ReasoningEffort[] = ['low', 'medium', 'high'];
const APIS: readonly OpenAiApi[] = ['responses', 'chat'];
const TEXTS = ['model', 'displayName', 'baseUrl'] as const;
const COUNTS = ['maxOutputTokens', 'contextWindow'] as const;
/** Sampling, with the highest value of each. */
const SAMPLING = { temperature: 2, topP: 1 } as const;
const SAMPLING_FIELDS = ['temperature', 'topP'] as const;

/** Reads a model of the catalog. Half of one is none: nobody knows what was meant by the rest. Fields that mean nothing here are ignored. */
export function readTier(tier: Tier, value: unknown, env: Environment): TierReading {
  if (!isRecord(value)) return bad({ kind: 'not_an_object' });
  const { provider } = value;
  if (!isText(provider) || !(provider === OFFLINE_MODEL.provider || provider === EDITOR_PROVIDER || isKeyedProvider(provider))) return bad({ kind: 'unknown_provider' });
  const fault = faultOf(provider, value);
  if (fault !== undefined) return bad(fault);
  if (provider === OFFLINE_MODEL.provider) return { ok: true, model: { ...OFFLINE_MODEL, ...nameOf(value), tier }, isEffortUnsent: false };
  const model = { provider, model: textOf(value, 'model'), tier, ...fieldsOf(value) };
  if (!isKeyedProvider(provider)) return { ok: true, model, isEffortUnsent: value['reasoningEffort'] !== undefined };
  const { address, variable } = meantAddress(provider, textOf(value, 'baseUrl'), env);
  if (address.kind === 'bad') return bad({ kind: address.problem, ...(variable !== undefined && { variable }) });
  const reasoningEffort = EFFORTS.find((effort) => effort === value['reasoningEffort']);
  const api = provider === 'openai' ? APIS.find((one) => one === value['api']) : undefined;
  return {
    ok: true,
    model: { ...model, ...(address.kind === 'other' && { baseUrl: address.baseUrl }), ...(api !== undefined && { api }), ...(reasoningEffort !== undefined && { reasoningEffort }) },
    isEffortUnsent: false,
  };
}

function bad(fault: TierFault): TierReading {
  return { ok: false, fault };
}

/** The first fault, in the order of the fields. */
function faultOf(provider: string, value: Fields): TierFault | undefined {
  const notText = TEXTS.find((field) => value[field] !== undefined && !isText(value[field]));
  if (notText !== undefined) return { kind: 'not_text', field: notText };
  const model = textOf(value, 'model');
  if (model === '' && provider !== OFFLINE_MODEL.provider) return { kind: 'no_model' };
  if (provider === EDITOR_PROVIDER && !isVendorModel(model)) return { kind: 'no_vendor' };
  if (!isChoice(value['api'], APIS)) return { kind: 'not_a_choice', field: 'api' };
  if (!isChoice(value['reasoningEffort'], EFFORTS)) return { kind: 'not_a_choice', field: 'reasoningEffort' };
  const notCount = COUNTS.find((field) => value[field] !== undefined && !isCount(value[field]));
  if (notCount !== undefined) return { kind: 'not_a_count', field: notCount };
  const tooMuch = SAMPLING_FIELDS.find((field) => value[field] !== undefined && !(isAmount(value[field]) && value[field] <= SAMPLING[field]));
  if (tooMuch !== undefined) return { kind: 'out_of_range', field: tooMuch, max: SAMPLING[tooMuch] };
  if (value['price'] !== undefined && readPrice(value['price']) === undefined) return { kind: 'not_a_price' };
  const sampling = SAMPLING_FIELDS.filter((field) => value[field] !== undefined);
  // An effort that isn't sent disturbs nothing.
  if (value['reasoningEffort'] !== undefined && sampling.length > 0 && isKeyedProvider(provider)) return { kind: 'effort_with', fields: sampling };
  return undefined;
}

/** What all providers have but provider, model and tier. */
function fieldsOf(value: Fields): Partial<ModelRef> {
  const numbers = [...COUNTS, ...SAMPLING_FIELDS].flatMap((field) => (typeof value[field] === 'number' ? [[field, value[field]] as const] : []));
  const price = readPrice(value['price']);
  return { ...nameOf(value), ...Object.fromEntries(numbers), ...(price !== undefined && { price }) };
}

function nameOf(value: Fields): Pick<ModelRef, 'displayName'> {
  const displayName = textOf(value, 'displayName');
  return displayName === '' ? {} : { displayName };
}

/** Without white space around it; empty for what isn't there. */
function textOf(value: Fields, field: string): string {
  const text = value[field];
  return isText(text) ? text.trim() : '';
}

function isChoice(value: unknown, choices: readonly string[]): boolean {
  return value === undefined || choices.some((choice) => choice === value);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1;
}
