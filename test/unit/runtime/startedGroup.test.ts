import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { deferred } from '../../../src/runtime/base/async.ts';
import { isRoot, promptOf, reopenAgent, startAgent, type AgentFixture } from '../../support/agentFixture.ts';
import { crashed } from '../../support/crash.ts';
import type { Script } from '../../support/scriptedModel.ts';

const tasks = (...names: readonly string[]): object[] => names.map((name) => ({ display_name: name, prompt: name }));
const echo: Script = (request) => ({ text: isRoot(request) ? 'The root spoke.' : `From ${promptOf(request)}.` });

describe('a group whose results go to whoever started it', () => {
  const open: { end(): Promise<unknown> }[] = [];
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.end();
  });
  const start = async (...args: Parameters<typeof startAgent>): Promise<AgentFixture> => {
    const fixture = await startAgent(...args);
    open.push(fixture);
    return fixture;
  };

  it('brings them in the order of the tasks, keeps them, and leaves the root alone', async () => {
    const { agent, recorder, model } = await start(echo);
    const session = await agent.openSession({ answers: false });
    const { group, results } = await session.start(tasks('A', 'B'));
    const { groupId, status, children, text } = await results;
    assert.deepEqual([groupId, status, children.map(({ displayName }) => displayName)], [group.groupId, 'completed', ['A', 'B']]);
    assert.match(text(), /^## A \(agentId: .*; status: completed\)\nFrom A\.\n\n## B \(agentId: .*; status: completed\)\nFrom B\.$/);
    assert.equal(recorder.of('group.delivered').length, 1);
    assert.equal(recorder.of('turn.started').length, 0);
    assert.ok(!model.requests.some(isRoot));
    assert.match(JSON.stringify(await agent.transcript(session.sessionId)), /From B\./);
    assert.equal(agent.group(groupId)?.status, 'completed');
  });

  it('cuts each text to the room that there is, with the place of the whole', async () => {
    const { agent } = await start(() => ({ text: 'long '.repeat(200) }));
    const { results } = await (await agent.openSession({ answers: false })).start(tasks('A', 'B'));
    const { text } = await results;
    assert.equal([...text(100).matchAll(/Cut after 100 of \d+ characters\..*\.jsonl/g)].length, 2);
    assert.ok(!text().includes('Cut after'));
  });

  it('brings what there is when it is cancelled', async () => {
    const held = deferred<void>();
    const { agent, recorder } = await start((request) => (promptOf(request) === 'A' ? { text: 'Done.' } : { text: 'x', wait: held.promise }));
    open.push({ end: async () => held.resolve() });
    const { group, results } = await (await agent.openSession({ answers: false })).start(tasks('A', 'B'));
    await recorder.until('child.settled');
    await agent.cancelGroup(group.groupId);
    assert.deepEqual([(await results).status, (await results).children.map(({ outcome }) => outcome.status)], ['partial', ['completed', 'cancelled']]);
  });

  it('starts nothing where anything is wrong, and may name what is hidden from models where a person wrote it', async () => {
    const { agent, cwd, recorder } = await start(echo, { workspace: { 'agents/quiet.md': '---\nname: quiet\ndescription: d\ndelegable: false\n---\nHush.\n' } });
    agent.configure({ agents: { project: `${cwd}/agents` } });
    const session = await agent.openSession({ answers: false });
    await assert.rejects(session.start([{ display_name: '', prompt: '' }, { display_name: 'A', prompt: 'a', subagent_type: 'nobody' }]), (error: Error) => /display_name/.test(error.message) && /nobody/.test(error.message));
    await assert.rejects(session.start('everything'), { reason: 'invalid_input' });
    const hidden = [{ display_name: 'A', prompt: 'A', subagent_type: 'quiet' }];
    await assert.rejects(session.start(hidden, { by: 'model' }), /isn't known/);
    assert.deepEqual(recorder.of('group.accepted'), []);
    assert.equal((await (await session.start(hidden)).results).status, 'completed');
  });

  it('rejects when the agent ends first, and a later one keeps the results without a turn of the root', async () => {
    const held = deferred<void>();
    const first = await start((request) => ({ text: `From ${promptOf(request)}.`, wait: held.promise }));
    const session = await first.agent.openSession({ answers: false });
    const { group, results } = await session.start(tasks('A'));
    await first.recorder.until('child.started');
    const copy = await crashed(first);
    open.push({ end: () => copy.remove() });
    const suspended = first.agent.suspend();
    held.resolve();
    await assert.rejects(results, { reason: 'closed' });
    await suspended;

    const next = await reopenAgent({ cwd: first.cwd, storageDir: copy.storageDir }, echo);
    open.push(next);
    await next.agent.resumeGroup(group.groupId);
    const { cause, outcome } = await next.recorder.until('turn.ended');
    assert.deepEqual([cause, outcome], [{ kind: 'completion', groupId: group.groupId }, { status: 'completed', text: '' }]);
    await next.recorder.until('group.delivered');
    assert.ok(!next.model.requests.some(isRoot));
    assert.match(JSON.stringify(await next.agent.transcript(session.sessionId)), /From A\./);
  });

  it('is not possible where delegation is switched off, nor is a plan', async () => {
    const { agent } = await start(echo, { agents: false });
    await assert.rejects((await agent.openSession()).start(tasks('A')), { reason: 'unavailable' });
    await assert.rejects(agent.plan(tasks('A')), { reason: 'unavailable' });
  });
});

describe('a group that is delegated where nobody converses', () => {
  it('keeps its results without asking the model, rounds included', async () => {
    const fixture = await startAgent(echo);
    try {
      const { agent, recorder, model } = fixture;
      const group = await (await agent.openSession({ answers: false })).delegate([{ display_name: 'A', prompt: 'A' }]);
      const first = await recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');
      assert.deepEqual(first.outcome, { status: 'completed', text: '' });
      const round = await agent.resumeChild(group.children[0]?.agentId ?? '', { prompt: 'More.' });
      await recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion' && cause.groupId === round.groupId);
      assert.ok(!model.requests.some(isRoot));
    } finally {
      await fixture.end();
    }
  });
});

describe('the plan of a delegation', () => {
  let fixture: AgentFixture;
  afterEach(() => fixture.end());

  it('says for each task what would run, and starts nothing', async () => {
    fixture = await startAgent(echo);
    const { agent, recorder } = fixture;
    const [explore, general] = await agent.plan([{ display_name: ' Look\naround ', prompt: 'x', subagent_type: 'explore' }, { display_name: 'Do', prompt: 'y' }]);
    assert.deepEqual([explore?.displayName, explore?.definition.name, explore?.model.model], ['Look around', 'Explore', 'm']);
    assert.ok(explore && !explore.tools.includes('Edit') && general?.tools.includes('Edit'));
    assert.deepEqual([recorder.of('group.accepted'), agent.groups(), agent.tasks.list()], [[], [], []]);
  });

  it('names every problem, and tells nobody of definitions that are not approved', async () => {
    fixture = await startAgent(echo, { definitionApprovals: { isApproved: () => false, approve: async () => undefined }, workspace: { 'a/new.md': '---\nname: new\ndescription: d\n---\nHi.\n' } });
    fixture.agent.configure({ agents: { project: `${fixture.cwd}/a` } });
    await fixture.agent.definitions.reload();
    await assert.rejects(fixture.agent.plan([{ display_name: 'A', prompt: 'x', subagent_type: 'new' }, { display_name: 'B' }]), (error: Error) => /must approve/.test(error.message) && /prompt/.test(error.message));
    assert.deepEqual(fixture.recorder.of('definitions.refused'), []);
  });
});
