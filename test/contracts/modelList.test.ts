import assert from 'node:assert/strict';
import { listModels, type ModelList } from '../../src/runtime/providers/modelList.ts';
import { redirectFetch } from '../support/redirectFetch.ts';
import { RawServer, type RawAnswer } from '../support/rawServer.ts';

const KEY = 'sk-very-secret-key-1234567890';

function json(body: unknown): RawAnswer {
  return { headers: { 'content-type': 'application/json' }, chunks: [JSON.stringify(body)] };
}

describe('a server’s list of models', () => {
  let server: RawServer;

  beforeEach(async () => {
    server = await RawServer.start();
  });
  afterEach(() => server.stop());

  const list = (provider: 'anthropic' | 'openai', path = '', key?: string): Promise<ModelList> => listModels({ provider, baseUrl: `${server.url}${path}`, key }, new AbortController().signal);
  const failure = async (answer: RawAnswer): Promise<{ readonly failure: string; readonly message: string }> => {
    server.answer = () => answer;
    const got = await list('openai', '/v1', KEY);
    assert.ok(!got.ok);
    assert.ok(!got.error.message.includes(KEY), got.error.message);
    return got.error;
  };

  it('is asked for beside the address that requests go to, with the key in the vendor’s way', async () => {
    server.answer = () => json({ data: [] });
    for (const path of ['', '/v1', '/v1/', '/v1/messages']) await list('anthropic', path, KEY);
    for (const path of ['/v1', '/v1/chat/completions', '/api/v1/']) await list('openai', path);
    assert.deepEqual(server.requests.map(({ path }) => path), [...Array<string>(4).fill('/v1/models?limit=1000'), '/v1/models', '/v1/models', '/api/v1/models']);
    const [anthropic] = server.requests;
    assert.deepEqual([anthropic?.headers.authorization, anthropic?.headers['x-api-key'], anthropic?.headers['anthropic-version']], [`Bearer ${KEY}`, KEY, '2023-06-01']);
    assert.equal(server.lastRequest.headers.authorization, undefined);
  });

  it('is asked for at the vendor’s own address where none is set', async () => {
    server.answer = () => json({ data: [{ id: 'm' }] });
    for (const [provider, origin] of [['anthropic', 'https://api.anthropic.com'], ['openai', 'https://api.openai.com']] as const) {
      const undo = redirectFetch(origin, () => server.url);
      try {
        assert.ok((await listModels({ provider, key: KEY }, new AbortController().signal)).ok);
      } finally {
        undo();
      }
    }
    assert.deepEqual(server.requests.map(({ path, headers }) => [path, headers.authorization, headers['x-api-key']]), [['/v1/models?limit=1000', `Bearer ${KEY}`, undefined], ['/v1/models', `Bearer ${KEY}`, undefined]]);
  });

  it('tells of each model its name and how much it takes, where the server says so', async () => {
    server.answer = () => json({
      data: [
        { id: 'a', display_name: ' Model\nA ', max_input_tokens: 200_000 }, { id: 'b', max_model_len: 4096, context_length: 1 }, { id: 'c', meta: { n_ctx: 8192, n_ctx_train: 1 } }, { id: 'd', context_length: -1, display_name: 'd' },
        { id: 'old', lifecycle: 'retired' }, { id: 'a', display_name: 'again' },
      ],
    });
    assert.deepEqual(await list('anthropic'), { ok: true, models: [{ id: 'a', displayName: 'again' }, { id: 'b', contextWindow: 4096 }, { id: 'c', contextWindow: 8192 }, { id: 'd' }] });
  });

  it('has nothing that could not be shown as it is', async () => {
    server.answer = () => json({ data: [{ id: 'a\u202eb' }, { id: ' a' }, { id: 'x\ny' }, { id: '' }, { id: 5 }, { id: 'y'.repeat(201) }, 'z', null, { id: 'fine/model:8b' }] });
    assert.deepEqual(await list('openai'), { ok: true, models: [{ id: 'fine/model:8b' }] });
  });

  it('is no list where the answer is something else', async () => {
    for (const answer of [{ headers: { 'content-type': 'text/html' }, chunks: ['<html>Log in</html>'] }, { chunks: ['{"data":'] }, json([]), json({ data: 'all' }), json(null), { chunks: [] }]) assert.match((await failure(answer)).message, /something else than a list/u);
  });

  it('fails in the server’s words, without the key that they repeat', async () => {
    const refused = await failure({ status: 401, chunks: [JSON.stringify({ error: { message: `Incorrect API key: ${KEY}.` } })] });
    assert.equal(refused.failure, 'auth');
    assert.match(refused.message, /status 401: Incorrect API key: \[key\]/u);
    assert.equal((await failure({ chunks: ['{"data":['], end: 'reset' })).failure, 'network');
  });

  it('follows no redirect, and takes the key nowhere', async () => {
    const other = await RawServer.start();
    try {
      other.answer = () => json({ data: [{ id: 'evil' }] });
      const { failure: reason, message } = await failure({ status: 307, headers: { location: `${other.url}/v1/models` } });
      assert.equal(reason, 'bad_request');
      assert.match(message, /redirects aren't followed/u);
      assert.deepEqual(other.requests, []);
    } finally {
      await other.stop();
    }
  });

  it('is read no further than any list is long', async () => {
    const piece = ' '.repeat(64 * 1024);
    const { message } = await failure({ chunks: ['{"data":[', ...Array<string>(80).fill(piece)], end: 'hang' });
    assert.match(message, /something else than a list/u);
    assert.equal(await server.lastRequest.closed, false);
  });

  it('is waited for until nobody wants it any more', async () => {
    server.answer = () => ({ end: 'silent' });
    const leaving = new AbortController();
    const waiting = assert.rejects(listModels({ provider: 'openai', baseUrl: server.url }, leaving.signal), { reason: 'aborted' });
    while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    leaving.abort();
    await waiting;
    assert.equal(await server.lastRequest.closed, false);
  });

  it('is not asked for at an address that can’t be one', async () => {
    const got = await listModels({ provider: 'openai', baseUrl: 'https://me:hunter2@x', key: KEY }, new AbortController().signal);
    assert.ok(!got.ok && !got.error.message.includes('hunter2'));
  });
});
