import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ApiKeys } from '../../../src/host/apiKeys.ts';
import { ownEndpoint } from '../../../src/host/endpoints.ts';
import { readSettings } from '../../../src/host/settingsValues.ts';
import { searchEndpoint, WebServices } from '../../../src/host/webServices.ts';
import { SILENT_LOG } from '../../../src/runtime/domain/ports.ts';
import { isAppError } from '../../../src/runtime/base/errors.ts';
import { fakeSecrets } from '../../support/secrets.ts';
import { response, WebServer } from '../../support/webServer.ts';

type Values = Readonly<Record<string, unknown>>;

const read = (user: Values, workspace: Values = {}) => readSettings((key) => ({ globalValue: user[key], workspaceValue: workspace[key] }));
const web = (user: Values, workspace: Values = {}) => {
  const { settings, problems } = read(user, workspace);
  return { webFetch: settings.webFetch, webSearch: settings.webSearch, problems: problems.map(({ setting, problem }) => `${setting}: ${problem}`) };
};
const keysOf = (env: Readonly<Record<string, string>> = {}): ApiKeys => new ApiKeys(fakeSecrets(), env, SILENT_LOG);
const never = new AbortController().signal;

describe('the settings of the web', () => {
  it('fetch pages of the public web and search nothing by default', () => {
    assert.deepEqual(web({}), { webFetch: { allowPrivate: [] }, webSearch: undefined, problems: [] });
  });

  it('are the user’s alone', () => {
    const theirs = { 'webFetch.enabled': true, 'webFetch.allowPrivateHosts': ['localhost'], 'webSearch.backend': 'searxng', 'webSearch.baseUrl': 'http://evil.example' };
    assert.deepEqual(web({ 'webFetch.enabled': false }, theirs), { webFetch: undefined, webSearch: undefined, problems: [] });
    assert.deepEqual(web({}, theirs).webFetch, { allowPrivate: [] });
  });

  it('name hosts, and say which entries are none', () => {
    assert.deepEqual(web({ 'webFetch.allowPrivateHosts': ['localhost:3000', ' *.corp.example ', 'a/b', '*'] }), { webFetch: { allowPrivate: ['localhost:3000', '*.corp.example'] }, webSearch: undefined, problems: ['subagents.webFetch.allowPrivateHosts: not_a_host'] });
  });

  const searches: readonly (readonly [string, string, unknown, readonly string[]])[] = [
    ['searxng', 'http://192.168.1.2:8080/searx/', { backend: 'searxng', baseUrl: 'http://192.168.1.2:8080/searx' }, []],
    ['searxng', '', undefined, ['no_search_address']],
    ['searxng', 'https://api.search.brave.com/', { backend: 'searxng', baseUrl: 'https://api.search.brave.com' }, []],
    ['brave', '', { backend: 'brave' }, []],
    ['brave', 'https://api.search.brave.com/', { backend: 'brave' }, []],
    ['tavily', 'https://gateway.example/tavily', { backend: 'tavily', baseUrl: 'https://gateway.example/tavily' }, []],
    ['tavily', 'gateway', undefined, ['not_a_search_address']],
    ['tavily', 'https://me:secret@gateway.example/', undefined, ['secret_in_search_address']],
    ['none', 'nonsense', undefined, []],
  ];
  for (const [backend, baseUrl, expected, problems] of searches) {
    it(`search by ${backend} at ${JSON.stringify(baseUrl)}`, () => {
      assert.deepEqual(web({ 'webSearch.backend': backend, 'webSearch.baseUrl': baseUrl }), { webFetch: { allowPrivate: [] }, webSearch: expected, problems: problems.map((each) => `subagents.webSearch.baseUrl: ${each}`) });
    });
  }
});

describe('the services of the web', () => {
  it('are the same for as long as the settings are, and none where they want none', () => {
    const services = new WebServices(keysOf());
    const search = { 'webSearch.backend': 'brave' };
    const first = services.of(read(search).settings);
    assert.deepEqual([typeof first.webFetch, typeof first.webSearch], ['function', 'function']);
    assert.equal(services.of(read({ ...search, maxTurns: 3 }).settings), first);
    assert.deepEqual(services.of(read({ 'webFetch.enabled': false }).settings), { webFetch: undefined, webSearch: undefined });
  });

  it('fetch from the hosts that the user lists, and from no other private one', async () => {
    const server = await WebServer.start();
    try {
      server.pages({ '/': response({ body: 'mine' }) });
      const fetched = (hosts: readonly string[]) => new WebServices(keysOf()).of(read({ 'webFetch.allowPrivateHosts': hosts }).settings).webFetch?.(server.url, never);
      assert.deepEqual((await fetched([`127.0.0.1:${server.port}`]))?.kind, 'page');
      await assert.rejects(async () => fetched([]), (error) => isAppError(error, 'denied'));
    } finally {
      await server.stop();
    }
  });

  it('search with the key for their own address and for no other', async () => {
    const server = await WebServer.start();
    try {
      const requests: string[] = [];
      server.answer = (socket, request) => {
        requests.push(request);
        socket.end(response({ headers: { 'content-type': 'application/json' }, body: '{"web": {"results": []}}' }));
      };
      const keys = keysOf({ BRAVE_API_KEY: 'key-own' });
      const { settings } = read({ 'webSearch.backend': 'brave', 'webSearch.baseUrl': server.url });
      const search = new WebServices(keys).of(settings).webSearch ?? assert.fail('no search');
      await assert.rejects(search('x', 3, never), (error) => isAppError(error, 'unavailable') && error.message.includes('needs a key'));
      await keys.store(searchEndpoint(settings) ?? assert.fail('no endpoint'), 'key-gateway');
      assert.deepEqual(await search('x', 3, never), []);
      assert.equal(requests.length, 1);
      assert.match(requests[0] ?? '', /x-subscription-token: key-gateway/i);
      assert.doesNotMatch(requests.join(), /key-own/);
    } finally {
      await server.stop();
    }
  });

  it('have keys in the environment and in the secret storage, each for its own search', async () => {
    const keys = keysOf({ BRAVE_API_KEY: 'key-brave', TAVILY_BASE_URL: 'https://gateway.example' });
    assert.deepEqual([await keys.get(ownEndpoint('brave')), await keys.get(ownEndpoint('tavily'))], ['key-brave', undefined]);
    await keys.store(ownEndpoint('tavily'), 'key-tavily');
    assert.deepEqual([await keys.get(ownEndpoint('tavily')), await keys.get({ provider: 'tavily', origin: 'https://other.example' }), keys.stored()], ['key-tavily', undefined, [ownEndpoint('tavily')]]);
  });

  it('need a key only where the search has one', () => {
    const endpoint = (backend: string, baseUrl = '') => searchEndpoint(read({ 'webSearch.backend': backend, 'webSearch.baseUrl': baseUrl }).settings);
    assert.deepEqual([endpoint('none'), endpoint('searxng', 'http://localhost:8080'), endpoint('brave'), endpoint('tavily', 'https://gateway.example/x')], [undefined, undefined, ownEndpoint('brave'), { provider: 'tavily', origin: 'https://gateway.example' }]);
  });
});
