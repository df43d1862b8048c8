import { abortError } from '../base/abort.ts';
import { readBounded } from '../base/readBounded.ts';
import { oneLine } from '../base/text.ts';
import type { ModelError } from '../domain/models.ts';
import { carefulFetch } from './carefulFetch.ts';
import { describeFailure } from './describeFailure.ts';
import { readEndpoint } from './endpoint.ts';
import { ProviderFailure } from './failure.ts';
import { countOf, objectOf, objectsOf, parseJson, stringOf, type Json } from './json.ts';
import { networkFailure } from './network.ts';
import { ANTHROPIC, anthropicKeyHeaders, OPENAI } from './vendors.ts';

/** A model that a server says it has. `id` and `displayName` are the server's words, each one clean line. */
export interface ListedModel {
  readonly id: string;
  readonly displayName?: string;
  /** Tokens, where the server says. */
  readonly contextWindow?: number;
}

export type ModelList = { readonly ok: true; readonly models: readonly ListedModel[] } | { readonly ok: false; readonly error: ModelError };

/** Whose models are asked for. `baseUrl` absent: the vendor's own address. */
export interface ModelListQuestion {
  readonly provider: 'anthropic' | 'openai';
  readonly baseUrl?: string;
  readonly key?: string | undefined;
}

/** The longest list that is read, in bytes: a public gateway with hundreds of models takes less than half. */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_MODELS = 2000;
const MAX_ID = 200;
/** More than anyone has, so that the list comes in one answer. */
const ANTHROPIC_PAGE = 1000;
/** Names under which servers tell how much a model takes: vLLM, OpenRouter, Groq, Anthropic. */
const WINDOW_FIELDS = ['max_model_len', 'context_length', 'context_window', 'max_input_tokens'];

/** Asks a server for its models, once. Follows no redirect and reads no endless answer. Rejects on abort alone; how long it may take is the caller's affair. */
export async function listModels(question: ModelListQuestion, signal: AbortSignal): Promise<ModelList> {
  try {
    const { address, headers } = requestOf(question);
    const response = await fetchList(address, headers, signal);
    return { ok: true, models: modelsOf(await bodyOf(response)) };
  } catch (error) {
    if (signal.aborted) throw abortError();
    return { ok: false, error: describeFailure(error, { provider: question.provider, model: 'its list of models', key: question.key }, Date.now()) };
  }
}

function requestOf({ provider, baseUrl, key }: ModelListQuestion): { readonly address: string; readonly headers: Readonly<Record<string, string>> } {
  switch (provider) {
    case 'anthropic': {
      const endpoint = readEndpoint(ANTHROPIC, baseUrl);
      return { address: `${endpoint.baseUrl}/v1/models?limit=${ANTHROPIC_PAGE}`, headers: { 'anthropic-version': '2023-06-01', ...anthropicKeyHeaders(key, endpoint.isOwn) } };
    }
    case 'openai':
      return { address: `${readEndpoint(OPENAI, baseUrl).baseUrl}/models`, headers: key ? { authorization: `Bearer ${key}` } : {} };
  }
}

async function fetchList(address: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response> {
  try {
    return await carefulFetch(address, { headers: { accept: 'application/json', ...headers }, signal });
  } catch (error) {
    throw error instanceof ProviderFailure ? error : networkFailure(error);
  }
}

async function bodyOf(response: Response): Promise<Json> {
  const { text, isWhole } = await readBounded(response.body, MAX_BYTES).catch((error: unknown) => {
    throw networkFailure(error);
  });
  const body = objectOf(isWhole ? parseJson(text)?.value : undefined);
  if (!Array.isArray(body['data'])) throw new ProviderFailure({ failure: 'bad_request', words: 'It answered with something else than a list of models.' });
  return body;
}

function modelsOf(body: Json): readonly ListedModel[] {
  const models = objectsOf(body['data']).slice(0, MAX_MODELS).filter((model) => model['lifecycle'] !== 'retired').flatMap(modelOf);
  return [...new Map(models.map((model) => [model.id, model])).values()];
}

/** None for an id that couldn't be shown as it is. */
function modelOf(model: Json): readonly ListedModel[] {
  const id = stringOf(model['id']);
  if (id === '' || id.length > MAX_ID || oneLine(id) !== id) return [];
  const displayName = oneLine(stringOf(model['display_name']).slice(0, MAX_ID));
  // llama.cpp tells what it was started with beside what the model was made for.
  const window = [...WINDOW_FIELDS.map((field) => model[field]), objectOf(model['meta'])['n_ctx']].map(countOf).find((count) => count !== undefined && count > 0);
  return [{ id, ...(displayName !== '' && displayName !== id && { displayName }), ...(window !== undefined && { contextWindow: window }) }];
}
