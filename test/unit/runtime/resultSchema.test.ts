import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { messagesOf } from '../../../src/runtime/agent/conversation.ts';
import { deferred } from '../../../src/runtime/base/async.ts';
import type { RunOutcome } from '../../../src/runtime/domain/agents.ts';
import type { ModelRequest } from '../../../src/runtime/domain/models.ts';
import type { JsonSchema } from '../../../src/runtime/domain/tools.ts';
import { isRoot, promptOf, reopenAgent, startAgent, type AgentFixture } from '../../support/agentFixture.ts';
import { define, delegateTo, requestsOf } from '../../support/codedChildren.ts';
import { completionsIn, crashed } from '../../support/crash.ts';
import type { Script, ScriptedTurn } from '../../support/scriptedModel.ts';
import { definition } from '../delegation/fixture.ts';

const resultSchema: JsonSchema = { type: 'object', properties: { files: { type: 'array', items: { type: 'string' } } }, required: ['files'] };
const COUNTER = definition('counter', { resultSchema, appendPrompt: 'Count twice.' });

/** Children that follow turns of their own, by prompt. */
function following(turns: Readonly<Record<string, readonly ScriptedTurn[]>>): Script {
  const left = new Map(Object.entries(turns).map(([name, own]) => [name, [...own]]));
  return (request: ModelRequest) => {
    if (isRoot(request)) return { text: 'Noted.' };
    const turn = left.get(promptOf(request))?.shift();
    if (!turn) throw new Error(`unexpected turn of child ${promptOf(request)}`);
    return turn;
  };
}

const sourcesOf = async ({ agent }: AgentFixture, agentId: string): Promise<readonly string[]> =>
  messagesOf(await agent.transcript(agentId)).map((message) => (message.role === 'user' ? message.source : message.role));

describe('a child whose definition has a result schema', () => {
  const open: { end(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each.end();
  });

  async function start(turns: Readonly<Record<string, readonly ScriptedTurn[]>>, own = COUNTER): Promise<AgentFixture> {
    const fixture = await startAgent(following(turns));
    open.push(fixture);
    define(fixture, own);
    return fixture;
  }

  const outcomeOf = ({ agent }: AgentFixture, agentId: string | undefined): RunOutcome | undefined => agent.child(agentId ?? '')?.outcome;
  const completionOf = async (fixture: AgentFixture): Promise<string> => (await completionsIn(fixture.agent, fixture.agent.groups()[0]?.sessionId ?? ''))[0] ?? '';

  it('is told the form of its answer, before what is added at the end of its prompt', async () => {
    const fixture = await start({ counter: [{ text: '{"files": []}' }] });
    await delegateTo(fixture, { counter: 'counter' });
    const system = requestsOf(fixture, 'counter')[0]?.system ?? '';
    assert.ok(system.indexOf(JSON.stringify(resultSchema)) > 0);
    assert.ok(system.endsWith('Count twice.'));
    fixture.model.assertClean();
  });

  it('is shown so much of an endless schema and held to all of it', async () => {
    const endless = { ...resultSchema, description: 'x'.repeat(100_000), required: ['files', 'total'] };
    const fixture = await start({ counter: [{ text: '{"files": []}' }, { text: '{"files": [], "total": 0}' }] }, { ...COUNTER, resultSchema: endless });
    const [agentId] = await delegateTo(fixture, { counter: 'counter' });
    assert.ok((requestsOf(fixture, 'counter')[0]?.system.length ?? 0) < 20_000);
    assert.deepEqual(outcomeOf(fixture, agentId), { status: 'completed', text: '{"files": [], "total": 0}' });
  });

  it('hands the JSON back alone, after another try where that was needed', async () => {
    const fixture = await start({ counter: [{ text: 'There are two.' }, { text: 'Here:\n```json\n{"files": ["a", "b"]}\n```' }] });
    const [agentId = ''] = await delegateTo(fixture, { counter: 'counter' });
    assert.deepEqual(outcomeOf(fixture, agentId), { status: 'completed', text: '{"files": ["a", "b"]}' });
    assert.deepEqual(await sourcesOf(fixture, agentId), ['user', 'assistant', 'repair', 'assistant']);
    assert.equal(fixture.agent.child(agentId)?.turns, 2);
    assert.match(await completionOf(fixture), /status: completed\)\n\{"files": \["a", "b"\]\}\n/);
  });

  it('fails where it is wrong twice, says what is wrong, and hands back what it said as partial (case 55)', async () => {
    const fixture = await start({ counter: [{ text: 'There are two.' }, { text: '{"files": "a and b"}' }] });
    const [agentId] = await delegateTo(fixture, { counter: 'counter' });
    const outcome = outcomeOf(fixture, agentId);
    assert.ok(outcome?.status === 'failed');
    assert.deepEqual([outcome.reason, outcome.partialText], ['schema', '{"files": "a and b"}']);
    const completion = await completionOf(fixture);
    assert.match(completion, /status: failed\)\nError: .*schema.*"files" must be array/);
    assert.match(completion, /Partial text, not a result:\n\{"files": "a and b"\}/);
    fixture.model.assertClean();
  });

  it('fails before its model is asked where the schema cannot be used', async () => {
    const fixture = await start({}, { ...COUNTER, resultSchema: { type: 'no such type' } });
    const [agentId] = await delegateTo(fixture, { counter: 'counter' });
    const outcome = outcomeOf(fixture, agentId);
    assert.ok(outcome?.status === 'failed' && outcome.reason === 'schema');
    assert.match(outcome.message, /resultSchema/);
    assert.deepEqual(requestsOf(fixture, 'counter'), []);
    fixture.model.assertClean();
  });

  it('is asked again once for each of its rounds', async () => {
    const fixture = await start({ counter: [{ text: 'Two.' }, { text: 'Two!' }, { text: 'Three.' }, { text: '{"files": ["c"]}' }] });
    const [agentId = ''] = await delegateTo(fixture, { counter: 'counter' });
    const { groupId } = await fixture.agent.resumeChild(agentId, { prompt: 'Once more.' });
    await fixture.recorder.until('group.settled', (event) => event.groupId === groupId);
    assert.deepEqual(outcomeOf(fixture, agentId), { status: 'completed', text: '{"files": ["c"]}' });
    fixture.model.assertClean();
  });

  for (const prompt of [undefined, 'Do go on.']) {
    it(`is not asked a second time after an interruption${prompt === undefined ? '' : ', whatever is said to it then'}`, async () => {
      const asked = deferred<void>();
      const before = await start({ counter: [{ text: 'Two.' }, { wait: deferred().promise, check: () => asked.resolve() }] });
      const session = await before.agent.openSession();
      const group = await session.delegate([{ display_name: 'counter', subagent_type: 'counter', prompt: 'counter' }]);
      await asked.promise;
      const copy = await crashed(before);
      open.push({ end: () => copy.remove() });
      const after = await reopenAgent(copy, following({ counter: [{ text: 'Two, as I said.' }] }));
      open.push(after);
      const { agentId } = group.children[0] ?? { agentId: '' };
      await after.agent.resumeChild(agentId, prompt === undefined ? {} : { prompt });
      await after.recorder.until('group.settled');
      const outcome = outcomeOf(after, agentId);
      assert.deepEqual(outcome?.status === 'failed' && [outcome.reason, outcome.partialText], ['schema', 'Two, as I said.']);
      assert.equal((await sourcesOf(after, agentId)).filter((source) => source === 'repair').length, 1);
      after.model.assertClean();
    });
  }
});
