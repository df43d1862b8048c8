import { OpenAI } from 'openai';
import type { ModelProvider, ModelRequest } from '../../domain/models.ts';
import { carefulFetch } from '../carefulFetch.ts';
import { withMeantHeaders, type HeaderVariables } from '../customHeaders.ts';
import { readEndpoint, type Endpoint } from '../endpoint.ts';
import { ProviderFailure } from '../failure.ts';
import type { ProviderOptions } from '../options.ts';
import { streamTurn, type Wire } from '../streamTurn.ts';
import { OPENAI } from '../vendors.ts';
import type { Reader } from '../verbatim.ts';
import { fromClientError } from '../wireError.ts';
import { chatBody } from './chatRequest.ts';
import { ChatReader } from './chatStream.ts';
import { responsesBody } from './responsesRequest.ts';
import { ResponsesReader } from './responsesStream.ts';

const PROVIDER = 'openai';
const VARIABLES: HeaderVariables = { headers: 'OPENAI_CUSTOM_HEADERS', address: 'OPENAI_BASE_URL' };

/** The Responses and the Chat Completions wire. To be imported dynamically only: it brings the vendor's client along. */
export function openAiStream(options: ProviderOptions): ModelProvider['stream'] {
  const endpoint = (): Endpoint => readEndpoint(OPENAI, options.baseUrl);
  const readerOf = ({ model }: ModelRequest, { baseUrl, isOwn }: Endpoint): Reader => ({ provider: PROVIDER, model, wire: options.api ?? (isOwn ? 'responses' : 'chat'), address: baseUrl });
  let client: OpenAI | undefined;
  const wire: Wire = {
    provider: PROVIDER,
    endpoint,
    apiKey: options.apiKey,
    reader(request) {
      const reader = readerOf(request, endpoint());
      return reader.wire === 'responses' ? new ResponsesReader(reader) : new ChatReader(reader);
    },
    async send(request, key, signal) {
      const { isOwn } = endpoint();
      client ??= withMeantHeaders(VARIABLES, OPENAI, endpoint(), createClient);
      const reader = readerOf(request, endpoint());
      // The key goes with each request instead of into the client.
      const settings = { signal, headers: { authorization: key ? `Bearer ${key}` : null } };
      try {
        const sent =
          reader.wire === 'responses'
            ? client.responses.create(responsesBody(request, reader), settings)
            : client.chat.completions.create(chatBody(request, reader, isOwn), settings);
        return await sent.asResponse();
      } catch (error) {
        throw withPathHint(fromClientError(error, OpenAI), endpoint());
      }
    },
  };
  return (request) => streamTurn(wire, request);
}

/** Most compatible servers serve under `/v1`, and answer 404 to who left it out. */
function withPathHint(error: unknown, { baseUrl, isOwn }: Endpoint): unknown {
  if (!(error instanceof ProviderFailure) || error.signs.status !== 404 || isOwn || new URL(baseUrl).pathname !== '/') return error;
  return new ProviderFailure({ ...error.signs, words: `${error.signs.words} (The base URL may need "/v1" at its end.)` }, { cause: error.cause });
}

/** Everything that it would otherwise take from the environment is set here. */
function createClient(baseURL: string): OpenAI {
  return new OpenAI({ apiKey: 'set with each request', adminAPIKey: null, organization: null, project: null, baseURL, fetch: carefulFetch, maxRetries: 0, logLevel: 'off' });
}
