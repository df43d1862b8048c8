import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { deferred } from '../../../src/runtime/base/async.ts';
import type { ModelRef } from '../../../src/runtime/domain/models.ts';
import { isRoot, lastUserText, promptOf, reopenAgent, startAgent, type AgentFixture, type AgentFixtureOptions } from '../../support/agentFixture.ts';
import { ScriptedModel, type Script } from '../../support/scriptedModel.ts';
import { delegatesAsTold, delivered, go, modelsOfChildren, named, rootRequests, TIERED } from '../../support/tiers.ts';

const PICKED: ModelRef = { provider: 'scripted', model: 'picked', reasoningEffort: 'medium' };

describe('the model of a conversation', () => {
  let fixture: AgentFixture;
  afterEach(async () => {
    await fixture.end();
    fixture.model.assertClean();
  });

  async function start(options: AgentFixtureOptions = {}, script: Script = delegatesAsTold): Promise<void> {
    fixture = await startAgent(script, options);
  }
  const rootModels = (): readonly string[] => rootRequests(fixture).map(({ model }) => model);
  /** Runs until the completion turn of the group that the message starts. */
  async function sendAndDeliver(text: string, sessionId: string, send: () => Promise<unknown>): Promise<void> {
    const accepted = fixture.recorder.until('group.accepted', ({ group }) => group.sessionId === sessionId && group.children.some(({ displayName }) => text.includes(`"${displayName}"`)));
    await send();
    await delivered(fixture, (await accepted).group.groupId);
  }

  it('is that of a message from then on: for its turn, its groups, their completion turns, and later messages, until one names another', async () => {
    await start({ models: TIERED });
    const session = await fixture.agent.openSession();
    const first = go(named('A'));
    await sendAndDeliver(first, session.sessionId, () => session.send(first, { root: { rootModel: 'complex' } }));
    assert.deepEqual(rootModels(), ['model-c', 'model-c', 'model-c'], 'the call, the answer to its result, the completion turn');
    const second = go(named('B'));
    await sendAndDeliver(second, session.sessionId, () => session.send(second));
    assert.deepEqual(rootModels().slice(3), ['model-c', 'model-c', 'model-c']);
    await session.send('Hi.', { root: { rootModel: 'simple' } });
    assert.equal(rootModels().at(-1), 'model-s');
    assert.deepEqual(modelsOfChildren(fixture), ['A: model-c', 'B: model-c']);
  });

  it('is one conversation’s alone', async () => {
    await start({ models: TIERED });
    const [one, other] = [await fixture.agent.openSession(), await fixture.agent.openSession()];
    await one.send('Hi.', { root: { rootModel: 'complex' } });
    await other.send('Hi.');
    await one.send('Hi.');
    assert.deepEqual(rootModels(), ['model-c', 'model-m', 'model-c']);
    const groups = [await one.delegate([named('A')]), await other.delegate([named('B')])];
    assert.deepEqual(groups.map(({ children }) => children[0]?.model.tier), ['complex', 'medium']);
  });

  it('comes with what a person delegates past the model too, and stays', async () => {
    await start({ models: TIERED });
    const session = await fixture.agent.openSession();
    const group = await session.delegate([named('A')], { root: { rootModel: 'simple' } });
    await delivered(fixture, group.groupId);
    assert.deepEqual([group.children[0]?.model.tier, rootModels()], ['simple', ['model-s']]);
    assert.equal((await session.delegate([named('B')])).children[0]?.model.tier, 'simple');
    await assert.rejects(session.delegate([named('C')], { root: { rootModel: { ...PICKED, temperature: 1 } } }), { reason: 'invalid_input', message: /rootModel\.reasoningEffort and rootModel\.temperature/ });
    assert.equal((await session.delegate([named('D')])).children[0]?.model.tier, 'simple', 'a refused one changes nothing');
  });

  it('may lie outside the catalog: its children then go by the default tier', async () => {
    await start({ models: TIERED });
    const session = await fixture.agent.openSession();
    const message = go(named('A'), named('B', { model: 'complex' }), named('C', { model: 'inherit' }));
    await sendAndDeliver(message, session.sessionId, () => session.send(message, { root: { rootModel: PICKED } }));
    assert.deepEqual(new Set(rootModels()), new Set(['picked']));
    assert.equal(rootRequests(fixture)[0]?.reasoningEffort, 'medium');
    assert.deepEqual(modelsOfChildren(fixture).toSorted(), ['A: model-m', 'B: model-c', 'C: model-m']);
  });

  it('is what its children inherit where there is no catalog, and whose provider serves the ids that they name', async () => {
    const elsewhere = new ScriptedModel(delegatesAsTold);
    await start({ providerFor: ({ provider }) => (provider === 'elsewhere' ? elsewhere : undefined) });
    const session = await fixture.agent.openSession();
    const group = await session.delegate([named('A'), named('B', { model: 'other' }), named('C', { model: 'simple' })], { root: { rootModel: { ...PICKED, provider: 'elsewhere' } } });
    await delivered(fixture, group.groupId);
    assert.deepEqual(elsewhere.requests.filter((request) => !isRoot(request)).map((request) => `${promptOf(request)}: ${request.model}`).toSorted(), ['A: picked', 'B: other', 'C: picked']);
    assert.deepEqual(group.children.map(({ notes }) => notes), [undefined, undefined, ['"simple" unavailable, using picked (elsewhere).']]);
    assert.deepEqual(fixture.model.requests, []);
    elsewhere.assertClean();
  });

  it('comes from the agent’s options where no message names one', async () => {
    await start({ models: TIERED, rootModel: 'simple', defaultModel: 'complex' });
    const session = await fixture.agent.openSession();
    await session.send('Hi.');
    assert.equal(rootModels().at(-1), 'model-s');
    assert.equal((await session.delegate([named('A')])).children[0]?.model.tier, 'simple');
  });

  it('changes nothing of groups that were accepted before', async () => {
    const held = deferred<void>();
    await start({ models: TIERED, maxParallelSubagents: 1 }, (request) => (isRoot(request) ? { text: 'Ok.' } : promptOf(request) === 'A' ? { text: 'Done.', wait: held.promise } : { text: 'Done.' }));
    const session = await fixture.agent.openSession();
    const group = await session.delegate([named('A'), named('B')], { root: { rootModel: 'complex' } });
    await session.send('Hi.', { root: { rootModel: 'simple' } });
    fixture.agent.configure({ models: { simple: { provider: 'scripted', model: 'newer' } } });
    held.resolve();
    await delivered(fixture, group.groupId);
    assert.deepEqual(modelsOfChildren(fixture), ['A: model-c', 'B: model-c']);
    const completion = rootRequests(fixture).find((request) => lastUserText(request)?.startsWith('<background-task-completed'));
    assert.equal(completion?.model, 'newer', 'the turn on its results is on the model of now');
  });

  it('is the default again once its tier is gone, and a message that names such a tier is refused', async () => {
    await start({ models: TIERED });
    const session = await fixture.agent.openSession();
    await session.send('Hi.', { root: { rootModel: 'complex' } });
    fixture.agent.configure({ models: { simple: { provider: 'scripted', model: 'model-s' } } });
    await session.send('Hi.');
    assert.equal(rootModels().at(-1), 'model-s');
    await assert.rejects(session.send('Hi.', { root: { rootModel: 'complex' } }), { reason: 'invalid_input', message: /^rootModel must be one of the configured tiers \(simple\)/ });
    assert.equal(rootModels().length, 2);
  });

  it('is still that after a reload, for the turn on results that were left, and in a fork', async () => {
    await start({ models: TIERED }, (request) => (isRoot(request) ? { text: 'Ok.' } : { wait: deferred<void>().promise }));
    const session = await fixture.agent.openSession();
    await session.send('Hi.', { turnId: 'turn-1', root: { rootModel: PICKED } });
    await session.send('Hi.', { turnId: 'turn-2', root: { rootModel: 'complex' } });
    const group = await session.delegate([named('A')]);
    await fixture.agent.suspend();
    const again = await reopenAgent(fixture, delegatesAsTold, { models: TIERED });
    try {
      await again.agent.resumeGroup(group.groupId);
      await delivered(again, group.groupId);
      assert.deepEqual([modelsOfChildren(again), rootRequests(again).map(({ model }) => model)], [['A: model-c'], ['model-c']]);
      const fork = await again.agent.openSession({ from: { sessionId: session.sessionId, turnId: 'turn-1' } });
      await fork.send('Hi.');
      assert.equal(rootRequests(again).at(-1)?.model, 'picked');
      again.model.assertClean();
    } finally {
      await again.end();
    }
  });

  it('counts for a child that a person lets go on with the model of its root', async () => {
    await start({ models: TIERED });
    const session = await fixture.agent.openSession();
    const group = await session.delegate([named('A')], { root: { rootModel: 'simple' } });
    await delivered(fixture, group.groupId);
    await session.send('Hi.', { root: { rootModel: 'complex' } });
    const round = await fixture.agent.resumeChild(group.children[0]?.agentId ?? '', { prompt: 'B', model: 'inherit' });
    await delivered(fixture, round.groupId);
    assert.deepEqual(modelsOfChildren(fixture), ['A: model-s', 'A: model-c']);
  });
});
