import assert from 'node:assert/strict';
import { ApiKeys } from '../../../src/host/apiKeys.ts';
import { ownEndpoint } from '../../../src/host/endpoints.ts';
import { Models, type ConfiguredModel } from '../../../src/host/models.ts';
import { isSameEndpoint, type ModelProvider, type ModelRef } from '../../../src/runtime/domain/models.ts';
import { SILENT_LOG } from '../../../src/runtime/domain/ports.ts';
import type { ProviderOptions } from '../../../src/runtime/providers/options.ts';
import { fakeSecrets } from '../../support/secrets.ts';

const OFFLINE: ModelRef = { provider: 'offline', model: 'offline' };
const CLAUDE: ModelRef = { provider: 'anthropic', model: 'claude' };
const LAN: ModelRef = { provider: 'openai', model: 'llama', baseUrl: 'http://192.168.1.5:8000/v1' };
const LOCAL: ModelRef = { provider: 'openai', model: 'llama', baseUrl: 'http://localhost:11434/v1' };
const OPENAI: ModelRef = { provider: 'openai', model: 'gpt' };

function setUp(first: ModelRef, env: Readonly<Record<string, string>> = {}) {
  const made: { readonly id: string; readonly options: ProviderOptions }[] = [];
  const factory = (id: string) => (options: ProviderOptions): ModelProvider => {
    made.push({ id, options });
    return { id, stream: () => assert.fail('nothing is sent') };
  };
  const listeners: (() => void)[] = [];
  let model = first;
  let tiers: readonly ModelRef[] = [];
  const keys = new ApiKeys(fakeSecrets(), env, SILENT_LOG);
  const configured: ConfiguredModel = {
    read: () => model,
    tiers: () => tiers,
    onDidChange(listener) {
      listeners.push(listener);
      return { dispose() {} };
    },
  };
  const models = new Models(configured, keys, { offline: factory('offline'), anthropic: factory('anthropic'), openai: factory('openai'), vscode: factory('vscode') }, SILENT_LOG);
  const changes: string[] = [];
  models.onDidChange((changed) => changes.push(changed.model));
  return {
    models, keys, made, changes,
    set: (next: ModelRef): void => {
      model = next;
      for (const listener of listeners) listener();
    },
    setTiers: (next: readonly ModelRef[]): void => void (tiers = next),
  };
}

describe('the models of a window', () => {
  it('keep one provider an address, whatever model it runs', () => {
    const { models, made, set } = setUp(CLAUDE);
    const first = models.provider();
    set({ ...CLAUDE, model: 'another', reasoningEffort: 'high' });
    assert.equal(models.provider(), first);
    set(LAN);
    assert.notEqual(models.provider(), first);
    set(CLAUDE);
    assert.equal(models.provider(), first);
    assert.equal(models.providerFor({ ...CLAUDE, model: 'third' }), first);
    assert.deepEqual(made.map(({ id, options }) => [id, options.baseUrl]), [['anthropic', undefined], ['openai', LAN.baseUrl]]);
  });

  it('reach every model of the editor, with one provider a vendor', () => {
    const { models, made } = setUp(CLAUDE);
    const of = (model: string): ModelProvider | undefined => models.providerFor({ provider: 'vscode', model });
    assert.equal(of('copilot/gpt')?.id, 'vscode');
    assert.equal(of('copilot/gpt'), of('copilot/claude'));
    assert.notEqual(of('copilot/gpt'), of('ollama/gpt'));
    assert.equal(made.length, 2);
    // What one vendor refuses says nothing about the other.
    const same = (a: string, b: string): boolean => isSameEndpoint({ provider: 'vscode', model: a }, { provider: 'vscode', model: b });
    assert.deepEqual([same('copilot/gpt', 'copilot/claude'), same('copilot/gpt', 'ollama/gpt')], [true, false]);
    assert.ok(isSameEndpoint({ provider: 'openai', model: 'a/x' }, { provider: 'openai', model: 'b/x' }));
  });

  it('tell of a change of the model, and of nothing else', () => {
    const { changes, set } = setUp(OFFLINE);
    set({ ...OFFLINE });
    set(CLAUDE);
    set(OFFLINE);
    assert.deepEqual(changes, ['claude', 'offline']);
  });

  it('ask for the key of the provider’s address at each request', async () => {
    const { models, keys, made } = setUp(LAN);
    models.provider();
    const key = made[0]?.options.apiKey;
    await keys.store(ownEndpoint('openai'), 'sk-openai');
    assert.equal(await key?.(), undefined);
    await keys.store({ provider: 'openai', origin: 'http://192.168.1.5:8000' }, 'sk-lan');
    assert.equal(await key?.(), 'sk-lan');
  });

  it('start anew with another key, since waits belong to the old one', async () => {
    const { models, keys, changes } = setUp(CLAUDE);
    const before = models.provider();
    await keys.store(ownEndpoint('openai'), 'sk-1');
    assert.equal(models.provider(), before);
    await keys.store(ownEndpoint('anthropic'), 'sk-2');
    assert.notEqual(models.provider(), before);
    assert.deepEqual(changes, ['claude']);
  });

  it('reach what is configured, what has a key, and what is on this computer', async () => {
    const { models, keys } = setUp(LAN, { ANTHROPIC_API_KEY: 'sk-a' });
    assert.deepEqual([LAN, LOCAL, CLAUDE, OFFLINE].map((model) => models.providerFor(model)?.id), ['openai', 'openai', 'anthropic', 'offline']);
    assert.equal(models.providerFor(OPENAI), undefined);
    await keys.store(ownEndpoint('openai'), 'sk-o');
    assert.equal(models.providerFor(OPENAI)?.id, 'openai');
    for (const model of [{ ...CLAUDE, baseUrl: 'https://elsewhere.example' }, { ...LOCAL, baseUrl: 'no address' }, { provider: 'toString', model: 'x' }]) assert.equal(models.providerFor(model), undefined, model.provider);
  });

  it('reach every tier’s address, with or without a key, through one provider an address', () => {
    const { models, made, setTiers } = setUp({ ...CLAUDE, tier: 'medium' });
    setTiers([{ ...OPENAI, tier: 'simple' }, { ...CLAUDE, tier: 'medium' }, { ...OPENAI, model: 'gpt-large', tier: 'complex' }]);
    assert.deepEqual(models.all().map(({ tier, model }) => `${tier} ${model}`), ['medium claude', 'simple gpt', 'complex gpt-large']);
    assert.equal(models.providerFor(OPENAI), models.providerFor({ ...OPENAI, model: 'gpt-large' }));
    assert.equal(models.providerFor(CLAUDE), models.provider());
    assert.deepEqual(made.map(({ id }) => id), ['openai', 'anthropic']);
    setTiers([]);
    assert.equal(models.providerFor(OPENAI), undefined);
  });
});
