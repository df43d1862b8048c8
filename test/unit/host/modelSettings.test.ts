import assert from 'node:assert/strict';
import { readSettings } from '../../../src/host/settingsValues.ts';
import type { Environment } from '../../../src/host/endpoints.ts';

const OFFLINE = { provider: 'offline', model: 'offline' };
const SIZES = { maxOutputTokens: 8192, contextWindow: 128_000 };

/** The model of these user settings, and what is wrong with them. */
function configure(user: Readonly<Record<string, unknown>>, env: Environment = {}) {
  const { settings, problems } = readSettings((key) => ({ globalValue: user[key] }), env);
  return { model: settings.model, problems: problems.map(({ setting, problem }) => [setting, problem]) };
}

describe('the configured model', () => {
  it('is the offline demo until a provider and a model are named, whatever keys there are', () => {
    assert.deepEqual(configure({ model: 'some-model' }, { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://localhost:1' }), { model: OFFLINE, problems: [] });
  });

  it('has everything that the settings say', () => {
    assert.deepEqual(configure({ provider: 'anthropic', model: ' claude-x ' }).model, { provider: 'anthropic', model: 'claude-x', ...SIZES });
    const all = { provider: 'openai', model: 'm', baseUrl: 'http://localhost:11434/v1/', api: 'responses', reasoningEffort: 'high', maxOutputTokens: 100, contextWindow: 32_000, price: { input: 1, output: 5, cacheRead: 0.1 } };
    assert.deepEqual(configure(all), {
      model: { provider: 'openai', model: 'm', baseUrl: 'http://localhost:11434/v1', api: 'responses', reasoningEffort: 'high', maxOutputTokens: 100, contextWindow: 32_000, price: { input: 1, output: 5, cacheRead: 0.1 } },
      problems: [],
    });
  });

  it('has no address where the settings spell out the provider’s own', () => {
    assert.equal(configure({ provider: 'openai', model: 'm', baseUrl: 'https://api.openai.com/v1/' }).model.baseUrl, undefined);
    assert.equal(configure({ provider: 'anthropic', model: 'm' }, { ANTHROPIC_BASE_URL: 'https://api.anthropic.com' }).model.baseUrl, undefined);
  });

  it('is the demo, with what is missing named, where no model is', () => {
    assert.deepEqual(configure({ provider: 'openai' }), { model: OFFLINE, problems: [['subagents.model', 'no_model']] });
  });

  it('is the demo, never the provider’s own address, where the address is no good', () => {
    for (const baseUrl of ['localhost:11434/v1', 'file:///etc', 'ftp://x', 'nonsense', 'https://x/v1?key=1', 'https://x/#a', 7]) {
      assert.deepEqual(configure({ provider: 'openai', model: 'm', baseUrl }), { model: OFFLINE, problems: [['subagents.baseUrl', 'not_an_address']] }, String(baseUrl));
    }
    assert.deepEqual(configure({ provider: 'openai', model: 'm', baseUrl: 'https://me:secret@x/v1' }), { model: OFFLINE, problems: [['subagents.baseUrl', 'secret_in_address']] });
  });

  it('takes its address from the environment only where the settings name none', () => {
    const env = { OPENAI_BASE_URL: 'http://gateway:8080/v1', ANTHROPIC_BASE_URL: 'not an address' };
    assert.equal(configure({ provider: 'openai', model: 'm' }, env).model.baseUrl, 'http://gateway:8080/v1');
    assert.equal(configure({ provider: 'openai', model: 'm', baseUrl: 'http://mine/v1' }, env).model.baseUrl, 'http://mine/v1');
    assert.deepEqual(configure({ provider: 'anthropic', model: 'm' }, env), { model: OFFLINE, problems: [['ANTHROPIC_BASE_URL', 'not_an_address']] });
  });

  it('is no one’s but the user’s to choose', () => {
    const { settings } = readSettings(() => ({ workspaceValue: 'openai', workspaceFolderValue: 'openai' }));
    assert.deepEqual(settings.model, OFFLINE);
  });

  it('reports choices that there aren’t, and goes on without them', () => {
    const { model, problems } = configure({ provider: 'openai', model: 'm', api: 'soap', reasoningEffort: 'max', maxOutputTokens: 0 });
    assert.deepEqual(model, { provider: 'openai', model: 'm', ...SIZES });
    assert.deepEqual(problems, [['subagents.api', 'not_a_choice'], ['subagents.reasoningEffort', 'not_a_choice'], ['subagents.maxOutputTokens', 'out_of_range']]);
    assert.deepEqual(configure({ provider: 'gemini', model: 'm' }), { model: OFFLINE, problems: [['subagents.provider', 'not_a_choice']] });
  });

  it('may be one of the editor’s, which takes neither address nor effort', () => {
    const editor = { provider: 'vscode', model: 'copilot/gpt-x', baseUrl: 'http://mine', reasoningEffort: 'high' };
    assert.deepEqual(configure(editor), { model: { provider: 'vscode', model: 'copilot/gpt-x', ...SIZES }, problems: [['subagents.reasoningEffort', 'effort_not_sent']] });
    assert.deepEqual(configure({ provider: 'vscode', model: 'gpt-x' }), { model: OFFLINE, problems: [['subagents.model', 'no_vendor']] });
    assert.deepEqual(configure({ provider: 'vscode' }), { model: OFFLINE, problems: [['subagents.model', 'no_model']] });
  });

  it('has no price rather than half of one', () => {
    for (const price of [{ input: 1 }, { input: 1, output: -1 }, { input: 1, output: '5' }, { input: 1, output: 5, cacheRead: null }, { input: Number.NaN, output: 5 }, [], 3, null]) {
      assert.deepEqual(configure({ provider: 'openai', model: 'm', price }), { model: { provider: 'openai', model: 'm', ...SIZES }, problems: [['subagents.price', 'not_a_price']] }, JSON.stringify(price));
    }
  });
});
