import { endpointOf, isLocal, isSameKey, ownEndpoint, readAddress, type Endpoint, type KeyedProvider } from '../../host/endpoints.ts';
import type { ModelUse } from '../../host/modelUpdates.ts';
import { MAX_WINDOW, OFFLINE_MODEL } from '../../host/modelSettings.ts';
import { AppError } from '../../runtime/base/errors.ts';
import { EDITOR_PROVIDER, type ModelRef, type ReasoningEffort } from '../../runtime/domain/models.ts';
import type { ListedModel } from '../../runtime/providers/modelList.ts';

/** Where a model comes from. `address`: one that is still to be entered. */
export type Source =
  | { readonly kind: 'server'; readonly provider: KeyedProvider; readonly baseUrl?: string; /** What it was seen to have. */ readonly models?: readonly ListedModel[]; readonly wantsKey: boolean }
  | { readonly kind: 'address'; readonly provider: KeyedProvider }
  | { readonly kind: 'editor' }
  | { readonly kind: 'offline' };

/** What is answered so far. */
export interface Draft {
  readonly source: Source;
  /** Of a source of the kind `address`, once it is entered. */
  readonly address?: string;
  /** As it was entered, empty where the person knows of none. Not stored before the end. */
  readonly key?: string;
  /** The key is asked for although one is stored: it was refused. */
  readonly wantsOtherKey?: boolean;
  readonly model?: ListedModel;
  readonly effort?: ReasoningEffort | undefined;
  readonly use?: ModelUse;
}

/** Where nothing is answered yet. */
export const EMPTY_DRAFT: Draft = { source: { kind: 'offline' } };

/** A model whose window is smaller than this writes at most a quarter of it at once: the default would leave no room to read. */
const SMALL_WINDOW = 32_768;
/** What has less, in tokens, is no window, whatever it was told as: not even the instructions fit. */
const MIN_WINDOW = 500;

/** What is asked over the network, as the providers want it. Nothing for a source that has no address, or none yet. */
export interface Server {
  readonly provider: KeyedProvider;
  /** Absent: the provider's own. */
  readonly baseUrl?: string;
  readonly endpoint: Endpoint;
}

export function serverOf({ source, address }: Draft): Server | undefined {
  switch (source.kind) {
    case 'server':
      return serverAt(source.provider, source.baseUrl ?? '');
    case 'address':
      return address === undefined ? undefined : serverAt(source.provider, address);
    case 'editor':
    case 'offline':
      return undefined;
  }
}

function serverAt(provider: KeyedProvider, text: string): Server | undefined {
  const address = readAddress(provider, text);
  const endpoint = endpointOf({ provider, baseUrl: text });
  if (endpoint === undefined) return undefined;
  return { provider, endpoint, ...(address.kind === 'other' && { baseUrl: address.baseUrl }) };
}

/** Whether nothing can be had there without a key. */
export function needsKey({ endpoint }: Server): boolean {
  return isSameKey(endpoint, ownEndpoint(endpoint.provider));
}

/** Whether a key is worth a question: a server that was found on this computer has answered without. */
export function mayNeedKey({ source }: Draft, server: Server): boolean {
  return source.kind === 'server' ? source.wantsKey || !isLocal(server.endpoint) : true;
}

/** The model that was chosen, without tier. */
export function chosenModel(draft: Draft): ModelRef {
  const { source, model, effort } = draft;
  if (source.kind === 'offline') return OFFLINE_MODEL;
  if (model === undefined) throw new AppError('internal', 'No model was chosen. Run the command again.');
  const { displayName } = model;
  const contextWindow = usableWindow(model);
  const server = serverOf(draft);
  return {
    provider: server?.provider ?? EDITOR_PROVIDER,
    model: model.id,
    ...(displayName !== undefined && { displayName }),
    ...(server?.baseUrl !== undefined && { baseUrl: server.baseUrl }),
    ...(server !== undefined && effort !== undefined && { reasoningEffort: effort }),
    ...(contextWindow !== undefined && { contextWindow }),
    ...(contextWindow !== undefined && contextWindow < SMALL_WINDOW && { maxOutputTokens: Math.max(1, Math.floor(contextWindow / 4)) }),
  };
}

/** The window that the model was told to have; nothing where it can be none, so that the default counts. */
function usableWindow({ contextWindow = NaN }: ListedModel): number | undefined {
  return Number.isInteger(contextWindow) && contextWindow >= MIN_WINDOW && contextWindow <= MAX_WINDOW ? contextWindow : undefined;
}
