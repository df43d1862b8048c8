import * as vscode from 'vscode';
import { isSameKey, ownEndpoint, PROVIDER_NAMES, type Endpoint } from './endpoints.ts';

/** What people call an endpoint: what speaks like a provider at another address isn't that provider. */
export function endpointName(endpoint: Endpoint): string {
  const name = PROVIDER_NAMES[endpoint.provider];
  return isSameKey(endpoint, ownEndpoint(endpoint.provider)) ? name : vscode.l10n.t('{0} compatible', name);
}
