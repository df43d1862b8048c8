import { Anthropic } from '@anthropic-ai/sdk';
import type { ModelProvider, ModelRequest } from '../../domain/models.ts';
import { carefulFetch } from '../carefulFetch.ts';
import { withMeantHeaders, type HeaderVariables } from '../customHeaders.ts';
import { readEndpoint, type Endpoint } from '../endpoint.ts';
import type { ProviderOptions } from '../options.ts';
import { streamTurn, type Wire } from '../streamTurn.ts';
import { ANTHROPIC, anthropicKeyHeaders } from '../vendors.ts';
import type { Reader } from '../verbatim.ts';
import { fromClientError } from '../wireError.ts';
import { anthropicBody } from './request.ts';
import { AnthropicReader } from './stream.ts';

const PROVIDER = 'anthropic';
const VARIABLES: HeaderVariables = { headers: 'ANTHROPIC_CUSTOM_HEADERS', address: 'ANTHROPIC_BASE_URL' };

/** The Messages wire. To be imported dynamically only: it brings the vendor's client along. */
export function anthropicStream(options: ProviderOptions): ModelProvider['stream'] {
  const endpoint = (): Endpoint => readEndpoint(ANTHROPIC, options.baseUrl);
  let client: Anthropic | undefined;
  const wire: Wire = {
    provider: PROVIDER,
    endpoint,
    apiKey: options.apiKey,
    reader: (request) => new AnthropicReader(readerOf(request, endpoint())),
    async send(request, key, signal) {
      const { isOwn } = endpoint();
      client ??= withMeantHeaders(VARIABLES, ANTHROPIC, endpoint(), createClient);
      const body = anthropicBody(request, readerOf(request, endpoint()));
      try {
        return await client.messages.create(body, { signal, headers: headersOf(key, isOwn) }).asResponse();
      } catch (error) {
        throw fromClientError(error, Anthropic);
      }
    },
  };
  return (request) => streamTurn(wire, request);
}

function readerOf({ model }: ModelRequest, { baseUrl }: Endpoint): Reader {
  return { provider: PROVIDER, model, wire: 'messages', address: baseUrl };
}

/** What isn't sent is taken out: the client would send its own. */
function headersOf(key: string | undefined, isOwn: boolean): Record<string, string | null> {
  return { authorization: null, 'x-api-key': null, ...anthropicKeyHeaders(key, isOwn) };
}

/** A key of its own keeps it from looking for credentials in the environment and in files. */
function createClient(baseURL: string): Anthropic {
  return new Anthropic({ apiKey: 'set with each request', baseURL, fetch: carefulFetch, maxRetries: 0, logLevel: 'off', openTelemetry: false });
}
