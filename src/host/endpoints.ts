import type { ModelRef } from '../runtime/domain/models.ts';

export const KEYED_PROVIDERS = ['anthropic', 'openai'] as const;
/** The providers that are reached over the network, mostly with a key. */
export type KeyedProvider = (typeof KEYED_PROVIDERS)[number];

export const KEYED_SEARCHES = ['brave', 'tavily'] as const;
/** The searches of the web that are reached with a key. */
export type KeyedSearch = (typeof KEYED_SEARCHES)[number];
export type KeyOwner = KeyedProvider | KeyedSearch;

/** What a key is given for, and the only place it is sent to. `origin`: scheme, host and port. */
export interface Endpoint {
  readonly provider: KeyOwner;
  readonly origin: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** What people call a provider. */
export const PROVIDER_NAMES: Readonly<Record<KeyOwner, string>> = { anthropic: 'Anthropic', openai: 'OpenAI', brave: 'Brave Search', tavily: 'Tavily' };

const OWN_ADDRESSES: Readonly<Record<KeyOwner, string>> = {
  anthropic: 'https://api.anthropic.com',
  openai: 'https://api.openai.com/v1',
  brave: 'https://api.search.brave.com',
  tavily: 'https://api.tavily.com',
};

/** The variables with the address of a provider, where there is such a one. */
const ADDRESS_VARIABLES: Readonly<Record<KeyedProvider, string>> = { anthropic: 'ANTHROPIC_BASE_URL', openai: 'OPENAI_BASE_URL' };
const KEY_VARIABLES: Readonly<Record<KeyOwner, string>> = { anthropic: 'ANTHROPIC_API_KEY', openai: 'OPENAI_API_KEY', brave: 'BRAVE_API_KEY', tavily: 'TAVILY_API_KEY' };

export type AddressProblem = 'not_an_address' | 'secret_in_address';

/** An address as written in settings or environment: the provider's own (also when empty), another one, or one that can't be used. */
export type Address =
  | { readonly kind: 'own' }
  | { readonly kind: 'other'; readonly baseUrl: string }
  | { readonly kind: 'bad'; readonly problem: AddressProblem };

export function isKeyedProvider(provider: string): provider is KeyedProvider {
  return KEYED_PROVIDERS.some((one) => one === provider);
}

export function isKeyedSearch(search: string): search is KeyedSearch {
  return KEYED_SEARCHES.some((one) => one === search);
}

/** Without a provider none is its own but where nothing is written. */
export function readAddress(provider: KeyOwner | undefined, text: string): Address {
  const trimmed = text.trim();
  if (trimmed === '') return { kind: 'own' };
  const url = URL.parse(trimmed);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') return { kind: 'bad', problem: 'not_an_address' };
  // Settings are synchronised and addresses are shown: neither is a place for a password.
  if (url.username !== '' || url.password !== '') return { kind: 'bad', problem: 'secret_in_address' };
  const baseUrl = url.href.replace(/\/+$/, '');
  return provider !== undefined && baseUrl === OWN_ADDRESSES[provider] ? { kind: 'own' } : { kind: 'other', baseUrl };
}

/** The endpoint that reaches a model; nothing for a provider without keys, or an address that can't be used. */
export function endpointOf({ provider, baseUrl = '' }: Pick<ModelRef, 'provider' | 'baseUrl'>): Endpoint | undefined {
  return isKeyedProvider(provider) ? endpointAt(provider, baseUrl) : undefined;
}

/** The endpoint that is meant by an address of the settings; nothing for one that can't be used. */
export function endpointAt(provider: KeyOwner, text: string): Endpoint | undefined {
  const address = readAddress(provider, text);
  switch (address.kind) {
    case 'own':
      return ownEndpoint(provider);
    case 'other':
      return { provider, origin: new URL(address.baseUrl).origin };
    case 'bad':
      return undefined;
  }
}

export function ownEndpoint(provider: KeyOwner): Endpoint {
  return { provider, origin: new URL(OWN_ADDRESSES[provider]).origin };
}

export function isSameKey(a: Endpoint, b: Endpoint): boolean {
  return a.provider === b.provider && a.origin === b.origin;
}

/** Whether the endpoint is on this computer, where servers often want no key. */
export function isLocal({ origin }: Endpoint): boolean {
  const { hostname } = new URL(origin);
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

/** A provider's own address, as it is written where the environment names another. */
export function ownAddress(provider: KeyedProvider): string {
  return OWN_ADDRESSES[provider];
}

/** The address that the environment names for a provider. */
export function environmentAddress(provider: KeyedProvider, env: Environment): Address {
  return readAddress(provider, env[ADDRESS_VARIABLES[provider]] ?? '');
}

/** The variable that holds the key of this endpoint, if any. An address in the environment takes the key beside it away from the provider's own. */
export function keyVariable(endpoint: Endpoint, env: Environment): string | undefined {
  const { provider } = endpoint;
  const key = KEY_VARIABLES[provider];
  const meant = isKeyedProvider(provider) ? endpointAt(provider, env[ADDRESS_VARIABLES[provider]] ?? '') : ownEndpoint(provider);
  return meant !== undefined && isSameKey(meant, endpoint) && (env[key] ?? '').trim() !== '' ? key : undefined;
}

/** The address that is meant by a text of the settings: its own, or where it is empty, the environment's. `variable`: the one that holds it then. */
export function meantAddress(provider: KeyedProvider, text: string, env: Environment): { readonly address: Address; readonly variable?: string } {
  if (text.trim() !== '') return { address: readAddress(provider, text) };
  const address = environmentAddress(provider, env);
  return address.kind === 'own' ? { address } : { address, variable: ADDRESS_VARIABLES[provider] };
}
