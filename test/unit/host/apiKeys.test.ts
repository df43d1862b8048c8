import assert from 'node:assert/strict';
import { ApiKeys } from '../../../src/host/apiKeys.ts';
import { endpointOf, isLocal, type Endpoint, type Environment } from '../../../src/host/endpoints.ts';
import { SILENT_LOG, type Log } from '../../../src/runtime/domain/ports.ts';
import { fakeSecrets } from '../../support/secrets.ts';

function endpoint(provider: string, baseUrl?: string): Endpoint {
  const found = endpointOf({ provider, ...(baseUrl === undefined ? {} : { baseUrl }) });
  assert.ok(found);
  return found;
}

const anthropic = endpoint('anthropic');
const openai = endpoint('openai');
const local = endpoint('openai', 'http://localhost:11434/v1');
const others = [
  endpoint('openai', 'http://localhost:11435/v1'), endpoint('openai', 'https://localhost:11434/v1'), endpoint('openai', 'https://api.openai.com.evil.example/v1'),
  endpoint('openai', 'https://api.openai.com:8443/v1'), endpoint('openai', 'http://api.openai.com/v1'), endpoint('anthropic', 'https://api.openai.com/v1'),
];

describe('API keys', () => {
  it('are handed out for the endpoint they were given for, and for no other', async () => {
    const keys = keysOf();
    await keys.store(openai, 'sk-own');
    await keys.store(local, 'sk-local');
    assert.equal(await keys.get(endpoint('openai', 'https://api.openai.com/other/path')), 'sk-own');
    assert.equal(await keys.get(endpoint('openai', 'http://LOCALHOST:11434')), 'sk-local');
    for (const other of [anthropic, ...others]) assert.equal(await keys.get(other), undefined, other.origin);
  });

  it('come from the environment for the provider’s own address alone', async () => {
    const keys = keysOf({ ANTHROPIC_API_KEY: ' sk-a ', OPENAI_API_KEY: 'sk-o' });
    assert.equal(await keys.get(anthropic), 'sk-a');
    assert.equal(await keys.get(openai), 'sk-o');
    for (const other of [local, ...others]) assert.equal(await keys.get(other), undefined, other.origin);
  });

  it('of the environment go to the address beside them, and then no more to the provider’s own', async () => {
    const keys = keysOf({ OPENAI_API_KEY: 'sk-gateway', OPENAI_BASE_URL: 'https://gateway.example/v1' });
    assert.equal(await keys.get(endpoint('openai', 'https://gateway.example/v1')), 'sk-gateway');
    assert.deepEqual([await keys.get(openai), await keys.get(local)], [undefined, undefined]);
    assert.equal(await keysOf({ OPENAI_API_KEY: 'sk', OPENAI_BASE_URL: 'no address' }).get(openai), undefined);
  });

  it('that are stored win over the environment’s, which count again after removal', async () => {
    const keys = keysOf({ ANTHROPIC_API_KEY: 'sk-env' });
    assert.deepEqual(keys.sourceOf(anthropic), { kind: 'environment', variable: 'ANTHROPIC_API_KEY' });
    await keys.store(anthropic, 'sk-stored');
    assert.deepEqual([await keys.get(anthropic), keys.sourceOf(anthropic)], ['sk-stored', { kind: 'stored' }]);
    await keys.remove(anthropic);
    assert.equal(await keys.get(anthropic), 'sk-env');
    assert.deepEqual([keys.sourceOf(openai), keys.stored()], [{ kind: 'none' }, []]);
  });

  it('are found again by a later window', async () => {
    const values = new Map<string, string>();
    await new ApiKeys(fakeSecrets(values), {}, SILENT_LOG).store(local, 'sk-1');
    const later = new ApiKeys(fakeSecrets(values), {}, SILENT_LOG);
    assert.equal(await later.get(local), 'sk-1');
    assert.deepEqual(later.stored(), [local]);
  });

  it('follow what another window stores and removes, and tell of it', async () => {
    const secrets = fakeSecrets();
    const here = new ApiKeys(secrets, {}, SILENT_LOG);
    const there = new ApiKeys(secrets, {}, SILENT_LOG);
    const told: string[] = [];
    here.onDidChange(({ origin }) => told.push(origin));
    await here.load();
    await there.store(openai, 'sk-1');
    assert.equal(await here.get(openai), 'sk-1');
    await there.store(openai, 'sk-2');
    assert.equal(await here.get(openai), 'sk-2');
    await there.remove(openai);
    assert.equal(await here.get(openai), undefined);
    assert.deepEqual(told, [openai.origin, openai.origin, openai.origin]);
  });

  it('leave other secrets of the extension alone', async () => {
    const secrets = fakeSecrets(new Map([['something', 'else']]));
    const keys = new ApiKeys(secrets, {}, SILENT_LOG);
    await keys.load();
    await secrets.store('another', 'one');
    assert.deepEqual(keys.stored(), []);
  });

  it('are never what could not be sent, and errors and log show nothing of them', async () => {
    const lines: string[] = [];
    const log: Log = { ...SILENT_LOG, warn: (message) => lines.push(message), error: (message) => lines.push(message) };
    const secrets = fakeSecrets();
    const keys = new ApiKeys(secrets, { ANTHROPIC_API_KEY: 'sk-two\nlines' }, log);
    assert.equal(await keys.get(anthropic), undefined);
    await assert.rejects(keys.store(openai, 'sk-secret\r\nx: y'), (error: Error) => !error.message.includes('sk-secret'));
    assert.equal(secrets.values.size, 0);
    assert.equal(lines.length, 1);
    assert.ok(!lines.join().includes('sk-two'));
  });

  it('of a storage that can’t be read are asked for again the next time', async () => {
    const secrets = fakeSecrets();
    await new ApiKeys(secrets, {}, SILENT_LOG).store(openai, 'sk-1');
    const keys = new ApiKeys(secrets, { OPENAI_API_KEY: 'sk-env' }, SILENT_LOG);
    secrets.failure = new Error('locked');
    assert.equal(await keys.get(openai), 'sk-env');
    await assert.rejects(keys.store(openai, 'sk-2'), /locked/);
    secrets.failure = undefined;
    assert.equal(await keys.get(openai), 'sk-1');
  });

  it('are not needed on this computer only', () => {
    const isHere = (baseUrl: string): boolean => isLocal(endpoint('openai', baseUrl));
    assert.deepEqual(['http://localhost:1/v1', 'http://127.0.0.1:1', 'http://127.1.2.3', 'http://[::1]:8000/v1', 'http://a.localhost'].filter((url) => !isHere(url)), []);
    assert.deepEqual(['http://localhost.example', 'http://192.168.1.2', 'https://api.openai.com', 'http://127.0.0.1.example', 'http://xlocalhost'].filter(isHere), []);
  });
});

function keysOf(env: Environment = {}): ApiKeys {
  return new ApiKeys(fakeSecrets(), env, SILENT_LOG);
}
