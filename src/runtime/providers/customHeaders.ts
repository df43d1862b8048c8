import { readEndpoint, type Endpoint, type Vendor } from './endpoint.ts';
import { ProviderFailure } from './failure.ts';

/** Variables of the environment that a vendor's client reads: headers for every request, and the address that they are meant for. */
export interface HeaderVariables {
  readonly headers: string;
  readonly address: string;
}

/**
 * Creates a vendor's client. The headers of the environment, which mostly hold credentials, are for the address that the
 * environment names, which is the vendor's own where it names none, just as the key beside them; a client for any other
 * address never sees them. `create` must be done when it returns.
 */
export function withMeantHeaders<Client>(variables: HeaderVariables, vendor: Vendor, endpoint: Endpoint, create: (baseUrl: string) => Client): Client {
  const headers = process.env[variables.headers];
  if (headers === undefined || isSameAddress(endpoint, namedEndpoint(vendor, process.env[variables.address]))) return create(endpoint.baseUrl);
  // The client can't be told not to look, and headers of its own can't be told from these afterwards.
  delete process.env[variables.headers];
  try {
    return create(endpoint.baseUrl);
  } finally {
    process.env[variables.headers] = headers;
  }
}

function isSameAddress(one: Endpoint, other: Endpoint | undefined): boolean {
  return one.baseUrl === other?.baseUrl || (one.isOwn && other?.isOwn === true);
}

/** Nothing for an address that can't be used: no request goes there. */
function namedEndpoint(vendor: Vendor, text: string | undefined): Endpoint | undefined {
  try {
    return readEndpoint(vendor, text);
  } catch (error) {
    if (error instanceof ProviderFailure) return undefined;
    throw error;
  }
}
