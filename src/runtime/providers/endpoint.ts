import { ProviderFailure } from './failure.ts';

/** Where requests go. */
export interface Endpoint {
  /** The base URL as the vendor's client wants it, without a slash at its end. */
  readonly baseUrl: string;
  /** True for an address of the vendor itself. */
  readonly isOwn: boolean;
}

/** A vendor's addresses: its default base URL, its host (subdomains are regions of it), and ends of a pasted URL that its client adds by itself. */
export interface Vendor {
  readonly baseUrl: string;
  readonly host: string;
  readonly addedPaths: RegExp;
}

/** Reads a base URL of the settings. Throws a `ProviderFailure` for one that can't be used. */
export function readEndpoint(vendor: Vendor, given: string | undefined): Endpoint {
  const text = given?.trim();
  if (!text) return { baseUrl: vendor.baseUrl, isOwn: true };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/u.test(url.protocol)) throw badUrl('is not an http or https address');
  if (url.username || url.password) throw badUrl('contains a user name or password; remove them and set an API key instead');
  if (url.search || url.hash) throw badUrl('contains a query or fragment; remove it');
  const path = url.pathname.replace(/\/+$/u, '').replace(vendor.addedPaths, '');
  if (url.host === vendor.host || url.host.endsWith(`.${vendor.host}`)) {
    return { baseUrl: `${url.origin}${path || new URL(vendor.baseUrl).pathname.replace(/\/$/u, '')}`, isOwn: true };
  }
  return { baseUrl: `${url.origin}${path}`, isOwn: false };
}

/** The address itself stays out of the message: a mistyped one may hold a secret. */
function badUrl(why: string): ProviderFailure {
  return new ProviderFailure({ failure: 'bad_request', words: `The base URL in the settings ${why}.` });
}
