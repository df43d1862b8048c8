import assert from 'node:assert/strict';
import { ApiKeys } from '../../../src/host/apiKeys.ts';
import { endpointOf, type Environment } from '../../../src/host/endpoints.ts';
import type { LocalServer } from '../../../src/host/localServers.ts';
import type { ProviderFactories } from '../../../src/host/models.ts';
import type { SettingUpdate } from '../../../src/host/modelUpdates.ts';
import { readSettings } from '../../../src/host/settingsValues.ts';
import { SYSTEM_CLOCK } from '../../../src/runtime/base/clock.ts';
import type { ModelRequest } from '../../../src/runtime/domain/models.ts';
import { SILENT_LOG } from '../../../src/runtime/domain/ports.ts';
import { createAnthropicProvider } from '../../../src/runtime/providers/anthropic/client.ts';
import type { ListedModel } from '../../../src/runtime/providers/modelList.ts';
import { createOpenAiProvider } from '../../../src/runtime/providers/openai/client.ts';
import { configureModels } from '../../../src/ui/models/configureModels.ts';
import { RawServer, type RawAnswer, type RecordedRequest } from '../../support/rawServer.ts';
import { redirectFetch } from '../../support/redirectFetch.ts';
import { ScriptedDialog, type Step } from '../../support/scriptedDialog.ts';
import { fakeSecrets } from '../../support/secrets.ts';
import { english } from './fakes.ts';

const KEY = 'sk-very-secret-key-1234567890';
const ORIGINS = { anthropic: 'https://api.anthropic.com', openai: 'https://api.openai.com' } as const;

interface Window {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly env?: Environment;
  readonly servers?: readonly LocalServer[];
  readonly editorModels?: readonly ListedModel[];
  readonly hasEditor?: boolean;
  readonly failingWrite?: boolean;
}

/** A window whose settings and secrets are in memory. `run` asks a person who does as scripted. */
function openWindow({ settings = {}, env = {}, servers = [], editorModels = [], hasEditor = false, failingWrite = false }: Window = {}) {
  let user = settings;
  const secrets = fakeSecrets();
  const keys = new ApiKeys(secrets, env, SILENT_LOG);
  const asked: ModelRequest[] = [];
  const said: string[] = [];
  const editor: ProviderFactories = {
    vscode: () => ({
      id: 'vscode',
      async *stream(request) {
        asked.push(request);
        yield { type: 'text', text: 'ready' };
      },
    }),
  };
  const read = () => readSettings((key) => ({ globalValue: user[key] }), env);
  return {
    secrets, keys, asked, said,
    user: () => user,
    /** The models as they are read now; nothing may be wrong with them. */
    models() {
      const { settings: { model, models }, problems } = read();
      assert.deepEqual(problems, []);
      return { model, models };
    },
    async run(steps: readonly Step[]): Promise<ScriptedDialog> {
      const dialog = new ScriptedDialog(steps);
      const { model, models } = read().settings;
      await configureModels({
        dialog, keys, env,
        factories: { anthropic: createAnthropicProvider, openai: createOpenAiProvider, ...(hasEditor ? editor : {}) },
        present: () => ({ model, models, written: (key) => user[key] }),
        change: async (updates: readonly SettingUpdate[]) => {
          if (failingWrite) throw new Error('settings.json can’t be written');
          for (const { key, value } of updates) user = Object.fromEntries(Object.entries({ ...user, [key]: value }).filter(([, each]) => each !== undefined));
        },
        findServers: async () => servers,
        editorModels: async () => editorModels,
        clock: SYSTEM_CLOCK,
        l10n: english,
        say: (message) => said.push(message),
      });
      dialog.assertDone();
      assert.ok(!JSON.stringify([dialog.seen, said, user]).includes(KEY), 'the key is shown nowhere');
      return dialog;
    },
  };
}

function json(body: unknown): RawAnswer {
  return { headers: { 'content-type': 'application/json' }, chunks: [JSON.stringify(body)] };
}

const CHAT: RawAnswer = { chunks: ['data: {"id":"1","choices":[{"index":0,"delta":{"role":"assistant","content":"ready"},"finish_reason":null}]}\n\n'], end: 'hang' };
const MESSAGES: RawAnswer = {
  chunks: [
    'event: message_start\ndata: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"c","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}\n\n',
    'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\n',
    'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"ready"}}\n\n',
  ],
  end: 'hang',
};

/** A server of either wire that lists its models and answers them. */
function serve({ path }: RecordedRequest, ids: readonly string[] = ['model-a', 'model-b']): RawAnswer {
  if (path.includes('/models')) return json({ data: ids.map((id) => ({ id, display_name: id === 'model-a' ? 'Model A' : '' })) });
  return path.endsWith('/messages') ? MESSAGES : CHAT;
}

describe('Configure Models…', () => {
  let server: RawServer;
  let undo = (): void => undefined;

  beforeEach(async () => {
    server = await RawServer.start();
    server.answer = (request) => serve(request);
  });
  afterEach(async () => {
    undo();
    undo = () => undefined;
    await server.stop();
  });

  const requested = (): readonly string[] => server.requests.map(({ path }) => path);
  const local = (models: readonly ListedModel[], wantsKey = false): LocalServer => ({ name: 'Ollama', port: 11434, baseUrl: `${server.url}/v1`, models, wantsKey });

  it('asks for source, key, model, effort and use, tries the model out, and saves all of it', async () => {
    undo = redirectFetch(ORIGINS.anthropic, () => server.url);
    const window = openWindow();
    const dialog = await window.run([{ pick: 'https://api.anthropic.com' }, { refused: '' }, { refused: 'two words' }, { type: KEY }, { pick: 'Model A' }, { pick: 'High' }, { pick: 'The one model' }]);
    assert.deepEqual(window.models().model, { provider: 'anthropic', model: 'model-a', reasoningEffort: 'high', maxOutputTokens: 8192, contextWindow: 128_000 });
    assert.equal(await window.keys.get({ provider: 'anthropic', origin: ORIGINS.anthropic }), KEY);
    assert.deepEqual(window.said, ['Saved: Model A (Anthropic) answers from now on. What runs keeps its model. The key for https://api.anthropic.com is stored.']);
    assert.deepEqual(requested(), ['/v1/models?limit=1000', '/v1/messages']);
    assert.deepEqual(server.lastRequest.body['output_config'], { effort: 'high' });
    assert.ok(dialog.seen.includes('The key for https://api.anthropic.com. It is stored in this computer’s secret storage. (secret)'));
    assert.deepEqual(dialog.places.map(({ step, total }) => `${step}/${total}`), ['1/2', '2/5', '3/5', '3/5', '4/5', '5/5', '5/5']);
  });

  it('asks for no key where one is known', async () => {
    undo = redirectFetch(ORIGINS.openai, () => server.url);
    const window = openWindow({ env: { OPENAI_API_KEY: KEY } });
    server.answer = (request) => (request.path.endsWith('/responses') ? { chunks: ['event: response.output_text.delta\ndata: {"type":"response.output_text.delta","item_id":"i","output_index":0,"content_index":0,"delta":"ready","sequence_number":1}\n\n'], end: 'hang' } : serve(request));
    const dialog = await window.run([{ pick: 'https://api.openai.com' }, { pick: 'model-b' }, { pick: 'Default' }, { pick: '“medium”' }]);
    assert.match(dialog.seen[0] ?? '', /The key of the environment variable OPENAI_API_KEY is used/);
    assert.deepEqual(window.models().models, { medium: { provider: 'openai', model: 'model-b', tier: 'medium' } });
    assert.equal(window.secrets.values.size, 0);
    assert.deepEqual(server.requests.map(({ headers }) => headers.authorization), [`Bearer ${KEY}`, `Bearer ${KEY}`]);
    assert.deepEqual(window.said, ['Saved: the model “medium” is model-b (OpenAI). What runs keeps its model.']);
  });

  it('takes any address, whose key may be none', async () => {
    const window = openWindow();
    await window.run([{ pick: 'OpenAI compatible address' }, { refused: '' }, { refused: 'localhost:1' }, { refused: 'https://me:pw@x/v1' }, { type: `${server.url}/v1/` }, { type: '' }, { pick: 'Another model' }, { refused: '' }, { type: 'typed' }, { pick: 'Low' }, { pick: 'The one model' }]);
    const { provider, model, baseUrl, reasoningEffort } = window.models().model;
    assert.deepEqual([provider, model, baseUrl, reasoningEffort], ['openai', 'typed', `${server.url}/v1`, 'low']);
    assert.equal(window.secrets.values.size, 0);
    assert.deepEqual([server.lastRequest.headers.authorization, server.lastRequest.body['model'], server.lastRequest.body['reasoning_effort']], [undefined, 'typed', 'low']);
  });

  it('offers the servers of this computer with their models, and asks them for no key', async () => {
    const models = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, contextWindow: 4096 }));
    const window = openWindow({ servers: [local(models)] });
    const dialog = await window.run([{ pick: 'Ollama on this computer, 127.0.0.1:11434, a, b, c and 2 more' }, { pick: 'e' }, { pick: 'Default' }, { pick: '“simple”' }]);
    assert.ok(dialog.seen.every((question) => !question.includes('(secret)')));
    assert.deepEqual(requested(), ['/v1/chat/completions'], 'what it has is known already');
    assert.deepEqual(window.models().models?.simple, { provider: 'openai', model: 'e', baseUrl: `${server.url}/v1`, contextWindow: 4096, maxOutputTokens: 1024, tier: 'simple' });
  });

  it('writes no window that can be none, whatever the server tells', async () => {
    for (const contextWindow of [1, 499, 1500.5, 100_000_001, 9e15]) {
      const window = openWindow({ servers: [local([{ id: 'e', contextWindow }])] });
      await window.run([{ pick: 'Ollama on this computer, 127.0.0.1:11434, e' }, { pick: 'e' }, { pick: 'Default' }, { pick: '“simple”' }]);
      assert.deepEqual(window.models().models?.simple, { provider: 'openai', model: 'e', baseUrl: `${server.url}/v1`, tier: 'simple' }, String(contextWindow));
    }
  });

  it('asks a server of this computer for its key where it tells nothing without', async () => {
    const window = openWindow({ servers: [local([], true)] });
    await window.run([{ pick: 'It wants a key' }, { type: KEY }, { pick: 'model-b' }, { pick: 'Default' }, { pick: 'The one model' }]);
    const endpoint = endpointOf({ provider: 'openai', baseUrl: server.url });
    assert.equal(endpoint && (await window.keys.get(endpoint)), KEY);
  });

  it('offers the editor’s models where they can be used, without key or effort', async () => {
    const editorModels = [{ id: 'copilot/gpt-x', displayName: 'GPT X', contextWindow: 64_000 }];
    const window = openWindow({ hasEditor: true, editorModels });
    await window.run([{ pick: 'The editor’s models' }, { pick: 'copilot/gpt-x' }, { pick: '“complex”' }]);
    assert.deepEqual(window.models().models?.complex, { provider: 'vscode', model: 'copilot/gpt-x', displayName: 'GPT X', contextWindow: 64_000, tier: 'complex' });
    assert.deepEqual(window.asked.map(({ model }) => model), ['copilot/gpt-x']);
    const none = openWindow({ hasEditor: true });
    await none.run([{ pick: 'The editor’s models' }, { act: 'Change…' }, 'leave']);
    assert.ok(!(await openWindow().run(['leave'])).seen[0]?.includes('editor'));
  });

  it('goes back to the offline demo without asking anything of anyone', async () => {
    const window = openWindow({ settings: { models: { simple: { provider: 'openai', model: 'x' } }, defaultModel: 'simple' } });
    await window.run([{ pick: 'Offline demo' }, { pick: 'Takes the place of the models simple' }]);
    assert.deepEqual([window.user(), requested()], [{}, []]);
    assert.deepEqual(window.said, ['Saved: Offline demo (not an AI) answers from now on. What runs keeps its model.']);
  });

  it('shows what a use takes the place of', async () => {
    const single = await openWindow({ settings: { provider: 'openai', model: 'gpt' } }).run([{ pick: 'Offline demo' }, 'leave']);
    assert.match(single.seen[1] ?? '', /The one model for everything, now: gpt \(OpenAI\) \| The model “simple”, Takes the place of the one model gpt, which/);
    const tiers = await openWindow({ settings: { models: { simple: { provider: 'anthropic', model: 'c', displayName: 'Claude $(x)' } } } }).run([{ pick: 'Offline demo' }, 'leave']);
    assert.match(tiers.seen[1] ?? '', /The model “simple”, now: Claude \$\u2060\(x\) \(Anthropic\).*The one model for everything, Takes the place of the models simple/);
    const broken = await openWindow({ settings: { models: { simple: 3, best: {} }, model: 'left over' } }).run([{ pick: 'Offline demo' }, 'leave']);
    assert.match(broken.seen[1] ?? '', /The model “simple”, Takes the place of the one model left over.*The one model for everything.*Takes the place of the models simple, best/);
  });

  it('writes nothing where the person leaves, whenever that is', async () => {
    const steps: readonly Step[] = [{ pick: 'OpenAI compatible address' }, { type: `${server.url}/v1` }, { type: KEY }, { pick: 'model-b' }, { pick: 'Default' }];
    for (let answered = 0; answered <= steps.length; answered += 1) {
      const window = openWindow();
      await window.run([...steps.slice(0, answered), 'leave']);
      assert.deepEqual([window.user(), window.secrets.values.size, window.said], [{}, 0, []], `after ${answered} answers`);
    }
  });

  it('leads back through every question, and begins it with what was answered', async () => {
    const window = openWindow();
    const address = `${server.url}/v1`;
    const dialog = await window.run([
      { pick: 'OpenAI compatible address' }, { type: address }, { type: '' }, { pick: 'model-b' }, { pick: 'Low' },
      // From the last question: the trial is passed.
      'back', 'back', 'back', 'back', 'back',
      { pick: 'OpenAI compatible address' }, { type: address }, { type: '' }, { pick: 'Another model' }, 'back', { pick: 'model-b' }, { pick: 'Low' }, { pick: 'The one model' },
    ]);
    assert.ok(dialog.seen.includes(`The address of the server. Most serve under /v1. [${address}]`));
    assert.deepEqual(dialog.active.filter((label) => label !== undefined), ['Default', 'Low', 'model-b', 'OpenAI compatible address…', 'model-b', 'model-b', 'Low']);
    assert.equal(requested().filter((path) => path.endsWith('completions')).length, 2);
  });

  it('takes another source for a new beginning', async () => {
    const window = openWindow({ servers: [local([{ id: 'own' }])] });
    await window.run([{ pick: 'OpenAI compatible address' }, { type: `${server.url}/other` }, { type: KEY }, 'back', 'back', 'back', { pick: 'Ollama on this computer' }, { pick: 'own' }, { pick: 'Default' }, { pick: 'The one model' }]);
    assert.equal(window.models().model.baseUrl, `${server.url}/v1`);
    assert.deepEqual([window.secrets.values.size, server.lastRequest.headers.authorization], [0, undefined], 'the key was for the other');
  });

  it('says in the provider’s words what went wrong, and tries again', async () => {
    let tries = 0;
    server.answer = (request) => (request.path.endsWith('/models') || ++tries > 1 ? serve(request) : { status: 400, chunks: [JSON.stringify({ error: { message: `model-b does not support tools (${KEY})` } })] });
    const window = openWindow();
    const dialog = await window.run([{ pick: 'OpenAI compatible address' }, { type: `${server.url}/v1` }, { type: KEY }, { pick: 'model-b' }, { pick: 'Default' }, { act: 'Try Again' }, { pick: 'The one model' }]);
    assert.ok(dialog.seen.includes('model-b (OpenAI compatible) did not answer. openai (model-b) failed with status 400: model-b does not support tools ([key]\u2060).: Try Again | Change… | Save Anyway'), dialog.seen.join('\n'));
    assert.equal(window.secrets.values.size, 1);
  });

  it('changes what is most likely wrong: the key, the model, or an address that nobody answers at', async () => {
    undo = redirectFetch(ORIGINS.openai, () => server.url);
    const refused: RawAnswer = { status: 401, chunks: ['{"error":{"message":"Bad key"}}'] };
    const good = 'sk-good';
    server.answer = (request) => (request.headers.authorization !== `Bearer ${good}` ? refused : request.path.endsWith('/models') ? serve(request) : { status: 404, chunks: ['{"error":{"message":"No such model"}}'] });
    const window = openWindow({ env: { OPENAI_API_KEY: 'sk-old' } });
    await window.run([
      { pick: 'https://api.openai.com' }, { act: 'Type the Model’s Id…' }, { type: 'gpt' }, { pick: 'Default' },
      // The trial is refused.
      { act: 'Change…' }, { type: 'sk-bad' }, { act: 'Enter Another Key…' }, { type: good }, { pick: 'model-b' }, { pick: 'Default' },
      // No such model.
      { act: 'Change…' }, { pick: 'Model A' }, { pick: 'Default' }, { act: 'Save Anyway' }, { pick: 'The one model' },
    ]);
    assert.equal(window.models().model.model, 'model-a');
    assert.equal(await window.keys.get({ provider: 'openai', origin: ORIGINS.openai }), good);
  });

  it('leads from an address that nobody answers at to another', async () => {
    const gone = await RawServer.start();
    const { url } = gone;
    await gone.stop();
    const window = openWindow();
    const dialog = await window.run([{ pick: 'Anthropic compatible address' }, { type: url }, { type: '' }, { type: 'claude' }, { pick: 'Default' }, { act: 'Change…' }, { type: server.url }, { type: '' }, { pick: 'Model A' }, { pick: 'Default' }, { pick: '“complex”' }]);
    assert.match(dialog.seen.join('\n'), /The models could not be listed, so type the id of one\. anthropic \(its list of models\) failed: .*ECONNREFUSED/);
    assert.deepEqual(window.models().models?.complex, { provider: 'anthropic', model: 'model-a', displayName: 'Model A', baseUrl: server.url, tier: 'complex' });
  });

  it('shows what a server says as mere text', async () => {
    const bait = { chunks: ['[Allow](command:evil) $(check)'] };
    server.answer = () => ({ status: 400, ...bait });
    const dialog = await openWindow().run([{ pick: 'OpenAI compatible address' }, { type: `${server.url}/v1` }, { type: '' }, { type: '[x](command:evil)' }, { pick: 'Default' }, 'leave']);
    const shown = dialog.seen.slice(3).join('\n');
    assert.match(shown, /command:evil/);
    assert.ok(!shown.includes('](') && !shown.includes('$(check'), shown);
  });

  it('saves nothing where trouble is closed', async () => {
    server.answer = (request) => (request.path.endsWith('/models') ? serve(request) : { status: 500, chunks: ['down'] });
    const window = openWindow();
    await window.run([{ pick: 'OpenAI compatible address' }, { type: `${server.url}/v1` }, { type: KEY }, { pick: 'model-b' }, { pick: 'Default' }, 'leave']);
    assert.deepEqual([window.user(), window.secrets.values.size], [{}, 0]);
  });

  it('has the id typed where the list is hostile or missing', async () => {
    for (const list of [{ headers: { 'content-type': 'text/html' }, chunks: ['<html>'] }, { status: 302, headers: { location: 'http://192.0.2.1/' } }, { status: 404, chunks: ['no'] }, json({ data: [] }), json({ data: [{ id: '\u202e' }] })] satisfies RawAnswer[]) {
      server.answer = (request) => (request.path.endsWith('/models') ? list : serve(request));
      const window = openWindow();
      await window.run([{ pick: 'OpenAI compatible address' }, { type: `${server.url}/v1` }, { type: '' }, { type: 'typed' }, { pick: 'Default' }, { pick: 'The one model' }]);
      assert.equal(window.models().model.model, 'typed');
    }
  });

  it('can be left while it waits for a list or an answer, and lets go of both', async () => {
    for (const at of ['/models', '/completions']) {
      for (const during of ['back', 'leave'] as const) {
        server.requests.length = 0;
        server.answer = (request) => (request.path.endsWith(at) ? { end: 'silent' } : serve(request));
        const until = async (): Promise<void> => {
          while (!server.requests.some(({ path }) => path.endsWith(at))) await new Promise((resolve) => setImmediate(resolve));
        };
        const before: readonly Step[] = at === '/models' ? [] : [{ pick: 'model-b' }, { pick: 'Default' }];
        const window = openWindow();
        await window.run([{ pick: 'OpenAI compatible address' }, { type: `${server.url}/v1` }, { type: KEY }, ...before, { during, until }, ...(during === 'back' ? ['leave' as const] : [])]);
        assert.equal(await server.lastRequest.closed, false);
        assert.deepEqual([window.user(), window.secrets.values.size], [{}, 0]);
      }
    }
  });

  it('names an address of the environment, and never takes it for the provider’s own', async () => {
    undo = redirectFetch(ORIGINS.anthropic, () => server.url);
    const env = { ANTHROPIC_BASE_URL: 'https://gateway.example', ANTHROPIC_API_KEY: 'sk-gateway' };
    const window = openWindow({ env });
    const dialog = await window.run([{ pick: 'https://api.anthropic.com' }, { type: KEY }, { pick: 'Model A' }, { pick: 'Default' }, { pick: 'The one model' }]);
    assert.match(dialog.seen[0] ?? '', /Anthropic compatible, https:\/\/gateway\.example, The address of an environment variable/);
    assert.equal(window.user()['baseUrl'], 'https://api.anthropic.com');
    assert.deepEqual(server.requests.map(({ headers }) => headers.authorization), [`Bearer ${KEY}`, `Bearer ${KEY}`]);
  });

  it('fails where the settings can’t be written, and says nothing of success', async () => {
    const window = openWindow({ failingWrite: true });
    await assert.rejects(window.run([{ pick: 'Offline demo' }, { pick: 'The one model' }]), /can’t be written/);
    assert.deepEqual(window.said, []);
  });
});
