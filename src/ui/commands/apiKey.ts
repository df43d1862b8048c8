import * as vscode from 'vscode';
import { showInfo } from '../../host/messages.ts';
import { COMMANDS } from '../../ids.ts';
import { isKey, type ApiKeys, type KeySource } from '../../host/apiKeys.ts';
import { endpointOf, isKeyedSearch, isSameKey, KEYED_PROVIDERS, KEYED_SEARCHES, ownEndpoint, type Endpoint } from '../../host/endpoints.ts';
import { endpointName } from '../../host/endpointName.ts';
import type { Disposable } from '../../runtime/base/lifecycle.ts';
import type { ModelRef, Tier } from '../../runtime/domain/models.ts';
import { joined } from '../tree/presentation.ts';
import { registerCommands, type ReportContext } from './command.ts';

export interface ApiKeyContext extends ReportContext {
  readonly keys: ApiKeys;
  /** The models in the settings, whose addresses may be others than the providers' own. */
  readonly models: () => readonly ModelRef[];
  /** What the configured search of the web needs a key for, if it does. */
  readonly search: () => Endpoint | undefined;
}

/** Registers **Set API Key…**. It needs neither a folder nor an agent. */
export function registerApiKeyCommand(context: ApiKeyContext): Disposable {
  return registerCommands(context, { [COMMANDS.setApiKey]: () => setApiKey(context) });
}

async function setApiKey({ keys, models, search }: ApiKeyContext): Promise<void> {
  await keys.load();
  const endpoint = await pickEndpoint(keys, models(), search());
  if (endpoint === undefined) return;
  const action = keys.sourceOf(endpoint).kind === 'stored' ? await pickAction(endpoint) : 'enter';
  if (action === 'remove') await removeKey(keys, endpoint);
  if (action === 'enter') await enterKey(keys, endpoint);
}

async function pickEndpoint(keys: ApiKeys, models: readonly ModelRef[], search: Endpoint | undefined): Promise<Endpoint | undefined> {
  const items = endpoints(keys, models, search).map((endpoint) => ({
    endpoint,
    label: endpointName(endpoint),
    description: endpoint.origin,
    detail: joined(sourceWords(keys.sourceOf(endpoint)), ...usesAt(endpoint, models)),
  }));
  const picked = await vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t('Choose where the key is for. It is sent nowhere else.'), matchOnDescription: true });
  return picked?.endpoint;
}

/** The configured addresses first, then the providers' own, and those for which a key was stored earlier. */
function endpoints(keys: ApiKeys, models: readonly ModelRef[], search: Endpoint | undefined): readonly Endpoint[] {
  const configured = models.map(endpointOf).filter((endpoint) => endpoint !== undefined);
  const all = [...configured, ...(search ? [search] : []), ...KEYED_PROVIDERS.map(ownEndpoint), ...KEYED_SEARCHES.map(ownEndpoint), ...keys.stored()];
  return all.filter((endpoint, index) => all.findIndex((other) => isSameKey(other, endpoint)) === index);
}

/** The tiers whose models are reached there, or that it is for something else. */
function usesAt(endpoint: Endpoint, models: readonly ModelRef[]): readonly string[] {
  return isKeyedSearch(endpoint.provider) ? [vscode.l10n.t('Web search')] : tiersAt(endpoint, models);
}

function tiersAt(endpoint: Endpoint, models: readonly ModelRef[]): readonly Tier[] {
  return models.flatMap((model) => {
    const configured = endpointOf(model);
    return model.tier !== undefined && configured !== undefined && isSameKey(configured, endpoint) ? [model.tier] : [];
  });
}

function sourceWords(source: KeySource): string {
  switch (source.kind) {
    case 'stored':
      return vscode.l10n.t('A key is stored');
    case 'environment':
      return vscode.l10n.t('The key of the environment variable {0} is used', source.variable);
    case 'none':
      return vscode.l10n.t('No key');
  }
}

async function pickAction(endpoint: Endpoint): Promise<'enter' | 'remove' | undefined> {
  const items = [
    { action: 'enter', label: vscode.l10n.t('Replace Key…') },
    { action: 'remove', label: vscode.l10n.t('Remove Stored Key') },
  ] as const;
  const picked = await vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t('A key for {0} is stored.', endpoint.origin) });
  return picked?.action;
}

async function removeKey(keys: ApiKeys, endpoint: Endpoint): Promise<void> {
  await keys.remove(endpoint);
  const source = keys.sourceOf(endpoint);
  const removed = vscode.l10n.t('The stored key for {0} was removed.', endpoint.origin);
  void showInfo(source.kind === 'environment' ? `${removed} ${sourceWords(source)}.` : removed);
}

async function enterKey(keys: ApiKeys, endpoint: Endpoint): Promise<void> {
  const entered = await vscode.window.showInputBox({
    title: endpointName(endpoint),
    prompt: vscode.l10n.t('The key for {0}. It is stored in this computer’s secret storage.', endpoint.origin),
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => keyProblem(text.trim()),
  });
  const key = entered?.trim();
  if (key === undefined || keyProblem(key) !== undefined) return;
  await keys.store(endpoint, key);
  void showInfo(vscode.l10n.t('The key for {0} is stored.', endpoint.origin));
}

function keyProblem(key: string): string | undefined {
  if (key === '') return vscode.l10n.t('Enter a key. To remove a stored one, run this command again and choose “Remove Stored Key”.');
  return isKey(key) ? undefined : vscode.l10n.t('This is no key: it has spaces or characters that can’t be sent. Copy it again.');
}
