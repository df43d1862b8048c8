import { abortable, abortError, throwIfAborted } from '../../base/abort.ts';
import { SYSTEM_CLOCK } from '../../base/clock.ts';
import { AppError, isAppError } from '../../base/errors.ts';
import { readBounded } from '../../base/readBounded.ts';
import { withTimeLimit } from '../../base/timeLimit.ts';
import type { SearchHit, WebSearch } from '../../domain/services.ts';
import { BACKENDS, type Backend } from './backends.ts';
import { refusal } from './searchWords.ts';
import type { WebSearchOptions } from './webSearch.ts';

const TIME_LIMIT = 20_000;
const MAX_BYTES = 2_000_000;

/** As `createWebSearch`, loaded: the address is one, with a slash at its end, or the backend has its own. */
export function searcher({ backend: name, baseUrl, key }: WebSearchOptions): WebSearch {
  const backend = BACKENDS[name];
  const base = new URL(baseUrl ?? `${backend.address ?? ''}/`);
  return async (query, limit, signal) => {
    throwIfAborted(signal);
    const given = ((typeof key === 'function' ? await abortable(key(), signal) : key) ?? '').trim();
    if (given === '' && backend.needsKey) throw new AppError('unavailable', `${backend.name} needs a key, and there is none. The user gives it by the command “Set API Key…”. Go on without searching.`);
    // What can't be sent in a header would stand in the error of whoever tries.
    if (/[^\x21-\x7e]/.test(given)) throw new AppError('unavailable', `The key for ${backend.name} has characters that can't be sent. The user can give it again by the command “Set API Key…”.`);
    try {
      return await withTimeLimit(SYSTEM_CLOCK, TIME_LIMIT, signal, (own) => ask(backend, { base, query, limit, key: given }, own));
    } catch (error) {
      if (signal.aborted) throw abortError();
      if (isAppError(error, 'timeout')) throw new AppError('timeout', `${backend.name} gave no answer within ${TIME_LIMIT / 1_000} seconds. Try again later.`, { cause: error });
      throw error;
    }
  };
}

async function ask(backend: Backend, search: { readonly base: URL; readonly query: string; readonly limit: number; readonly key: string }, signal: AbortSignal): Promise<readonly SearchHit[]> {
  const { url, init } = backend.request(search);
  // A redirect would take the key along to where nobody sent it.
  const response = await globalThis.fetch(url, { ...init, redirect: 'manual', signal }).catch((error: unknown) => {
    if (signal.aborted) throw abortError();
    throw new AppError('unavailable', `${backend.name} can't be reached at ${url.origin}. Check the address and the network.`, { cause: error });
  });
  const { text } = await readBounded(response.body, MAX_BYTES).catch((error: unknown) => {
    if (signal.aborted) throw abortError();
    throw new AppError('unavailable', `${backend.name} broke off its answer. Try again.`, { cause: error });
  });
  const body = parsed(text);
  const refused = refusal(backend, { status: response.status, text, body });
  if (refused !== undefined) throw refused;
  return backend.hits(body).filter(({ url: found }) => /^https?:/i.test(found)).slice(0, search.limit);
}

/** Nothing for what isn't JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
