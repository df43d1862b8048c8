import assert from 'node:assert/strict';
import { textMessage } from '../../src/runtime/domain/messages.ts';
import type { ModelProvider, ModelRequest } from '../../src/runtime/domain/models.ts';
import { createAnthropicProvider } from '../../src/runtime/providers/anthropic/client.ts';
import { createOpenAiProvider } from '../../src/runtime/providers/openai/client.ts';
import type { ProviderOptions } from '../../src/runtime/providers/options.ts';
import { RawServer, type RecordedRequest } from '../support/rawServer.ts';
import { redirectFetch } from '../support/redirectFetch.ts';
import { anthropicFrames, chatFrames, responsesFrames } from '../support/wireFrames.ts';
import { allOf, endOf, type EndEvent } from './wireTest.ts';

const noKey = async (): Promise<undefined> => undefined;

/** Runs it with these variables in the environment of the process. */
async function withEnvironment(variables: Readonly<Record<string, string>>, run: () => Promise<void>): Promise<void> {
  const before = Object.keys(variables).map((variable) => [variable, process.env[variable]] as const);
  Object.assign(process.env, variables);
  try {
    await run();
  } finally {
    for (const [variable, value] of before) {
      if (value === undefined) delete process.env[variable];
      else process.env[variable] = value;
    }
  }
}

describe('addresses and keys', () => {
  let server: RawServer;
  let undo: () => void = () => undefined;

  before(async () => {
    server = await RawServer.start();
    server.answer = ({ path }) => {
      const frames = path.endsWith('/messages') ? anthropicFrames : path.endsWith('/responses') ? responsesFrames : chatFrames;
      return { chunks: frames({ text: ['Hi'] }) };
    };
  });

  after(() => server.stop());

  afterEach(() => {
    undo();
    undo = () => undefined;
    server.requests.length = 0;
  });

  const end = async (provider: ModelProvider, fields: Partial<ModelRequest> = {}): Promise<EndEvent> =>
    endOf(await allOf(provider.stream({ model: 'm', system: '', messages: [textMessage('Hi.')], tools: [], signal: new AbortController().signal, ...fields })));
  /** The request that reached the server. */
  const requestOf = async (provider: ModelProvider): Promise<RecordedRequest> => {
    assert.equal((await end(provider)).stop, 'stop');
    return server.lastRequest;
  };
  const redirect = (origin: string): void => {
    undo = redirectFetch(origin, () => server.url);
  };

  for (const ending of ['', '/', '/v1', '/v1/', '/v1/messages']) {
    it(`takes an Anthropic base URL that ends with "${ending}"`, async () => {
      const { path } = await requestOf(createAnthropicProvider({ baseUrl: `${server.url}/proxy${ending}`, apiKey: noKey }));
      assert.equal(path, '/proxy/v1/messages');
    });
  }

  for (const [ending, path] of [['/v1', '/v1/chat/completions'], ['/v1/', '/v1/chat/completions'], ['/v1/chat/completions', '/v1/chat/completions'], ['', '/chat/completions']] as const) {
    it(`takes an OpenAI base URL that ends with "${ending}"`, async () => {
      assert.equal((await requestOf(createOpenAiProvider({ baseUrl: `${server.url}${ending}`, apiKey: noKey }))).path, path);
    });
  }

  it('speaks Responses to OpenAI and Chat Completions to everyone else, unless told otherwise', async () => {
    redirect('https://api.openai.com');
    const apiKey = async (): Promise<string> => 'sk-test-key';
    assert.equal((await requestOf(createOpenAiProvider({ apiKey }))).path, '/v1/responses');
    assert.equal((await requestOf(createOpenAiProvider({ apiKey, baseUrl: 'https://api.openai.com' }))).path, '/v1/responses');
    assert.equal((await requestOf(createOpenAiProvider({ apiKey, api: 'chat' }))).path, '/v1/chat/completions');
    undo();
    assert.equal((await requestOf(createOpenAiProvider({ apiKey, baseUrl: `${server.url}/v1` }))).path, '/v1/chat/completions');
    assert.equal((await requestOf(createOpenAiProvider({ apiKey, baseUrl: `${server.url}/v1`, api: 'responses' }))).path, '/v1/responses');
  });

  it('says that /v1 may be missing where a server does not know the path', async () => {
    const lost = await RawServer.start();
    try {
      lost.answer = () => ({ status: 404, headers: {}, chunks: ['404 page not found'] });
      const messageFor = async (baseUrl: string): Promise<string> => (await end(createOpenAiProvider({ baseUrl, apiKey: noKey }))).error?.message ?? '';
      assert.match(await messageFor(lost.url), /404 page not found.*"\/v1"/u);
      assert.doesNotMatch(await messageFor(`${lost.url}/v1`), /"\/v1"/u);
    } finally {
      await lost.stop();
    }
  });

  it('limits the answer under the name that the address knows', async () => {
    redirect('https://api.openai.com');
    const apiKey = async (): Promise<string> => 'sk-test-key';
    const own = (await requestOf(createOpenAiProvider({ apiKey, api: 'chat' }))).body;
    assert.deepEqual([own['max_completion_tokens'], own['max_tokens']], [8192, undefined]);
    undo();
    const other = (await requestOf(createOpenAiProvider({ apiKey, baseUrl: server.url }))).body;
    assert.deepEqual([other['max_completion_tokens'], other['max_tokens']], [undefined, 8192]);
  });

  const vendors: readonly (readonly [string, string, (options: ProviderOptions) => ModelProvider])[] = [
    ['anthropic', 'https://api.anthropic.com', createAnthropicProvider],
    ['openai', 'https://api.openai.com', createOpenAiProvider],
  ];
  for (const [name, origin, create] of vendors) {
    it(`asks for a key of ${name} before anything is sent`, async () => {
      redirect(origin);
      for (const apiKey of [noKey, async () => '  ']) {
        const { error } = await end(create({ apiKey }));
        assert.equal(error?.failure, 'auth');
        assert.match(error.message, /Set API Key/u);
        assert.ok(error.message.includes(`No API key is set for ${origin}.`), error.message);
      }
      assert.deepEqual(server.requests, []);
    });

    it(`sends ${name} the key that is set at that moment`, async () => {
      redirect(origin);
      let key = 'sk-first-key';
      const provider = create({ apiKey: async () => key });
      assert.equal((await requestOf(provider)).headers.authorization, 'Bearer sk-first-key');
      key = ' sk-second-key\n';
      assert.equal((await requestOf(provider)).headers.authorization, 'Bearer sk-second-key');
    });

    it(`sends another server of ${name}'s wire no authorization without a key, whatever the environment holds`, async () => {
      const names = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'OPENAI_API_KEY', 'OPENAI_ADMIN_KEY', 'OPENAI_ORG_ID', 'OPENAI_PROJECT_ID'];
      await withEnvironment(Object.fromEntries(names.map((variable) => [variable, 'from-the-environment'])), async () => {
        const { headers } = await requestOf(create({ baseUrl: server.url, apiKey: noKey }));
        assert.equal(headers.authorization, undefined);
        assert.doesNotMatch(JSON.stringify(headers), /from-the-environment|x-api-key/u);
      });
    });

    it(`sends the environment's headers for ${name} to the address that it names, or else the vendor's own, and to no other`, async () => {
      const [headers, address] = [`${name.toUpperCase()}_CUSTOM_HEADERS`, `${name.toUpperCase()}_BASE_URL`];
      const apiKey = async (): Promise<string> => 'sk-test-key';
      const sent = async (baseUrl?: string): Promise<unknown> => (await requestOf(create({ ...(baseUrl && { baseUrl }), apiKey }))).headers['x-gateway-key'];
      await withEnvironment({ [headers]: 'X-Gateway-Key: gateway-secret', [address]: `${server.url}/gateway/` }, async () => {
        assert.equal(await sent(`${server.url}/gateway`), 'gateway-secret');
        assert.equal(await sent(`${server.url}/other`), undefined);
        assert.equal(process.env[headers], 'X-Gateway-Key: gateway-secret');
        for (const [named, own] of [['', 'gateway-secret'], ['nonsense', undefined], ['http://other.example', undefined]] as const) {
          process.env[address] = named;
          assert.equal(await sent(`${server.url}/gateway`), undefined);
          redirect(origin);
          assert.equal(await sent(), own);
          undo();
        }
      });
    });

    it(`refuses an address for ${name} that can't be one, without showing it`, async () => {
      for (const baseUrl of ['nonsense', 'ftp://example.com', 'http://user:hunter2@example.com', 'https://example.com/v1?key=hunter2']) {
        const { error } = await end(create({ baseUrl, apiKey: noKey }));
        assert.equal(error?.failure, 'bad_request');
        assert.match(error.message, /base URL/u);
        assert.doesNotMatch(error.message, /hunter2/u);
      }
    });

    it(`ends the wait for a key of ${name} with the abort`, async () => {
      const controller = new AbortController();
      const provider = create({
        apiKey: () => {
          controller.abort();
          return new Promise(() => undefined);
        },
      });
      assert.deepEqual(await end(provider, { signal: controller.signal }), { type: 'end', stop: 'aborted' });
    });

    it(`fails, and doesn't throw, where the key of ${name} can't be read`, async () => {
      const { error } = await end(create({ apiKey: () => Promise.reject(new Error('The keyring is locked.')) }));
      assert.equal(error?.failure, 'error');
      assert.match(error.message, /keyring is locked/u);
    });
  }
});
