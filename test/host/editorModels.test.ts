import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { editorModels } from '../../src/host/lm/editorModels.ts';
import { createEditorProvider } from '../../src/host/lm/editorProvider.ts';
import { runtimePieces } from '../../src/host/runtimePieces.ts';
import type { RunOutcome } from '../../src/runtime/domain/agents.ts';
import type { RuntimeEvent } from '../../src/runtime/domain/events.ts';
import type { LiteAgent } from '../../src/runtime/domain/liteAgent.ts';
import type { ModelEvent } from '../../src/runtime/domain/models.ts';
import { until } from '../support/hostEvents.ts';
import { offers, resultsOf, SCRIPTED_VENDOR, ScriptedModels, textsOf, type ServedRequest } from '../support/scriptedModels.ts';

const { LanguageModelTextPart: Text, LanguageModelToolCallPart: Call, LanguageModelDataPart: Data } = vscode;
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const MODEL = { provider: 'vscode', model: `${SCRIPTED_VENDOR}/talker` } as const;

describe('agents on the models of another extension', () => {
  let models: ScriptedModels;
  let folder: string;
  let agent: LiteAgent;
  let events: RuntimeEvent[];
  const happened = new vscode.EventEmitter<RuntimeEvent>();

  before(async () => {
    models = await ScriptedModels.start();
  });

  beforeEach(async () => {
    await models.offer('talker');
    folder = await realpath(await mkdtemp(join(tmpdir(), 'models-')));
    const create = runtimePieces.providerFactories['vscode'];
    assert.ok(create);
    const provider = create({ apiKey: async () => undefined });
    const cwd = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    agent = await runtimePieces.createLiteAgent({ cwd, storageDir: folder, provider, model: MODEL, agents: {} });
    events = [];
    agent.subscribe((event) => {
      events.push(event);
      happened.fire(event);
    });
  });

  afterEach(async () => {
    await agent.close();
    await models.offer();
    await rm(folder, { recursive: true, force: true });
  });

  const text = (request: ServedRequest, value: string): void => request.report(new Text(value));

  it('run as root and as child, tools included, the model selected anew for each request', async () => {
    models.answer((request) => {
      if (offers(request, 'Agent')) {
        if (textsOf(request).some((said) => said.includes('<background-task-completed'))) return text(request, 'The report is in.');
        if (resultsOf(request).includes('Agent')) return text(request, 'I handed it out.');
        text(request, 'On it. ');
        return request.report(new Call('c1', 'Agent', { tasks: [{ display_name: 'Reader', prompt: 'Read the README.' }] }));
      }
      if (resultsOf(request).length === 0) return request.report(new Call('c1', 'Read', { file_path: 'README.md' }));
      return text(request, /# Orderly/.exec(textsOf(request).join('\n'))?.[0] ?? 'It was not read.');
    });
    const session = await agent.openSession();
    assert.deepEqual(await session.send('Look into it.'), { status: 'completed', text: 'I handed it out.' });
    await until('the completion turn', happened.event, () => events.some((event) => event.type === 'turn.ended' && event.cause.kind === 'completion'));
    const [group] = agent.groups();
    assert.deepEqual(group?.children.map(({ status, outcome }) => [status, outcome?.status === 'completed' && outcome.text]), [['completed', '# Orderly']]);
    const completion = events.findLast((event) => event.type === 'turn.ended');
    assert.deepEqual(completion?.type === 'turn.ended' && completion.outcome, { status: 'completed', text: 'The report is in.' });
    // Two requests of the root, two of the child, one of the root again, each with its instructions first.
    assert.deepEqual(models.requests.map(({ id }) => id), ['talker', 'talker', 'talker', 'talker', 'talker']);
    for (const { messages } of models.requests) assert.equal(messages[0]?.role, vscode.LanguageModelChatMessageRole.User);
    assert.ok(models.requests.every(({ options }) => options.tools?.every(({ inputSchema }) => inputSchema !== undefined)));
  });

  it('stop at once where the other extension ignores its token, and take nothing that comes later', async () => {
    const release = Promise.withResolvers<void>();
    models.answer(async (request) => {
      text(request, 'half ');
      await release.promise;
      text(request, 'too late');
    });
    const session = await agent.openSession();
    const stop = new AbortController();
    const sending = session.send('Talk for ever.', { signal: stop.signal });
    await until('the first words', happened.event, () => events.some(({ type }) => type === 'text.delta'));
    const { groupId } = await (await agent.openSession()).delegate([{ display_name: 'Talker', prompt: 'Talk, too.' }]);
    await until('the words of the child', happened.event, () => events.some((event) => event.type === 'text.delta' && event.agent.kind === 'child'));

    stop.abort();
    await agent.cancelGroup(groupId);
    assert.equal((await sending).status, 'cancelled');
    assert.deepEqual(agent.group(groupId)?.children.map(({ status }) => status), ['cancelled']);
    // The other extension is told, which goes by way of the window.
    assert.equal(models.requests.length, 2);
    for (const { token } of models.requests) await until('the stop to arrive', token.onCancellationRequested, () => token.isCancellationRequested);

    const before = JSON.stringify(agent.groups());
    release.resolve();
    models.answer((request) => text(request, 'fresh'));
    assert.deepEqual(await session.send('And now?'), { status: 'completed', text: 'fresh' });
    assert.equal(JSON.stringify(agent.groups()), before);
    assert.ok(!JSON.stringify(events).includes('too late'));
  });

  it('say in words why a model can’t be used', async () => {
    const copilot = (name: string, message: string): Error => Object.assign(new vscode.LanguageModelError(message), { name });
    const send = async (thrown?: Error): Promise<RunOutcome> => {
      models.answer(() => {
        if (thrown) throw thrown;
      });
      return (await agent.openSession()).send('Hello.');
    };
    const cases: readonly (readonly [Error, string, RegExp])[] = [
      [vscode.LanguageModelError.NoPermissions('Not allowed.'), 'auth', /Manage Language Model Access/],
      [vscode.LanguageModelError.Blocked('Too busy.'), 'quota', /blocked .*Too busy/],
      [copilot('ChatQuotaExceeded', 'Upgrade your plan.'), 'quota', /used up.*Upgrade your plan/],
      [new Error('Message exceeds token limit.'), 'context', /token limit/],
      [new Error('Out of order'), 'error', /Out of order/],
    ];
    for (const [thrown, reason, words] of cases) {
      const outcome = await send(thrown);
      assert.ok(outcome.status === 'failed', thrown.message);
      assert.equal(outcome.reason, reason);
      assert.match(outcome.message, words);
    }
    await models.offer('another');
    const gone = await send();
    assert.ok(gone.status === 'failed');
    assert.match(gone.message, /scripted\/talker isn't offered any more/);
    assert.deepEqual(models.requests, []);
  });

  it('show images, of the user and of tools', async () => {
    const seen: unknown[] = [];
    models.answer((request) => {
      const parts = request.messages.flatMap(({ content }) => content.flatMap((part) => (part instanceof vscode.LanguageModelToolResultPart ? part.content : [part])));
      seen.push(...parts.filter((part) => part instanceof Data).map(({ mimeType, data }) => [mimeType, Buffer.from(data).toString('base64') === PIXEL]));
      text(request, 'Two pixels.');
    });
    // A whole one: VS Code looks into it.
    const image = { type: 'image', mimeType: 'image/png', data: PIXEL } as const;
    const stream = createEditorProvider({ models: editorModels, ownVendor: 'own' }).stream({
      model: MODEL.model, system: '', tools: [], signal: new AbortController().signal,
      messages: [
        { role: 'user', source: 'user', content: [image] },
        { role: 'assistant', stop: 'tool_calls', content: [{ type: 'tool_call', id: 'c1', name: 'Read', arguments: '{}' }] },
        { role: 'tool', results: [{ callId: 'c1', name: 'Read', content: [image], isError: false }] },
      ],
    });
    const answered: ModelEvent[] = [];
    for await (const event of stream) answered.push(event);
    assert.deepEqual(answered, [{ type: 'text', text: 'Two pixels.' }, { type: 'end', stop: 'stop' }]);
    assert.deepEqual(seen, [['image/png', true], ['image/png', true]]);
  });
});
