import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { isRoot, startAgent, toolResults, type AgentFixture, type AgentFixtureOptions } from '../../support/agentFixture.ts';
import { ScriptedModel, type Script } from '../../support/scriptedModel.ts';
import { defineFiles, delegatesAsTold, delivered, go, modelsOfChildren, named, rootRequests, TIERED } from '../../support/tiers.ts';

describe('a model catalog', () => {
  let fixture: AgentFixture;
  afterEach(async () => {
    await fixture.end();
    fixture.model.assertClean();
  });

  async function start(options: AgentFixtureOptions = {}, script: Script = delegatesAsTold): Promise<void> {
    fixture = await startAgent(script, { models: TIERED, ...options });
  }

  it('has the root on its default tier, with the settings of that tier, and its children too', async () => {
    await start();
    const session = await fixture.agent.openSession();
    const group = await session.delegate([named('A')]);
    await delivered(fixture, group.groupId);
    assert.deepEqual(group.children[0]?.model, { ...TIERED.medium, tier: 'medium' });
    const [root] = rootRequests(fixture);
    assert.deepEqual([root?.model, root?.reasoningEffort], ['model-m', 'low']);
    assert.deepEqual(modelsOfChildren(fixture), ['A: model-m']);
    fixture.agent.configure({ defaultModel: 'complex' });
    await session.send('Hi.');
    const last = fixture.model.requests.at(-1);
    assert.deepEqual([last?.model, last?.reasoningEffort, last?.maxOutputTokens], ['model-c', 'high', 900]);
  });

  it('lets task and definition choose among the tiers, the task first', async () => {
    await start();
    await defineFiles(fixture, { deep: ['model: complex'], foreign: ['model: opus'], same: ['model: inherit', 'effort: high'] });
    const session = await fixture.agent.openSession();
    const group = await session.delegate([named('A', { subagent_type: 'deep' }), named('B', { subagent_type: 'deep', model: 'SIMPLE' }), named('C', { subagent_type: 'foreign' }), named('D', { subagent_type: 'same' })]);
    await delivered(fixture, group.groupId);
    assert.deepEqual(modelsOfChildren(fixture).toSorted(), ['A: model-c', 'B: model-s', 'C: model-c', 'D: model-m']);
    assert.deepEqual(group.children.map(({ model: { tier, reasoningEffort } }) => [tier, reasoningEffort]), [['complex', 'high'], ['simple', undefined], ['complex', 'high'], ['medium', 'high']]);
    assert.deepEqual(group.children.flatMap(({ notes = [] }) => notes), []);
  });

  it('refuses what it doesn’t have before anything starts, all of it in one error that names the tiers', async () => {
    await start({ models: { simple: { provider: 'scripted', model: 'model-s' } } });
    await defineFiles(fixture, { gpt: ['model: gpt-4.1'], thinker: ['effort: high'] });
    const { agent, recorder, model } = fixture;
    const session = await agent.openSession();
    await session.send(go(named('A', { model: 'huge' }), named('B', { subagent_type: 'gpt' }), named('C', { subagent_type: 'wizard', model: 'huge' }), named('D')));
    const [answer] = toolResults(model.requests.at(-1) ?? assert.fail('no request'));
    assert.equal(answer?.isError, true);
    assert.match(answer?.text ?? '', /Task 1 \("A"\), model: "huge" is none of the models to choose from: simple\./);
    assert.match(answer?.text ?? '', /Task 2 \("B"\), subagent_type: the definition gpt runs on "gpt-4.1", which is none of the models to choose from: simple\./);
    assert.match(answer?.text ?? '', /Task 3 \("C"\), subagent_type: "wizard" isn't known[^]*Task 3 \("C"\), model: "huge" is none of the models to choose from: simple\./);
    assert.deepEqual([model.requests.every(isRoot), recorder.of('group.accepted'), agent.tasks.list()], [true, [], []]);
    // The same is said where the file is written.
    assert.deepEqual(agent.definitions.diagnostics().map(({ code, severity, path }) => [code, severity, path.endsWith('gpt.md')]), [['unknown_model', 'warning', true]]);
    agent.configure({ models: { simple: { provider: 'scripted', model: 'model-s', temperature: 0.5 } } });
    await assert.rejects(session.delegate([named('D', { subagent_type: 'thinker' })]), /`effort` of the definition thinker and `temperature` of the tier simple/);
  });

  it('lets a definition of another product give way to the current tier, which its row, its transcript and the log say (case 51)', async () => {
    const logged: string[] = [];
    const ignore = (): void => undefined;
    await start({ models: { simple: { provider: 'scripted', model: 'model-s' } }, log: { trace: ignore, debug: ignore, info: ignore, warn: (line) => void logged.push(line), error: ignore } });
    await defineFiles(fixture, { reviewer: ['model: sonnet'] });
    const { agent } = fixture;
    const group = await (await agent.openSession()).delegate([named('A', { subagent_type: 'reviewer' })]);
    await delivered(fixture, group.groupId);
    const note = '"sonnet" unavailable, using model-s (scripted).';
    const { agentId } = group.children[0] ?? assert.fail('no child');
    assert.deepEqual(modelsOfChildren(fixture), ['A: model-s']);
    assert.deepEqual(agent.child(agentId)?.notes, [note]);
    assert.deepEqual((await agent.transcript(agentId)).flatMap((entry) => (entry.type === 'note' ? [entry.text] : [])), [note]);
    assert.deepEqual(logged.filter((line) => line.includes(note)).length, 1);
    assert.deepEqual(agent.definitions.diagnostics().map(({ code, severity }) => [code, severity]), [['unknown_model', 'warning']]);
  });

  it('sends a child whose file names a model to that one, whatever its parent runs on (case 51)', async () => {
    await start({ models: undefined, model: { provider: 'scripted', model: 'parent-model' } });
    await defineFiles(fixture, { none: [], empty: ['model:'], inherit: ['model: inherit'], alias: ['model: sonnet'], full: ['model: claude-opus-4-7'], list: ['model: [claude-opus-4-7, inherit]'] });
    fixture.agent.configure({ agents: { project: `${fixture.cwd}/kinds` } });
    await fixture.agent.definitions.reload();
    const names = ['none', 'empty', 'inherit', 'alias', 'full', 'list'];
    const group = await (await fixture.agent.openSession()).delegate(names.map((name) => named(name, { subagent_type: name })));
    await delivered(fixture, group.groupId);
    assert.deepEqual(
      group.children.map(({ displayName, model: { model }, notes }) => [displayName, model, notes]),
      [['none', 'parent-model', undefined], ['empty', 'parent-model', undefined], ['inherit', 'parent-model', undefined], ['alias', 'parent-model', ['"sonnet" unavailable, using parent-model (scripted).']], ['full', 'claude-opus-4-7', undefined], ['list', 'claude-opus-4-7', undefined]],
    );
    assert.deepEqual(modelsOfChildren(fixture).toSorted(), group.children.map(({ displayName, model: { model } }) => `${displayName}: ${model}`).toSorted());
  });

  it('reaches each tier through its own provider, and refuses one that can’t be reached', async () => {
    const elsewhere = new ScriptedModel(() => ({ text: 'Found elsewhere.' }));
    const models = { simple: { provider: 'scripted', model: 'model-s' }, complex: { provider: 'elsewhere', model: 'e', baseUrl: 'http://elsewhere' }, medium: { provider: 'nowhere', model: 'n' } };
    await start({ models, defaultModel: 'simple', providerFor: ({ provider, baseUrl }) => (provider === 'elsewhere' && baseUrl === 'http://elsewhere' ? elsewhere : undefined) });
    const { agent, model } = fixture;
    const session = await agent.openSession();
    const group = await session.delegate([named('A', { model: 'complex' }), named('B')]);
    await delivered(fixture, group.groupId);
    assert.deepEqual(elsewhere.requests.map((request) => request.model), ['e']);
    assert.deepEqual(modelsOfChildren(fixture), ['B: model-s']);
    await assert.rejects(session.delegate([named('C', { model: 'medium' })]), /the tier medium is unavailable: n of nowhere can't be reached/);
    const before = model.requests.length;
    const outcome = await session.send('Hi.', { root: { rootModel: 'medium' } });
    assert.match(outcome.status === 'failed' ? outcome.message : '', /^The tier medium is unavailable/);
    assert.equal(model.requests.length, before);
    elsewhere.assertClean();
  });

  it('gives each wire its own provider, also at one address', async () => {
    const responses = new ScriptedModel(() => ({ text: 'By responses.' }));
    const at = { provider: 'scripted', baseUrl: 'http://gateway' };
    await start({ model: { ...at, model: 'm', api: 'chat' }, models: { simple: { ...at, model: 's', api: 'chat' }, complex: { ...at, model: 'c', api: 'responses' } }, providerFor: ({ api }) => (api === 'responses' ? responses : undefined) });
    const group = await (await fixture.agent.openSession()).delegate([named('A', { model: 'complex' }), named('B', { model: 'simple' })]);
    await delivered(fixture, group.groupId);
    assert.deepEqual([responses.requests.map((request) => request.model), modelsOfChildren(fixture)], [['c'], ['B: s']]);
  });

  it('tells the root of its tiers, in the tool’s description and schema, as they are at each turn, and nothing of their models', async () => {
    await start({ delegationTools: ['Agent', 'Task', 'MultiTask'] });
    const session = await fixture.agent.openSession();
    const told = (): readonly string[] => {
      const { tools } = fixture.model.requests.at(-1) ?? assert.fail('no request');
      const delegating = tools.filter(({ name }) => ['Agent', 'Task', 'MultiTask'].includes(name));
      return delegating.map(({ description, inputSchema }) => `${/Models \(model\), for light to hard work: ([^.]*)/.exec(description)?.[1] ?? ''} | ${/"enum":\[([^\]]*)\]/.exec(JSON.stringify(inputSchema))?.[1] ?? ''}`);
    };
    await session.send('Hi.');
    assert.deepEqual(told(), Array.from({ length: 3 }, () => 'simple, medium, complex | "simple","medium","complex","inherit"'));
    assert.doesNotMatch(JSON.stringify(fixture.model.requests.at(-1)?.tools), /Small|model-/);
    fixture.agent.configure({ models: { complex: { provider: 'scripted', model: 'model-c' } } });
    await session.send('Hi.');
    assert.deepEqual(told(), Array.from({ length: 3 }, () => 'complex | "complex","inherit"'));
    fixture.agent.configure({ models: undefined });
    await session.send('Hi.');
    assert.deepEqual(told(), Array.from({ length: 3 }, () => ' | '));
  });

  it('keeps a child that goes on on its model and effort, whatever became of its tier; a task that names a tier moves it (case 52)', async () => {
    await start();
    await defineFiles(fixture, { deep: ['model: complex', 'effort: low'] });
    const { agent } = fixture;
    const session = await agent.openSession();
    const first = await session.delegate([named('A', { subagent_type: 'deep' })]);
    await delivered(fixture, first.groupId);
    const { agentId } = first.children[0] ?? assert.fail('no child');
    const changed = { simple: { provider: 'scripted', model: 'new-s', reasoningEffort: 'medium' }, complex: { provider: 'scripted', model: 'new-c' } } as const;
    agent.configure({ models: changed });
    await assert.rejects(agent.resumeChild(agentId, { prompt: 'B', model: 'medium' }), { reason: 'invalid_input', message: /^"medium" is none of the models to choose from: simple, complex/ });
    const rounds = [await agent.resumeChild(agentId, { prompt: 'B' })];
    await delivered(fixture, rounds[0]?.groupId ?? '');
    await session.send(go({ display_name: 'A', prompt: 'C', resume: agentId, model: 'simple' }));
    await fixture.recorder.until('group.settled', ({ groupId }) => groupId !== first.groupId && groupId !== rounds[0]?.groupId);
    rounds.push(...agent.groups().filter(({ groupId }) => groupId !== first.groupId && groupId !== rounds[0]?.groupId));
    assert.deepEqual(rounds.map(({ children: [child] }) => [child?.model.model, child?.model.reasoningEffort, child?.notes]), [
      ['model-c', 'low', undefined],
      // The definition's effort still wins over the tier's.
      ['new-s', 'low', ['It runs on new-s (scripted); it began on model-c (scripted).']],
    ]);
    assert.deepEqual(modelsOfChildren(fixture), ['A: model-c', 'A: model-c', 'A: new-s']);
  });
});
