import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import type { Environment } from '../../../src/host/endpoints.ts';
import { readSettings } from '../../../src/host/settingsValues.ts';
import { settingWords } from '../../../src/host/settingWords.ts';
import { english } from '../ui/fakes.ts';

const OFFLINE = { provider: 'offline', model: 'offline' };
const MINI = { provider: 'openai', model: 'mini' };
const CLAUDE = { provider: 'anthropic', model: 'claude' };

function configure(user: Readonly<Record<string, unknown>>, env: Environment = {}) {
  const { settings, problems } = readSettings((key) => ({ globalValue: user[key] }), env);
  return { model: settings.model, models: settings.models, defaultModel: settings.defaultModel, said: problems.map((problem) => `${problem.setting}: ${settingWords(problem, english)}`) };
}

/** What is said of a tier beside one that can be used. */
function saidOf(tier: unknown, env: Environment = {}): readonly string[] {
  const { models, said } = configure({ models: { simple: MINI, complex: tier } }, env);
  assert.deepEqual(models, { simple: { ...MINI, tier: 'simple' } });
  return said;
}

describe('the catalog of models', () => {
  it('has everything that the settings say of each tier', () => {
    const simple = { ...MINI, displayName: ' Small ', baseUrl: 'http://localhost:11434/v1/', api: 'responses', temperature: 0.2, topP: 1, maxOutputTokens: 100, contextWindow: 4096, price: { input: 0, output: 0.5 } };
    const complex = { ...CLAUDE, model: ' claude ', api: 'chat', reasoningEffort: 'high' };
    const medium = { provider: 'vscode', model: 'copilot/gpt/x', displayName: 'Copilot', contextWindow: 64_000 };
    const { models, said } = configure({ models: { simple, medium, complex } });
    assert.deepEqual(models, {
      simple: { ...simple, displayName: 'Small', baseUrl: 'http://localhost:11434/v1', tier: 'simple' },
      medium: { ...medium, tier: 'medium' },
      complex: { ...CLAUDE, reasoningEffort: 'high', tier: 'complex' },
    });
    assert.deepEqual(said, []);
  });

  it('may hold the offline demo, to try it out', () => {
    assert.deepEqual(configure({ models: { simple: { provider: 'offline' }, medium: { provider: 'offline', model: 'x', displayName: 'Demo' } } }).models, { simple: { ...OFFLINE, tier: 'simple' }, medium: { ...OFFLINE, displayName: 'Demo', tier: 'medium' } });
  });

  it('has the default tier first: the chosen one, else medium, simple or complex', () => {
    const of = (names: readonly string[], defaultModel?: string): unknown => {
      const { model, defaultModel: chosen, said } = configure({ models: Object.fromEntries(names.map((name) => [name, { ...MINI, model: name }])), ...(defaultModel === undefined ? {} : { defaultModel }) });
      return [model.model, model.tier, chosen, ...said];
    };
    assert.deepEqual(of(['complex', 'simple', 'medium']), ['medium', 'medium', undefined]);
    assert.deepEqual(of(['complex', 'simple']), ['simple', 'simple', undefined]);
    assert.deepEqual(of(['complex', 'simple'], 'complex'), ['complex', 'complex', 'complex']);
    assert.deepEqual(of(['complex'], 'auto'), ['complex', 'complex', undefined]);
    assert.deepEqual(of(['complex'], 'simple'), ['complex', 'complex', undefined, 'subagents.defaultModel: This model is not configured in subagents.models; it is ignored.']);
    assert.deepEqual(of(['complex'], 'best'), ['complex', 'complex', undefined, 'subagents.defaultModel: This is none of the choices; it is ignored.']);
  });

  it('is no one’s but the user’s to write', () => {
    const { settings } = readSettings(() => ({ workspaceValue: { simple: MINI }, workspaceFolderValue: { simple: MINI } }));
    assert.deepEqual([settings.models, settings.model], [undefined, OFFLINE]);
  });

  it('replaces the one model, and both settings are named where both are there', () => {
    const single = { provider: 'anthropic', model: 'claude', baseUrl: 'nonsense' };
    const { model, said } = configure({ ...single, models: { simple: MINI } });
    assert.deepEqual(model, { ...MINI, tier: 'simple' });
    assert.deepEqual(said, ['subagents.model: This is ignored, because the setting subagents.models is there. Remove one of the two.']);
    assert.equal(configure({ ...CLAUDE, models: {} }).model.model, 'claude');
  });

  it('is the demo, not the one model nearby, where nothing of it can be used', () => {
    for (const models of [[], 'x', 3, null, { simple: 3 }, { best: MINI }]) {
      const { model, models: read, said } = configure({ ...CLAUDE, models });
      assert.deepEqual([model, read], [OFFLINE, undefined], JSON.stringify(models));
      assert.equal(said.length, 2);
    }
  });

  it('leaves out what can’t be used, says why, and keeps the others', () => {
    const start = 'subagents.models: The model “complex” is left out.';
    const faults: readonly (readonly [unknown, string])[] = [
      ['claude', 'It must be an object with a “provider” and a “model”.'],
      [{ model: 'x' }, 'Its “provider” is “anthropic”, “openai”, “vscode” or “offline”.'],
      [{ provider: 'toString', model: 'x' }, 'Its “provider” is “anthropic”, “openai”, “vscode” or “offline”.'],
      [{ provider: 'openai', model: ' ' }, 'It needs a “model”: the id, as the provider writes it.'],
      [{ provider: 'openai', model: 5 }, '“model” must be text.'],
      [{ ...CLAUDE, displayName: 5 }, '“displayName” must be text.'],
      [{ provider: 'vscode', model: 'gpt' }, 'A “model” of the editor is written as vendor/id, such as copilot/gpt-4.1.'],
      [{ ...MINI, api: 'soap' }, '“api” is none of the choices.'],
      [{ ...MINI, reasoningEffort: 'max' }, '“reasoningEffort” is none of the choices.'],
      [{ ...MINI, maxOutputTokens: 0 }, '“maxOutputTokens” must be a whole number of at least 1.'],
      [{ ...MINI, contextWindow: '8k' }, '“contextWindow” must be a whole number of at least 1.'],
      [{ ...MINI, temperature: 2.1 }, '“temperature” must be a number from 0 to 2.'],
      [{ ...MINI, topP: -1 }, '“topP” must be a number from 0 to 1.'],
      [{ ...MINI, price: { input: 1 } }, 'Its “price” must be an object with the numbers “input” and “output”, and perhaps “cacheRead” and “cacheWrite”.'],
      [{ ...MINI, price: {} }, 'Its “price” must be an object with the numbers “input” and “output”, and perhaps “cacheRead” and “cacheWrite”.'],
    ];
    for (const [tier, words] of faults) assert.deepEqual(saidOf(tier), [`${start} ${words}`]);
    assert.deepEqual(configure({ models: { simple: MINI, best: CLAUDE } }).said, ['subagents.models: The model “best” is left out. The models are called “simple”, “medium” and “complex”.']);
  });

  it('sends nothing to an address that the user didn’t mean', () => {
    const start = 'subagents.models: The model “complex” is left out.';
    for (const baseUrl of ['localhost:11434/v1', 'file:///etc', 'nonsense', 'https://x/v1?key=1']) assert.deepEqual(saidOf({ ...MINI, baseUrl }), [`${start} “baseUrl” must be an address that starts with http:// or https://.`]);
    assert.deepEqual(saidOf({ ...MINI, baseUrl: 7 }), [`${start} “baseUrl” must be text.`]);
    const secret = saidOf({ ...MINI, baseUrl: 'https://me:hunter2@x/v1' });
    assert.deepEqual(secret, [`${start} “baseUrl” must not hold a user name or password; give the key by the command “Set API Key…”.`]);
    const env = { ANTHROPIC_BASE_URL: 'nonsense', OPENAI_BASE_URL: 'http://gateway/v1' };
    assert.deepEqual(saidOf({ ...CLAUDE }, { ANTHROPIC_BASE_URL: 'nonsense' }), [`${start} “ANTHROPIC_BASE_URL” must be an address that starts with http:// or https://.`]);
    assert.equal(configure({ models: { simple: MINI } }, env).models?.simple?.baseUrl, 'http://gateway/v1');
    assert.equal(configure({ models: { simple: { ...MINI, baseUrl: 'https://api.openai.com/v1' } } }, env).models?.simple?.baseUrl, undefined);
  });

  it('takes an effort with sampling for a mistake, and names the fields', () => {
    const said = (more: object): readonly string[] => saidOf({ ...CLAUDE, reasoningEffort: 'low', ...more });
    assert.match(said({ temperature: 0 })[0] ?? '', /“reasoningEffort” can’t be used together with “temperature”/);
    assert.match(said({ temperature: 1, topP: 1 })[0] ?? '', /with “temperature”, “topP”/);
  });

  it('keeps a tier of the editor whose effort can’t be sent, and says so', () => {
    const { models, said } = configure({ models: { medium: { provider: 'vscode', model: 'copilot/x', reasoningEffort: 'high', temperature: 1 } } });
    assert.deepEqual(models?.medium, { provider: 'vscode', model: 'copilot/x', temperature: 1, tier: 'medium' });
    assert.deepEqual(said, ['subagents.models: The model “medium” is one of the editor’s, which can’t be told a “reasoningEffort”; it is not sent.']);
  });

  it('is checked by the manifest’s schema as by the code', () => {
    const { contributes } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { contributes: { configuration: { properties: Record<string, object> } } };
    const validate = new Ajv({ strict: false }).compile(contributes.configuration.properties['subagents.models'] ?? {});
    const values: readonly unknown[] = [
      {}, { simple: MINI }, { simple: { ...MINI, baseUrl: 'http://x', api: 'chat', reasoningEffort: 'low', price: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 } } }, { medium: { provider: 'vscode', model: 'a/b', temperature: 2, topP: 0 } },
      [], { best: MINI }, { simple: 'x' }, { simple: { model: 'x' } }, { simple: { ...MINI, api: 'soap' } }, { simple: { ...MINI, contextWindow: 0 } }, { simple: { ...MINI, temperature: 3 } }, { simple: { ...MINI, price: { input: 1 } } },
    ];
    for (const models of values) assert.equal(validate(models), configure({ models }).said.length === 0, JSON.stringify(models));
  });
});
