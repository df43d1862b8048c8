import assert from 'node:assert/strict';
import type { Environment } from '../../../src/host/endpoints.ts';
import { modelUpdates, type ModelUse, type SettingUpdate } from '../../../src/host/modelUpdates.ts';
import { readSettings } from '../../../src/host/settingsValues.ts';
import type { SettingKey } from '../../../src/ids.ts';
import type { ModelRef } from '../../../src/runtime/domain/models.ts';

type User = Readonly<Partial<Record<SettingKey, unknown>>>;

const OFFLINE: ModelRef = { provider: 'offline', model: 'offline' };
const CLAUDE: ModelRef = { provider: 'anthropic', model: 'claude' };
const LOCAL: ModelRef = { provider: 'openai', model: 'qwen', baseUrl: 'http://127.0.0.1:11434/v1', displayName: 'Qwen', contextWindow: 4096, maxOutputTokens: 1024, reasoningEffort: 'low' };
const EDITOR: ModelRef = { provider: 'vscode', model: 'copilot/x', contextWindow: 64_000 };
const SINGLE: ModelUse = { kind: 'single' };
const SIMPLE: ModelUse = { kind: 'tier', tier: 'simple' };
const MEDIUM: ModelUse = { kind: 'tier', tier: 'medium' };
const USES: readonly ModelUse[] = [SINGLE, SIMPLE, MEDIUM];

const SINGLE_SETTINGS: User = { provider: 'openai', model: 'gpt', baseUrl: 'https://gateway.example/v1', api: 'chat', reasoningEffort: 'high', maxOutputTokens: 5, contextWindow: 9, price: { input: 1, output: 2 } };
const CATALOG: User = { models: { simple: { provider: 'openai', model: 'mini', temperature: 1, note: 'mine' }, complex: 3 }, defaultModel: 'simple' };

const read = (user: User, env: Environment) => readSettings((key) => ({ globalValue: user[key] }), env);

function updatesFor(user: User, chosen: ModelRef, use: ModelUse, env: Environment = {}): readonly SettingUpdate[] {
  const { model, models } = read(user, env).settings;
  return modelUpdates(chosen, use, { model, models, written: (key) => user[key] }, env);
}

function applied(user: User, updates: readonly SettingUpdate[]): User {
  return updates.reduce<User>((now, { key, value }) => Object.fromEntries(Object.entries({ ...now, [key]: value }).filter(([, each]) => each !== undefined)), user);
}

/** The model as it is read, without what its use adds. */
function essence({ provider, model, baseUrl, reasoningEffort }: ModelRef): unknown {
  return { provider, model, baseUrl, reasoningEffort };
}

describe('what is written for a chosen model', () => {
  const starts: Readonly<Record<string, User>> = {
    nothing: {}, 'one model': SINGLE_SETTINGS, 'a catalog': CATALOG, both: { ...SINGLE_SETTINGS, ...CATALOG }, 'a broken catalog': { models: [] }, 'one model of the editor': { provider: 'vscode', model: 'copilot/y' },
  };
  const environments: readonly Environment[] = [{}, { OPENAI_BASE_URL: 'https://elsewhere.example/v1', ANTHROPIC_BASE_URL: 'nonsense' }];

  for (const [name, start] of Object.entries(starts)) {
    it(`is read back as it was chosen, whatever is written in between, from ${name}`, () => {
      for (const env of environments) {
        for (const chosen of [OFFLINE, CLAUDE, LOCAL, EDITOR, { provider: 'openai', model: 'gpt' }]) {
          for (const use of USES) {
            const updates = updatesFor(start, chosen, use, env);
            const before = essence(read(start, env).settings.model);
            const after = read(applied(start, updates), env).settings;
            const got: ModelRef | undefined = use.kind === 'single' ? after.model : after.models?.[use.tier];
            assert.deepEqual(got && essence(got), essence(chosen));
            assert.equal(after.models === undefined, use.kind === 'single');
            const told = new Set([...read(start, env).problems.map(({ setting }) => setting), 'subagents.models']);
            updates.forEach((_, index) => {
              const { settings, problems } = read(applied(start, updates.slice(0, index + 1)), env);
              const now = JSON.stringify(essence(settings.model));
              assert.ok([before, essence(OFFLINE), essence(after.model)].some((one) => JSON.stringify(one) === now), `${now} after ${updates[index]?.key}`);
              assert.deepEqual(problems.map(({ setting }) => setting).filter((setting) => !told.has(setting)), []);
            });
            assert.deepEqual(updatesFor(applied(start, updates), chosen, use, env), [], 'what is right already isn’t written again');
          }
        }
      }
    });
  }

  it('takes nothing over from another model, and keeps what was written about the same one', () => {
    const other = applied(SINGLE_SETTINGS, updatesFor(SINGLE_SETTINGS, CLAUDE, SINGLE));
    assert.deepEqual(other, { provider: 'anthropic', model: 'claude' });
    const same = applied(SINGLE_SETTINGS, updatesFor(SINGLE_SETTINGS, { provider: 'openai', model: 'gpt', baseUrl: 'https://gateway.example/v1', contextWindow: 1 }, SINGLE));
    const { reasoningEffort: _, ...rest } = SINGLE_SETTINGS;
    assert.deepEqual(same, rest, 'but for the effort, which was asked for');
  });

  it('leaves the other tiers as they are, and what a person wrote about the same one', () => {
    const models = (chosen: ModelRef): unknown => applied(CATALOG, updatesFor(CATALOG, chosen, SIMPLE))['models'];
    const mini = { provider: 'openai', model: 'mini' };
    assert.deepEqual(models(mini), CATALOG['models']);
    assert.deepEqual(models({ ...mini, reasoningEffort: 'high' }), { simple: { ...mini, note: 'mine', reasoningEffort: 'high' }, complex: 3 });
    assert.deepEqual(models(LOCAL), { simple: LOCAL, complex: 3 });
  });

  it('takes the one model away where a tier takes its place, and the tiers where one model does', () => {
    const tier = applied(SINGLE_SETTINGS, updatesFor(SINGLE_SETTINGS, CLAUDE, SIMPLE));
    assert.deepEqual(tier, { models: { simple: CLAUDE } });
    assert.deepEqual(applied(CATALOG, updatesFor(CATALOG, CLAUDE, SINGLE)), { provider: 'anthropic', model: 'claude' });
    assert.deepEqual(applied({ ...SINGLE_SETTINGS, ...CATALOG }, updatesFor({ ...SINGLE_SETTINGS, ...CATALOG }, OFFLINE, SINGLE)), Object.fromEntries(Object.entries(SINGLE_SETTINGS).filter(([key]) => key !== 'provider')));
  });

  it('writes out the provider’s own address where the environment names another', () => {
    const env = { ANTHROPIC_BASE_URL: 'https://gateway.example' };
    assert.deepEqual(applied({}, updatesFor({}, CLAUDE, SINGLE, env)), { provider: 'anthropic', model: 'claude', baseUrl: 'https://api.anthropic.com' });
    assert.deepEqual(applied({}, updatesFor({}, CLAUDE, SIMPLE, env)), { models: { simple: { ...CLAUDE, baseUrl: 'https://api.anthropic.com' } } });
  });
});
