import assert from 'node:assert/strict';
import { renameSync, writeFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { deferred } from '../../../src/runtime/base/async.ts';
import type { DelegationTool, LiteAgent } from '../../../src/runtime/domain/liteAgent.ts';
import { delegating, isRoot, lastUserText, promptOf, reopenAgent, startAgent, toolResults, type AgentFixture, type AgentFixtureOptions } from '../../support/agentFixture.ts';
import { completionsIn, crashed, cutBefore, resultsIn, storageStates, type Folders } from '../../support/crash.ts';
import { ManualClock, quiet } from '../../support/manualClock.ts';
import type { Script } from '../../support/scriptedModel.ts';

const ALL: readonly DelegationTool[] = ['Agent', 'Task', 'MultiTask'];

describe('a turn that waits for subagents', () => {
  const open: { end(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const fixture of open.splice(0).reverse()) await fixture.end();
  });

  async function start(script: Script, options: AgentFixtureOptions = {}): Promise<AgentFixture> {
    const fixture = await startAgent(script, { delegationTools: ALL, ...options });
    open.push(fixture);
    return fixture;
  }

  async function reopen(folders: Folders): Promise<AgentFixture> {
    const fixture = await reopenAgent(folders, (request) => ({ text: isRoot(request) ? 'Understood.' : 'Went on.' }), { delegationTools: ALL });
    open.push(fixture);
    return fixture;
  }

  /** How often the conversation was told of a group. */
  const deliveries = async (agent: LiteAgent, sessionId: string): Promise<number> => (await completionsIn(agent, sessionId)).length + (await resultsIn(agent, sessionId)).length;

  /** What the root's model heard of the calls right before its last request. */
  const heard = ({ model }: AgentFixture): ReturnType<typeof toolResults> => toolResults(model.requests.filter(isRoot).at(-1) ?? assert.fail('no request'));

  it('hears its child in the same turn, once, and takes no turn for it later (Task)', async () => {
    const fixture = await start(delegating({ A: [{ text: 'From A.' }] }, 'Task'));
    const { agent, recorder } = fixture;
    const session = await agent.openSession();
    // What is said to be delivered stands in the conversation by then.
    const kept = recorder.until('group.delivered').then(() => resultsIn(agent, session.sessionId));
    assert.deepEqual(await session.send('go'), { status: 'completed', text: 'Delegated.' });
    assert.deepEqual(heard(fixture), [{ text: 'From A.', isError: false }]);
    assert.deepEqual(await kept, ['From A.']);
    assert.deepEqual([agent.groups()[0]?.status, agent.tasks.list()[0]?.status], ['completed', 'review']);
    await agent.close();
    assert.deepEqual([recorder.of('turn.started').length, recorder.of('group.delivered').length], [1, 1]);
    const later = await reopen(fixture);
    await later.end();
    assert.deepEqual([later.model.requests, later.recorder.of('group.delivered')], [[], []]);
    assert.equal(await deliveries(agent, session.sessionId), 1);
    fixture.model.assertClean();
  });

  it('hears all of several in the order of the tasks (MultiTask)', async () => {
    const late = deferred<void>();
    const fixture = await start(delegating({ A: [{ text: 'From A.', wait: late.promise }], B: [{ text: '' }], C: [{ text: 'From C.' }] }, 'MultiTask'));
    void fixture.recorder.until('child.settled').then(() => late.resolve());
    await (await fixture.agent.openSession()).send('go');
    const [result] = heard(fixture);
    assert.match(result?.text ?? '', /^## A \(.*completed\)\nFrom A\.\n\n## B \(.*failed\)\nError: .*\n\n## C \(.*completed\)\nFrom C\.$/);
    assert.equal(result?.isError, false);
    assert.equal(fixture.recorder.of('group.accepted').length, 1);
    fixture.model.assertClean();
  });

  it('says what it waits for, and its child may ask a person meanwhile', async () => {
    const call = { name: 'Write', input: { file_path: 'a.txt', content: 'x' } };
    const fixture = await start(delegating({ A: [{ calls: [call] }, { text: 'Written.' }] }, 'Task'));
    const { agent, recorder } = fixture;
    agent.approvals.attach();
    const turn = (await agent.openSession()).send('go');
    const { request } = await recorder.until('approval.wanted');
    const ofRoot = recorder.events.flatMap((event) => (event.type === 'tool.called' && event.agent.kind === 'root' ? [event.activity] : []));
    assert.deepEqual(ofRoot, ['Waiting for: A']);
    assert.equal(await agent.approvals.decide(request.id, { kind: 'allow_once' }), true);
    await turn;
    assert.deepEqual(heard(fixture), [{ text: 'Written.', isError: false }]);
  });

  it('is ended by no time limit of tool calls', async () => {
    const clock = new ManualClock();
    const late = deferred<void>();
    const fixture = await start(delegating({ A: [{ text: 'From A.', wait: late.promise }] }, 'Task'), { timing: { clock }, timeLimits: { toolMs: 1000, toolIdleMs: 1000, streamIdleMs: 0 } });
    const turn = (await fixture.agent.openSession()).send('go');
    await fixture.recorder.until('child.started');
    clock.advance(24 * 60 * 60_000);
    await quiet();
    late.resolve();
    assert.equal((await turn).status, 'completed');
    assert.deepEqual(heard(fixture), [{ text: 'From A.', isError: false }]);
  });

  it('hears an error with the reason where its child is cancelled', async () => {
    const fixture = await start(delegating({ A: [{ text: 'a', wait: deferred().promise }] }, 'Task'));
    const { agent, recorder } = fixture;
    const turn = (await agent.openSession()).send('go');
    const { agentId } = await recorder.until('child.started');
    await agent.cancelChild(agentId);
    assert.equal((await turn).status, 'completed');
    const [result] = heard(fixture);
    assert.ok(result?.isError && result.text.includes(agentId) && result.text.includes('Cancelled: it did not finish.'));
    await agent.close();
    assert.equal(recorder.of('turn.started').length, 1);
  });

  it('leaves its children running when it is stopped, and hears of them in one later turn (case 76)', async () => {
    const late = deferred<void>();
    const fixture = await start(delegating({ A: [{ text: 'From A.', wait: late.promise }], B: [{ text: 'From B.' }] }, 'MultiTask'));
    const { agent, recorder, model } = fixture;
    const session = await agent.openSession();
    const turn = session.send('go');
    await recorder.until('child.settled');
    session.stop();
    assert.equal((await turn).status, 'cancelled');
    assert.deepEqual(agent.groups()[0]?.children.map(({ status }) => status), ['running', 'completed']);
    // What the model reads of it when the user goes on.
    await session.send('and now?');
    const moved = model.requests.at(-1)?.messages.flatMap((message) => (message.role === 'tool' ? message.results : [])) ?? [];
    assert.match(JSON.stringify(moved), new RegExp(`Group ${agent.groups()[0]?.groupId} moved to the background`));
    assert.match(model.requests.at(-1)?.reminder ?? '', /- bg_\S+ "A, B": 1 of 2 ended/);
    late.resolve();
    await recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');
    await agent.close();
    assert.deepEqual([(await completionsIn(agent, session.sessionId)).length, await deliveries(agent, session.sessionId)], [1, 1]);
    model.assertClean();
  });

  it('lets the results of another group wait until it is over', async () => {
    const [a, b] = [deferred<void>(), deferred<void>()];
    const { agent, recorder, model } = await start((request) => {
      if (!isRoot(request)) return promptOf(request) === 'A' ? { text: 'From A.', wait: a.promise } : { text: 'From B.', wait: b.promise };
      return lastUserText(request) === 'go' ? { calls: [{ name: 'Task', input: { display_name: 'A', prompt: 'A' } }] } : { text: 'Noted.' };
    });
    const session = await agent.openSession();
    await session.delegate([{ display_name: 'B', prompt: 'B' }]);
    const turn = session.send('go');
    await recorder.until('tool.progress');
    b.resolve();
    await recorder.until('group.settled');
    await quiet();
    assert.equal(recorder.of('turn.started').length, 2);
    a.resolve();
    await turn;
    await recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');
    const order = recorder.events.flatMap((event) => (event.type === 'turn.started' || event.type === 'turn.ended' ? [`${event.type} ${event.cause.kind}`] : []));
    assert.deepEqual(order.slice(2), ['turn.started user', 'turn.ended user', 'turn.started completion', 'turn.ended completion']);
    model.assertClean();
  });

  it('works where nothing may run in the background', async () => {
    for (const tool of ALL) {
      const fixture = await start(delegating({ A: [{ text: 'From A.' }] }, tool), { background: false });
      await (await fixture.agent.openSession()).send('go');
      assert.equal(heard(fixture)[0]?.isError, tool === 'Agent');
      assert.equal(fixture.agent.groups().length, tool === 'Agent' ? 0 : 1);
    }
  });

  for (const how of ['suspend', 'close'] as const) {
    it(`hears once, from a later window, where its own ${how}s meanwhile`, async () => {
      const fixture = await start(delegating({ A: [{ text: 'From A.', wait: deferred().promise }] }, 'Task'));
      const session = await fixture.agent.openSession();
      const turn = session.send('go');
      await fixture.recorder.until('child.started');
      await fixture.agent[how]();
      assert.equal((await turn).status, 'cancelled');
      assert.equal(fixture.agent.groups()[0]?.status, how === 'close' ? 'cancelled' : 'interrupted');
      const { agent, recorder, model } = await reopen(fixture);
      if (how === 'suspend') await agent.resumeGroup(agent.groups()[0]?.groupId ?? '');
      await recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');
      await agent.close();
      assert.equal(await deliveries(agent, session.sessionId), 1);
      assert.match((await completionsIn(agent, session.sessionId))[0] ?? '', how === 'close' ? /status="cancelled"/ : /Went on\./);
      assert.match(JSON.stringify(await agent.transcript(session.sessionId)), /moved to the background/);
      model.assertClean();
    });
  }

  it('hears once, from a later window, where its own was killed meanwhile', async () => {
    const fixture = await start(delegating({ A: [{ text: 'From A.', wait: deferred().promise }] }, 'Task'));
    const session = await fixture.agent.openSession();
    void session.send('go');
    await fixture.recorder.until('tool.progress');
    const folders = await crashed(fixture);
    open.push({ end: () => folders.remove() });
    const { agent, recorder, model } = await reopen(folders);
    await agent.resumeGroup(agent.groups()[0]?.groupId ?? '');
    await recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');
    assert.equal(await deliveries(agent, session.sessionId), 1);
    // The call that the crash left open has its one result; the model would refuse the conversation otherwise.
    model.assertClean();
  });

  it('hears exactly once, wherever a crash came between the end of the group and the end of the turn', async function () {
    this.timeout(60_000);
    const fixture = await start(delegating({ A: [{ text: 'From A.' }], B: [{ text: 'From B.' }] }, 'MultiTask'));
    const { states, remove } = await storageStates(fixture, 'child.settled', async () => {
      await (await fixture.agent.openSession()).send('go');
      await fixture.agent.close();
    });
    open.push({ end: remove });
    const ways = new Set<string>();
    for (const folders of states) {
      const { agent, recorder, model, ...rest } = await reopen(folders);
      const [group] = agent.groups();
      assert.ok(group);
      if (group.status === 'interrupted') await agent.resumeGroup(group.groupId);
      if ((await deliveries(agent, group.sessionId)) === 0) await recorder.until('group.delivered');
      await rest.end();
      assert.equal(await deliveries(agent, group.sessionId), 1);
      ways.add((await resultsIn(agent, group.sessionId)).length > 0 ? 'by the call' : 'later');
      model.assertClean();
      // And at the start after that there is nothing left to do.
      const later = await reopen(folders);
      await later.end();
      assert.deepEqual(later.model.requests, []);
    }
    assert.deepEqual([...ways], ['later', 'by the call']);
  });

  it('fails where the results can not be kept; a later window delivers them', async () => {
    const fixture = await start(delegating({ A: [{ text: 'From A.' }] }, 'Task'));
    const { agent, recorder, storageDir } = fixture;
    const transcripts = join(storageDir, 'transcripts');
    const aside = join(storageDir, 'aside');
    const session = await agent.openSession();
    const listening = agent.subscribe(({ type }) => {
      if (type !== 'group.settled') return;
      renameSync(transcripts, aside);
      writeFileSync(transcripts, '');
    });
    assert.equal((await session.send('go')).status, 'failed');
    listening.dispose();
    await rm(transcripts);
    await rename(aside, transcripts);
    assert.deepEqual(recorder.of('group.delivered'), []);
    await agent.close();
    const later = await reopen(fixture);
    await later.recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');
    assert.equal(await deliveries(later.agent, session.sessionId), 1);
    later.model.assertClean();
  });

  for (const [isKept, name] of [[true, 'is only marked where the result of the call is kept'], [false, 'comes as a message where it is not']] as const) {
    it(`what its group came to ${name}, after a crash before that was written`, async () => {
      const fixture = await start(delegating({ A: [{ text: 'From A.' }] }, 'Task'));
      const session = await fixture.agent.openSession();
      await session.send('go');
      await fixture.agent.close();
      const log = join(fixture.storageDir, 'groups', `${fixture.agent.groups()[0]?.groupId}.jsonl`);
      await cutBefore(log, '"type":"group.delivered"');
      await rm(log.replace('.jsonl', '.view.json'));
      if (!isKept) await cutBefore(join(fixture.storageDir, 'transcripts', `${session.sessionId}.jsonl`), '"role":"tool"');
      const { agent, recorder, model } = await reopen(fixture);
      await recorder.until('group.delivered');
      if (!isKept) await recorder.until('turn.ended');
      await agent.close();
      assert.equal(await deliveries(agent, session.sessionId), 1);
      assert.equal(model.requests.length, isKept ? 0 : 1);
      model.assertClean();
    });
  }
});

describe('the tools with which a root delegates', () => {
  let fixture: AgentFixture;
  afterEach(() => fixture.end());

  /** The names of its tools that delegate, and what its prompt says. */
  async function asked(options: AgentFixtureOptions): Promise<{ readonly tools: readonly string[]; readonly system: string }> {
    fixture = await startAgent([{ text: 'Hello.' }], options);
    await (await fixture.agent.openSession()).send('hi');
    const [request] = fixture.model.requests;
    assert.ok(request);
    return { tools: request.tools.flatMap(({ name }) => (ALL.some((tool) => tool === name) ? [name] : [])), system: request.system };
  }

  it('are Agent alone by default: results come later', async () => {
    const { tools, system } = await asked({});
    assert.deepEqual(tools, ['Agent']);
    assert.match(system, /The Agent tool hands work/);
    assert.match(system, /The call returns at once/);
    assert.doesNotMatch(system, /Task/);
  });

  it('are those that it is given, and its prompt speaks of these', async () => {
    const { tools, system } = await asked({ delegationTools: ['Task', 'MultiTask'] });
    assert.deepEqual(tools, ['Task', 'MultiTask']);
    assert.match(system, /Task and MultiTask wait: the results come with the call/);
    assert.doesNotMatch(system, /Agent tool|returns at once/);
    await fixture.end();
    const all = await asked({ delegationTools: ALL });
    assert.deepEqual(all.tools, ALL);
    assert.match(all.system, /Agent returns at once[^]*Task and MultiTask wait[^]*Call Task or MultiTask where your next step needs the results/);
  });

  it('are none with `agents: false`, and those that its lists leave it', async () => {
    const none = await asked({ delegationTools: ALL, agents: false });
    assert.deepEqual(none.tools, []);
    assert.doesNotMatch(none.system, /# Delegating/);
    await fixture.end();
    const some = await asked({ delegationTools: ALL, capabilities: { disallowedTools: ['Agent', 'MultiTask'] } });
    assert.deepEqual(some.tools, ['Task']);
    assert.match(some.system, /The Task tool hands work[^]*Task waits/);
    assert.doesNotMatch(some.system, /Agent tool|MultiTask/);
  });

  it('are refused where there is none of that name', async () => {
    await assert.rejects(startAgent([], { delegationTools: ['Explore' as DelegationTool] }), { reason: 'invalid_input', message: /delegationTools.*Agent, Task, MultiTask/ });
    fixture = await startAgent([]);
  });

  it('are nothing that a subagent can use: delegation is one level deep, and it is told so (cases 77, 78)', async () => {
    const calls = ALL.map((name) => ({ name, input: { display_name: 'B', prompt: 'B', tasks: [{ display_name: 'B', prompt: 'B' }] } }));
    fixture = await startAgent(delegating({ A: [{ calls }, { text: 'Did it myself.' }] }, 'Task'), { delegationTools: ALL });
    await (await fixture.agent.openSession()).send('go');
    const [first, second] = fixture.model.requests.filter((request) => !isRoot(request));
    assert.ok(first && second);
    assert.match(first.system, /you can't delegate/);
    const results = toolResults(second);
    assert.equal(results.length, 3);
    for (const { text, isError } of results) assert.ok(isError && text.includes("A subagent can't start subagents: delegation is one level deep."), text);
    assert.equal(fixture.agent.groups().length, 1);
    fixture.model.assertClean();
  });

  it('refuse a root that delegates without end: a call too large, and the same task twice, with totals (case 77)', async () => {
    const tasks = Array.from({ length: 8 }, (_, index) => ({ display_name: `T${index % 7}`, prompt: 'Look.' }));
    fixture = await startAgent([{ calls: [{ name: 'Agent', input: { tasks } }, { name: 'MultiTask', input: { tasks } }] }, { text: 'Then not.' }], { delegationTools: ALL, maxTasksPerCall: 5 });
    await (await fixture.agent.openSession()).send('go');
    for (const { text, isError } of toolResults(fixture.model.requests[1] ?? assert.fail())) {
      assert.ok(isError);
      for (const words of ['Nothing was started. 2 problems', 'at most 5 in one call, not 8', 'Task 8 ("T0"), task: is identical to task 1']) assert.ok(text.includes(words), text);
    }
    assert.deepEqual(fixture.agent.groups(), []);
  });
});
