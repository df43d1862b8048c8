import { abortable } from '../../base/abort.ts';
import { AppError, errorText } from '../../base/errors.ts';
import type { WebSearch } from '../../domain/services.ts';
import type { SearchBackend } from './backends.ts';

/** What a search is made with. */
export interface WebSearchOptions {
  readonly backend: SearchBackend;
  /** Where the backend is. Default its own address; SearXNG, which everybody runs for themselves, has none. */
  readonly baseUrl?: string;
  /** Asked for at each search, and sent nowhere else. SearXNG needs none. */
  readonly key?: string | (() => Promise<string | undefined>);
}

/**
 * The service that searches the web by one of the known backends; what asks them is loaded with the first search. Throws
 * `invalid_input` for an address that is none, or that is missing. The address may be anywhere, also in the own network:
 * it is the user's.
 */
export function createWebSearch({ baseUrl, ...options }: WebSearchOptions): WebSearch {
  const base = baseUrl === undefined && options.backend !== 'searxng' ? undefined : readBase(baseUrl ?? '');
  let loading: Promise<WebSearch> | undefined;
  const loadOnce = (): Promise<WebSearch> =>
    (loading ??= load({ ...options, ...(base !== undefined && { baseUrl: base }) }).catch((error: unknown) => {
      loading = undefined;
      throw new AppError('unavailable', `What searches the web could not be loaded (${errorText(error)}). Install Subagent Panel again.`, { cause: error });
    }));
  return async (query, limit, signal) => (await abortable(loadOnce(), signal))(query, limit, signal);
}

async function load(options: WebSearchOptions): Promise<WebSearch> {
  return (await import('./searcher.ts')).searcher(options);
}

function readBase(text: string): string {
  const url = URL.parse(text.trim());
  if (url === null || !/^https?:$/.test(url.protocol)) throw new AppError('invalid_input', 'The address of a search must start with http:// or https://. Set it in the settings.');
  if (url.username !== '' || url.password !== '') throw new AppError('invalid_input', 'The address of a search must not hold a user name or password. Give it without them.');
  url.search = '';
  url.hash = '';
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/`;
  return url.href;
}
