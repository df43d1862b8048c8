import { abortable } from '../base/abort.ts';
import { AppError, errorText } from '../base/errors.ts';
import type { WebFetch } from '../domain/services.ts';

/** How pages are fetched. Everything has the default that is named. */
export interface WebFetchOptions {
  /** Hosts that may be on this computer or in its network: names or addresses, `*.example.org` for all under a name, each with a port where only that is meant. Default none. */
  readonly allowPrivate?: readonly string[];
  /** Bytes of a body, after it is unpacked, that are taken; the rest isn't. Default 5 MB. */
  readonly maxBytes?: number;
  /** Milliseconds for a page with all its redirects. Default 30,000. */
  readonly timeoutMs?: number;
  /** Redirects that are followed for one page. Default 5. */
  readonly maxRedirects?: number;
  /** What servers are told of who asks. */
  readonly userAgent?: string;
}

/**
 * The service that fetches pages of the public web by `http` and `https`, and of hosts in the own network only where the
 * options name them. What it works with is loaded with the first page; a load that failed is tried again with the next.
 */
export function createWebFetch(options: WebFetchOptions = {}): WebFetch {
  let loading: Promise<WebFetch> | undefined;
  const loadOnce = (): Promise<WebFetch> =>
    (loading ??= load(options).catch((error: unknown) => {
      loading = undefined;
      throw new AppError('unavailable', `What fetches pages could not be loaded (${errorText(error)}). Install Subagent Panel again.`, { cause: error });
    }));
  return Object.assign(async (url: string, signal: AbortSignal) => (await abortable(loadOnce(), signal))(url, signal), { check: async (url: string) => (await loadOnce()).check?.(url) });
}

async function load(options: WebFetchOptions): Promise<WebFetch> {
  return (await import('./fetchPage.ts')).pageFetcher(options);
}
