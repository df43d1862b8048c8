import type { OpenAI as Client } from 'openai';
import type { ModelProvider, ModelRequest, OpenAiApi } from '../../domain/models.ts';
import { readEndpoint, type Endpoint, type Vendor } from '../endpoint.ts';
import type { ProviderOptions } from '../options.ts';
import { streamTurn, type Wire } from '../streamTurn.ts';
import type { Reader } from '../verbatim.ts';
import { fromClientError } from '../wireError.ts';
import { chatBody } from './chatRequest.ts';
import { ChatReader } from './chatStream.ts';
import { responsesBody } from './responsesRequest.ts';
import { ResponsesReader } from './responsesStream.ts';

const PROVIDER = 'openai';
const VENDOR: Vendor = { baseUrl: 'https://api.openai.com/v1', host: 'api.openai.com', addedPaths: /\/(?:chat\/completions|responses)$/u };

/** OpenAI's models, or any server that speaks its wires. Its client is loaded with the first request. */
export function createOpenAiProvider(options: ProviderOptions): ModelProvider {
  const endpoint = (): Endpoint => readEndpoint(VENDOR, options.baseUrl);
  const apiOf = ({ isOwn }: Endpoint): OpenAiApi => options.api ?? (isOwn ? 'responses' : 'chat');
  const load = lazyClient();
  const wire: Wire = {
    provider: PROVIDER,
    endpoint,
    apiKey: options.apiKey,
    reader(request) {
      const reader = readerOf(request, endpoint(), apiOf(endpoint()));
      return reader.wire === 'responses' ? new ResponsesReader(reader) : new ChatReader(reader);
    },
    async send(request, key, signal) {
      const { baseUrl, isOwn } = endpoint();
      const reader = readerOf(request, endpoint(), apiOf(endpoint()));
      const { OpenAI, client } = await load(baseUrl);
      // The key goes with each request instead of into the client.
      const settings = { signal, headers: { authorization: key ? `Bearer ${key}` : null } };
      try {
        const sent =
          reader.wire === 'responses'
            ? client.responses.create(responsesBody(request, reader), settings)
            : client.chat.completions.create(chatBody(request, reader, isOwn), settings);
        return await sent.asResponse();
      } catch (error) {
        throw fromClientError(error, OpenAI);
      }
    },
  };
  return { id: PROVIDER, stream: (request) => streamTurn(wire, request) };
}

function readerOf({ model }: ModelRequest, { baseUrl }: Endpoint, api: OpenAiApi): Reader {
  return { provider: PROVIDER, model, wire: api, address: baseUrl };
}

interface Loaded {
  readonly OpenAI: typeof Client;
  readonly client: Client;
}

/** Loads the package once and makes one client, whatever the number of requests. */
function lazyClient(): (baseURL: string) => Promise<Loaded> {
  let loaded: Promise<Loaded> | undefined;
  return (baseURL) =>
    (loaded ??= import('openai').then(({ OpenAI }) => ({
      OpenAI,
      // Everything that it would otherwise take from the environment is set here.
      client: new OpenAI({ apiKey: 'set with each request', adminAPIKey: null, organization: null, project: null, baseURL, maxRetries: 0, logLevel: 'off' }),
    })));
}
