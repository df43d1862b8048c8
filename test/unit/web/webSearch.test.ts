import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { isAbort } from '../../../src/runtime/base/abort.ts';
import { isAppError, type ErrorReason } from '../../../src/runtime/base/errors.ts';
import type { SearchBackend } from '../../../src/runtime/web/search/backends.ts';
import { createWebSearch } from '../../../src/runtime/web/search/webSearch.ts';

const KEY = 'key-0123456789';
const never = new AbortController().signal;

interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

describe('searching the web', () => {
  let server: Server;
  let asked: Asked[];
  let answer: (response: ServerResponse) => void;
  let address: string;
  beforeEach(async () => {
    asked = [];
    server = createServer((request, response) => void receive(request).then((each) => {
      asked.push(each);
      answer(response);
    })).listen(0, '127.0.0.1');
    await once(server, 'listening');
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });

  async function receive(request: IncomingMessage): Promise<Asked> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    return { method: request.method ?? '', url: new URL(request.url ?? '', address), headers: request.headers, body: Buffer.concat(pieces).toString() };
  }

  const json = (value: unknown, status = 200) => (response: ServerResponse): void => void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  const html = (status: number, headers: Readonly<Record<string, string>> = {}) => (response: ServerResponse): void => void response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(`<html>${KEY}</html>`);
  const search = (backend: SearchBackend, { limit = 5, path = '', signal = never }: { readonly limit?: number; readonly path?: string; readonly signal?: AbortSignal } = {}) =>
    createWebSearch({ backend, baseUrl: `${address}${path}`, key: async () => KEY })('two words & more', limit, signal);
  const says = (reason: ErrorReason, words: RegExp) => (error: unknown): boolean => {
    assert.ok(isAppError(error, reason), String(error));
    assert.match(error.message, words);
    assert.doesNotMatch(error.message, /key-0123/);
    return true;
  };

  it('by SearXNG asks for JSON under its address, also in a folder', async () => {
    answer = json({ results: [{ title: 'One', url: 'https://one.example/', content: 'First &amp; best' }, { title: 'Two', url: 'https://two.example/' }] });
    assert.deepEqual(await search('searxng', { path: '/searx/' }), [{ title: 'One', url: 'https://one.example/', snippet: 'First & best' }, { title: 'Two', url: 'https://two.example/', snippet: '' }]);
    assert.equal(`${asked[0]?.method} ${asked[0]?.url.pathname}`, 'GET /searx/search');
    assert.deepEqual([...(asked[0]?.url.searchParams ?? [])], [['q', 'two words & more'], ['format', 'json']]);
  });

  it('by SearXNG needs no key', async () => {
    answer = json({ results: [] });
    assert.deepEqual(await createWebSearch({ backend: 'searxng', baseUrl: address })('x', 5, never), []);
    assert.equal(asked[0]?.headers.authorization, undefined);
  });

  it('by Brave sends the key in its header, and reads results without marks', async () => {
    answer = json({ web: { results: [{ title: 'A <strong>b</strong>', url: 'https://a.example/', description: 'It&#x27;s <strong>it</strong>' }] } });
    assert.deepEqual(await search('brave', { limit: 50 }), [{ title: 'A b', url: 'https://a.example/', snippet: 'It\'s it' }]);
    assert.equal(asked[0]?.url.pathname, '/res/v1/web/search');
    assert.deepEqual([asked[0]?.url.searchParams.get('q'), asked[0]?.url.searchParams.get('count'), asked[0]?.headers['x-subscription-token']], ['two words & more', '20', KEY]);
  });

  it('by Tavily posts the query, with the key as bearer', async () => {
    answer = json({ results: [{ title: 'A', url: 'https://a.example/', content: 'b' }] });
    assert.deepEqual(await search('tavily'), [{ title: 'A', url: 'https://a.example/', snippet: 'b' }]);
    assert.deepEqual([asked[0]?.method, asked[0]?.url.pathname, asked[0]?.headers.authorization, JSON.parse(asked[0]?.body ?? '')], ['POST', '/search', `Bearer ${KEY}`, { query: 'two words & more', max_results: 5, search_depth: 'basic' }]);
  });

  it('gives as many results as wanted, of those that can be fetched', async () => {
    answer = json({ results: [{ title: 'x', url: 'javascript:alert(1)' }, 'nonsense', { title: 3 }, ...Array.from({ length: 9 }, (_, index) => ({ title: 't', url: `https://x.example/${index}` }))] });
    assert.deepEqual((await search('searxng', { limit: 3 })).map(({ url }) => url), ['https://x.example/0', 'https://x.example/1', 'https://x.example/2']);
  });

  it('gives nothing where there is nothing', async () => {
    answer = json({ type: 'search' });
    assert.deepEqual(await search('brave'), []);
  });

  const refusals: readonly (readonly [string, SearchBackend, (response: ServerResponse) => void, RegExp])[] = [
    ['a refused key', 'tavily', json({ detail: { error: `Unauthorized: ${KEY}` } }, 401), /Tavily refuses the key.*Set API Key/],
    ['a key that Brave refuses', 'brave', json({ error: { code: 'SUBSCRIPTION_TOKEN_INVALID', status: 422 } }, 422), /Brave Search refuses the key/],
    ['a search that Brave refuses', 'brave', json({ error: { code: 'VALIDATION', status: 422 } }, 422), /refuses the search \(status 422\)/],
    ['too many requests', 'brave', json({}, 429), /too many requests/],
    ['a plan that is used up', 'tavily', json({}, 432), /plan is used up/],
    ['a SearXNG without the JSON format', 'searxng', html(403), /search\.formats/],
    ['an error that is called a success', 'searxng', json({ error: `no engines for ${KEY}` }), /answered with an error/],
    ['an error of others that is called a success', 'tavily', json({ error: { message: KEY }, results: [] }), /answered with an error/],
    ['a page instead of results', 'searxng', html(200), /isn't JSON.*search\.formats/],
    ['a page instead of results of others', 'brave', html(200), /isn't JSON.*address/],
    ['a wrong address', 'searxng', html(404), /isn't at this address/],
    ['a server in trouble', 'tavily', html(502), /status 502/],
    ['a redirect, which isn’t followed', 'brave', html(302, { location: '/elsewhere' }), /redirects/],
  ];
  for (const [name, backend, sends, words] of refusals) {
    it(`says in words: ${name}`, async () => {
      answer = sends;
      await assert.rejects(search(backend), says('unavailable', words));
      assert.equal(asked.length, 1);
    });
  }

  it('says that a key is missing, or can’t be one, and asks nobody', async () => {
    for (const key of [undefined, '', ' ', async () => undefined]) {
      await assert.rejects(createWebSearch({ backend: 'brave', baseUrl: address, ...(key !== undefined && { key }) })('x', 5, never), says('unavailable', /needs a key.*Set API Key/));
    }
    await assert.rejects(createWebSearch({ backend: 'brave', baseUrl: address, key: 'key-0123\n456' })('x', 5, never), says('unavailable', /can't be sent/));
    assert.equal(asked.length, 0);
  });

  it('says that nothing is there', async () => {
    const { port } = server.address() as AddressInfo;
    const gone = createServer().listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const other = (gone.address() as AddressInfo).port;
    gone.close();
    await once(gone, 'close');
    assert.notEqual(other, port);
    await assert.rejects(createWebSearch({ backend: 'searxng', baseUrl: `http://127.0.0.1:${other}` })('x', 5, never), says('unavailable', /can't be reached/));
  });

  it('is given up by an abort, at any point, and closes its connection', async () => {
    for (const begins of [(): void => undefined, (response: ServerResponse): void => void response.writeHead(200).write('{"results": [')]) {
      const stop = new AbortController();
      const closed = new Promise<void>((resolve) => {
        answer = (response) => {
          response.once('close', resolve);
          begins(response);
          setImmediate(() => stop.abort());
        };
      });
      await assert.rejects(search('searxng', { signal: stop.signal }), isAbort);
      await closed;
    }
  });

  it('is given up by an abort while its key is read, and asks nobody', async () => {
    const stop = new AbortController();
    const key = (): Promise<string> => {
      setImmediate(() => stop.abort());
      return new Promise(() => undefined);
    };
    await assert.rejects(createWebSearch({ backend: 'brave', baseUrl: address, key })('x', 5, stop.signal), isAbort);
    assert.equal(asked.length, 0);
  });

  for (const baseUrl of ['', 'example.org', 'file:///x', 'https://user:secret@example.org/']) {
    it(`can’t be at ${JSON.stringify(baseUrl)}`, () => assert.throws(() => createWebSearch({ backend: 'searxng', baseUrl }), (error) => isAppError(error, 'invalid_input') && !error.message.includes('secret')));
  }
});
