import type { L10n } from '../l10n.ts';
import { isSameKey, ownEndpoint, PROVIDER_NAMES, type Endpoint } from './endpoints.ts';

/** What people call an endpoint: what speaks like a provider at another address isn't that provider. */
export function endpointWords(endpoint: Endpoint, l10n: L10n): string {
  const name = PROVIDER_NAMES[endpoint.provider];
  return isSameKey(endpoint, ownEndpoint(endpoint.provider)) ? name : l10n.t('{0} compatible', name);
}
