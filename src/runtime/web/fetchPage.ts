import { throwIfAborted } from '../base/abort.ts';
import { SYSTEM_CLOCK, type Clock } from '../base/clock.ts';
import { AppError, isAppError } from '../base/errors.ts';
import { durationText } from '../base/text.ts';
import { withTimeLimit } from '../base/timeLimit.ts';
import type { WebAnswer, WebFetch } from '../domain/services.ts';
import { listedHosts } from './listedHosts.ts';
import { connectionError } from './networkWords.ts';
import { openPage, type OpenPage } from './openPage.ts';
import { checkSpelledHost, publicLookup, resolveBySystem, type ResolveHost } from './publicHosts.ts';
import { readPage } from './readPage.ts';
import { readWebAddress } from './webAddress.ts';
import type { WebFetchOptions } from './webFetch.ts';

/** What fetching works with besides its options. */
export interface FetchPorts {
  readonly resolve: ResolveHost;
  readonly clock: Clock;
}

type Settled = Required<Omit<WebFetchOptions, 'allowPrivate'>> & { readonly isListed: (url: URL) => boolean; readonly resolve: ResolveHost };

const REDIRECTS: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308]);

/** As `createWebFetch`, loaded. */
export function pageFetcher(options: WebFetchOptions, { resolve = resolveBySystem, clock = SYSTEM_CLOCK }: Partial<FetchPorts> = {}): WebFetch {
  const { allowPrivate = [], maxBytes = 5_000_000, timeoutMs = 30_000, maxRedirects = 5, userAgent = 'Mozilla/5.0 (compatible; SubagentPanel)' } = options;
  const settled: Settled = { maxBytes, timeoutMs, maxRedirects, userAgent, isListed: listedHosts(allowPrivate), resolve };
  const fetchPage = async (address: string, signal: AbortSignal): Promise<WebAnswer> => {
    throwIfAborted(signal);
    const url = readWebAddress(address);
    try {
      return await withTimeLimit(clock, timeoutMs, signal, (own) => follow(url, settled, own));
    } catch (error) {
      if (!isAppError(error, 'timeout')) throw error;
      throw new AppError('timeout', `The page at ${url.host} wasn't whole within ${durationText(timeoutMs)}. Try another address.`, { cause: error });
    }
  };
  return Object.assign(fetchPage, { check: async (address: string) => checkAddress(readWebAddress(address), settled) });
}

function checkAddress(url: URL, { isListed }: Pick<Settled, 'isListed'>): void {
  if (!isListed(url)) checkSpelledHost(url);
}

/** Goes from address to address on one host until there is a page. */
async function follow(first: URL, settled: Settled, signal: AbortSignal): Promise<WebAnswer> {
  const seen = [first.href];
  for (let url = first; ; ) {
    const step = await visit(url, settled, signal);
    if (step.kind !== 'redirect') return step;
    const { to } = step;
    if (!isSamePlace(url, to)) return { kind: 'elsewhere', url: to.href };
    if (seen.includes(to.href)) throw new AppError('unavailable', `The address redirects in a circle: ${[...seen.slice(seen.indexOf(to.href)), to.href].join(' → ')}. Try another one.`);
    if (seen.length > settled.maxRedirects) throw new AppError('unavailable', `The address redirects more than ${settled.maxRedirects} times, at last to ${to.href}. Try that, or another one.`);
    seen.push(to.href);
    url = to;
  }
}

/** Whoever allowed a host didn't allow another one, nor that what goes there can be read on the way. */
function isSamePlace(from: URL, to: URL): boolean {
  return from.hostname === to.hostname && !(from.protocol === 'https:' && to.protocol === 'http:');
}

type Step = Extract<WebAnswer, { kind: 'page' }> | { readonly kind: 'redirect'; readonly to: URL };

async function visit(url: URL, { isListed, resolve, userAgent, maxBytes }: Settled, signal: AbortSignal): Promise<Step> {
  checkAddress(url, { isListed });
  const page = await openPage({ url, userAgent, signal, ...(!isListed(url) && { lookup: publicLookup(resolve) }) });
  try {
    const to = redirectOf(page, url);
    if (to !== undefined) return { kind: 'redirect', to };
    return { kind: 'page', page: await readPage(page.message, url, maxBytes, signal) };
  } catch (error) {
    throw connectionError(error, url);
  } finally {
    page.close();
  }
}

function redirectOf({ message: { statusCode, headers } }: OpenPage, from: URL): URL | undefined {
  if (!REDIRECTS.has(statusCode) || headers.location === undefined) return undefined;
  // Node reads headers byte by byte; many servers send UTF-8.
  const to = URL.parse(Buffer.from(headers.location, 'latin1').toString(), from.href);
  if (to === null) throw new AppError('unavailable', `${from.href} redirects to something that is no address. Try another one.`);
  try {
    return readWebAddress(to.href);
  } catch (error) {
    throw new AppError('unavailable', `${from.href} redirects to where nothing can be fetched: ${isAppError(error) ? error.message : to.protocol}`, { cause: error });
  }
}
