import { SETTINGS } from '../ids.ts';
import { EDITOR_PROVIDER, isVendorModel, type ModelRef } from '../runtime/domain/models.ts';
import { meantAddress, type Address, type Environment, type KeyedProvider } from './endpoints.ts';
import { readPrice } from './priceValue.ts';
import { isEmptyRecord } from './records.ts';
import type { SettingValues } from './settingValue.ts';

/** What the one model's context window may be set to, in tokens. */
export const MAX_WINDOW = 100_000_000;

/** The demo that needs nothing, and runs until a model is configured. */
export const OFFLINE_MODEL: ModelRef = { provider: 'offline', model: 'offline' };

/**
 * The one configured model, by the user's settings alone. Where provider, model and address don't make one it is the
 * offline demo, not a model nearby: nothing goes to an address that the user didn't mean. A key never configures one.
 */
export function readModel(values: SettingValues, env: Environment): ModelRef {
  const provider = values.choice(SETTINGS.provider, 'user', ['offline', 'anthropic', 'openai', EDITOR_PROVIDER]);
  const model = values.text(SETTINGS.model, 'user');
  const api = values.choice(SETTINGS.api, 'user', ['auto', 'responses', 'chat']);
  const reasoningEffort = values.choice(SETTINGS.reasoningEffort, 'user', ['default', 'low', 'medium', 'high']);
  const sizes = {
    maxOutputTokens: values.count(SETTINGS.maxOutputTokens, 'user', 8192, { max: 1_000_000 }),
    contextWindow: values.count(SETTINGS.contextWindow, 'user', 128_000, { max: MAX_WINDOW }),
  };
  const price = readModelPrice(values);
  const rest = { ...sizes, ...(price !== undefined && { price }) };
  if (provider === 'offline') return OFFLINE_MODEL;
  if (provider === EDITOR_PROVIDER) {
    if (reasoningEffort !== 'default') values.problems.add(SETTINGS.reasoningEffort, 'effort_not_sent');
    return readEditorModel(values, { provider, model, ...rest });
  }
  const address = configuredAddress(provider, values, env);
  if (model === '') values.problems.add(SETTINGS.model, 'no_model');
  if (model === '' || address.kind === 'bad') return OFFLINE_MODEL;
  return {
    provider,
    model,
    ...(address.kind === 'other' ? { baseUrl: address.baseUrl } : {}),
    ...(provider === 'openai' && api !== 'auto' ? { api } : {}),
    ...(reasoningEffort === 'default' ? {} : { reasoningEffort }),
    ...rest,
  };
}

/** The editor finds its model by itself: an address would mean nothing. */
function readEditorModel({ problems }: SettingValues, model: ModelRef): ModelRef {
  if (isVendorModel(model.model)) return model;
  problems.add(SETTINGS.model, model.model === '' ? 'no_model' : 'no_vendor');
  return OFFLINE_MODEL;
}

function readModelPrice({ inspect, problems }: SettingValues): ModelRef['price'] {
  const value = inspect(SETTINGS.price)?.globalValue;
  if (value === undefined || isEmptyRecord(value)) return undefined;
  const price = readPrice(value);
  if (price === undefined) problems.add(SETTINGS.price, 'not_a_price');
  return price;
}

const NO_ADDRESS: Address = { kind: 'bad', problem: 'not_an_address' };

/** The address in the settings, or where they name none, in the environment. */
function configuredAddress(provider: KeyedProvider, values: SettingValues, env: Environment): Address {
  const text = values.text(SETTINGS.baseUrl, 'user');
  // What isn't even text is an address that was meant, too.
  const isNoText = text === '' && values.problems.has(SETTINGS.baseUrl);
  const { address, variable } = isNoText ? { address: NO_ADDRESS } : meantAddress(provider, text, env);
  if (address.kind !== 'bad') return address;
  if (variable === undefined) values.problems.add(SETTINGS.baseUrl, address.problem);
  else values.problems.addNamed(variable, address.problem);
  return address;
}
