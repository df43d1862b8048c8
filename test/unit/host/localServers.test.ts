import assert from 'node:assert/strict';
import { findLocalServers, KNOWN_SERVERS, type LocalServer } from '../../../src/host/localServers.ts';
import { SYSTEM_CLOCK } from '../../../src/runtime/base/clock.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { RawServer, type RawAnswer } from '../../support/rawServer.ts';

const list = (...ids: readonly string[]): RawAnswer => ({ headers: { 'content-type': 'application/json' }, chunks: [JSON.stringify({ object: 'list', data: ids.map((id) => ({ id })) })] });

describe('servers on this computer', () => {
  const servers: RawServer[] = [];

  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.stop()));
  });

  async function serving(answer: RawAnswer): Promise<{ readonly name: string; readonly port: number; readonly server: RawServer }> {
    const server = await RawServer.start();
    servers.push(server);
    server.answer = () => answer;
    return { name: `server ${servers.length}`, port: Number(new URL(server.url).port), server };
  }

  const find = (known: readonly { readonly name: string; readonly port: number }[]): Promise<readonly LocalServer[]> => findLocalServers(known, SYSTEM_CLOCK, new AbortController().signal);

  it('are looked for at their usual ports', () => {
    assert.deepEqual(KNOWN_SERVERS.map(({ name, port }) => [name, port]), [['Ollama', 11434], ['LM Studio', 1234], ['llama.cpp', 8080], ['vLLM', 8000], ['Jan', 1337]]);
  });

  it('are found with their models, and asked once, without a key', async () => {
    const one = await serving(list('llama3:8b', 'qwen'));
    const empty = await serving(list());
    const found = await find([one, empty]);
    assert.deepEqual(found.map(({ name, baseUrl, models, wantsKey }) => [name, baseUrl, models.map(({ id }) => id), wantsKey]), [
      ['server 1', `${one.server.url}/v1`, ['llama3:8b', 'qwen'], false],
      ['server 2', `${empty.server.url}/v1`, [], false],
    ]);
    assert.deepEqual(one.server.requests.map(({ path, headers }) => [path, headers.authorization]), [['/v1/models', undefined]]);
  });

  it('may want a key before they tell anything', async () => {
    const locked = await serving({ status: 401, headers: {}, chunks: ['{"error":{"message":"Missing key"}}'] });
    assert.deepEqual((await find([locked])).map(({ models, wantsKey }) => [models, wantsKey]), [[[], true]]);
  });

  it('are not what listens there by chance, and no redirect is followed', async () => {
    const elsewhere = await serving(list('evil'));
    const gone = await serving(list('gone'));
    await gone.server.stop();
    servers.splice(servers.indexOf(gone.server), 1);
    const others = await Promise.all([
      serving({ headers: { 'content-type': 'text/html' }, chunks: ['<html>Hello</html>'] }),
      serving({ headers: {}, chunks: ['{"models":[]}'] }),
      serving({ headers: {}, chunks: ['["a"]'] }),
      serving({ status: 404, headers: {}, chunks: ['Not found'] }),
      serving({ status: 302, headers: { location: `${elsewhere.server.url}/v1/models` } }),
      serving({ headers: {}, chunks: ['{"data":['], end: 'reset' }),
    ]);
    assert.deepEqual(await find([...others, gone]), []);
    assert.deepEqual(elsewhere.server.requests, []);
  });

  it('are given up where they are silent, which costs the others nothing', async () => {
    const clock = new ManualClock();
    const good = await serving(list('qwen'));
    const silent = await serving({ end: 'silent' });
    const slow = await serving({ headers: {}, chunks: ['{"data":['], end: 'hang' });
    const finding = findLocalServers([silent, good, slow], clock, new AbortController().signal);
    for (const each of [silent, good, slow]) await requested(each.server);
    // The one that answers takes its timer along.
    while (clock.pending > 2) await new Promise((resolve) => setImmediate(resolve));
    clock.advance(1500);
    assert.deepEqual((await finding).map(({ name }) => name), ['server 1']);
    assert.equal(clock.pending, 0);
    assert.deepEqual(await Promise.all([silent, slow].map(({ server }) => server.lastRequest.closed)), [false, false]);
  });

  it('are looked for no more once nobody wants to know', async () => {
    const silent = await serving({ end: 'silent' });
    const leaving = new AbortController();
    const finding = assert.rejects(findLocalServers([silent], new ManualClock(), leaving.signal), { reason: 'aborted' });
    await requested(silent.server);
    leaving.abort();
    await finding;
    assert.equal(await silent.server.lastRequest.closed, false);
  });
});

async function requested(server: RawServer): Promise<void> {
  while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
}
