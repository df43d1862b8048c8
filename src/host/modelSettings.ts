import { SETTINGS } from '../ids.ts';
import type { ModelRef } from '../runtime/domain/models.ts';
import { addressVariable, environmentAddress, readAddress, type Address, type Environment, type KeyedProvider } from './endpoints.ts';
import type { SettingValues } from './settingValue.ts';

/** The demo that needs nothing, and runs until a model is configured. */
export const OFFLINE_MODEL: ModelRef = { provider: 'offline', model: 'offline' };

/**
 * The configured model, by the user's settings alone. Where provider, model and address don't make one it is the
 * offline demo, not a model nearby: nothing goes to an address that the user didn't mean. A key never configures one.
 */
export function readModel(values: SettingValues, env: Environment): ModelRef {
  const provider = values.choice(SETTINGS.provider, 'user', ['offline', 'anthropic', 'openai']);
  const model = values.text(SETTINGS.model, 'user');
  const api = values.choice(SETTINGS.api, 'user', ['auto', 'responses', 'chat']);
  const reasoningEffort = values.choice(SETTINGS.reasoningEffort, 'user', ['default', 'low', 'medium', 'high']);
  const maxOutputTokens = values.count(SETTINGS.maxOutputTokens, 'user', 8192, { max: 1_000_000 });
  if (provider === 'offline') return OFFLINE_MODEL;
  const address = configuredAddress(provider, values, env);
  if (model === '') values.problems.add(SETTINGS.model, 'no_model');
  if (model === '' || address.kind === 'bad') return OFFLINE_MODEL;
  return {
    provider,
    model,
    ...(address.kind === 'other' ? { baseUrl: address.baseUrl } : {}),
    ...(provider === 'openai' && api !== 'auto' ? { api } : {}),
    ...(reasoningEffort === 'default' ? {} : { reasoningEffort }),
    maxOutputTokens,
  };
}

/** The address in the settings, or where they name none, in the environment. */
function configuredAddress(provider: KeyedProvider, values: SettingValues, env: Environment): Address {
  const text = values.text(SETTINGS.baseUrl, 'user');
  // What isn't even text is an address that was meant, too.
  const isSet = text !== '' || values.problems.has(SETTINGS.baseUrl);
  const address = isSet ? settingAddress(provider, text) : environmentAddress(provider, env);
  if (address.kind !== 'bad') return address;
  if (isSet) values.problems.add(SETTINGS.baseUrl, address.problem);
  else values.problems.addNamed(addressVariable(provider), address.problem);
  return address;
}

function settingAddress(provider: KeyedProvider, text: string): Address {
  return text === '' ? { kind: 'bad', problem: 'not_an_address' } : readAddress(provider, text);
}
