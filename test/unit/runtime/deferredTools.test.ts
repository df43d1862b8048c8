import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { ModelRequest } from '../../../src/runtime/domain/models.ts';
import { isRoot, lastUserText, promptOf, reopenAgent, startAgent, toolResults, type AgentFixture } from '../../support/agentFixture.ts';
import { ownTool, toolNames } from '../../support/ownTools.ts';
import type { Script } from '../../support/scriptedModel.ts';

const RARE = ownTool('Rare', 'runtime', { isDeferred: true });
const FIND = { calls: [{ name: 'FindTool', input: { query: 'select:Rare' } }] };
const hasRare = (request: ModelRequest | undefined): boolean => toolNames(request).includes('Rare');

describe('tools that wait to be found', () => {
  const open: AgentFixture[] = [];
  afterEach(async () => {
    for (const fixture of open.splice(0).reverse()) {
      await fixture.end();
      fixture.model.assertClean();
    }
  });

  async function start(script: Script): Promise<AgentFixture> {
    const fixture = await startAgent(script, { builtinTools: [RARE] });
    open.push(fixture);
    return fixture;
  }
  const finding: Script = (request) => (lastUserText(request) === 'find' ? FIND : { text: 'Done.' });

  it('are called from the next turn on, and stay found for the conversation, with no other', async () => {
    const { agent, model } = await start(finding);
    const session = await agent.openSession();
    await session.send('find');
    await session.send('more');
    assert.deepEqual(model.requests.map(hasRare), [false, true, true]);
    await (await agent.openSession()).send('more');
    assert.deepEqual(model.requests.map(hasRare), [false, true, true, false]);
  });

  it('stay found after a reload, also where they were never called, as far as the conversation goes back', async () => {
    const first = await start(finding);
    const session = await first.agent.openSession();
    for (const turnId of ['before', 'found', 'after']) await session.send(turnId === 'found' ? 'find' : 'more', { turnId });
    await first.agent.close();

    const { agent, model } = await reopenAgent(first, finding, { builtinTools: [RARE] });
    open.push({ ...first, model, end: () => agent.close() });
    const from = (turnId: string) => agent.openSession({ from: { sessionId: session.sessionId, turnId } });
    await (await from('after')).send('more');
    await (await from('before')).send('more');
    assert.deepEqual(model.requests.map(hasRare), [true, false]);
  });

  it('are found by each child for itself, whatever its parent and its siblings found', async () => {
    const { agent, model, recorder } = await start((request) => {
      const said = lastUserText(request);
      if (said === 'delegate') return { calls: [{ name: 'Agent', input: { tasks: ['A', 'B'].map((name) => ({ display_name: name, prompt: name })) } }] };
      return said === 'find' || said === 'A' ? FIND : { text: 'Done.' };
    });
    const session = await agent.openSession();
    await session.send('find');
    await session.send('delegate');
    await recorder.until('group.settled');
    const ofChild = (name: string): boolean[] => model.requests.filter((request) => !isRoot(request) && promptOf(request) === name).map(hasRare);
    assert.deepEqual([ofChild('A'), ofChild('B')], [[false, true], [false]]);
  });

  it('tell a model that calls one too early how to find it', async () => {
    const { agent, model } = await start((request) => (lastUserText(request) === 'go' ? { calls: [{ name: 'Rare', input: {} }] } : { text: 'Done.' }));
    await (await agent.openSession()).send('go');
    const [result] = model.requests.flatMap(toolResults);
    assert.ok(result?.isError && result.text.includes('select:Rare'));
  });
});
