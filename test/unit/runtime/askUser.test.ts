import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { query } from '../../../src/runtime/api/query.ts';
import type { ApprovalRequest } from '../../../src/runtime/domain/approvals.ts';
import type { AgentRef } from '../../../src/runtime/domain/agents.ts';
import type { LiteAgentOptions } from '../../../src/runtime/domain/liteAgent.ts';
import type { AskUser } from '../../../src/runtime/domain/services.ts';
import { delegating, isRoot, promptOf, startAgent, toolResults, type AgentFixture } from '../../support/agentFixture.ts';
import { createEnvironment } from '../../support/apiFixture.ts';
import { heardBy, runGroup, startDefined, type DefinedChildren } from '../../support/definedChildren.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { toolNames } from '../../support/ownTools.ts';
import type { ScriptedTurn } from '../../support/scriptedModel.ts';

const find: ScriptedTurn = { calls: [{ name: 'FindTool', input: { query: 'select:AskUser' } }] };
const ask = (...questions: readonly string[]): ScriptedTurn => ({ calls: questions.map((question) => ({ name: 'AskUser', input: { question } })) });
const done: ScriptedTurn = { text: 'Done.' };
const asking = (question: string): readonly ScriptedTurn[] => [find, ask(question), done];

const BY_QUEUE: Partial<LiteAgentOptions> = { askUser: 'approvals' };
const nameOf = (agent: AgentRef): string => (agent.kind === 'child' ? agent.displayName : 'root');

describe('questions to the user', () => {
  let fixture: AgentFixture;
  afterEach(() => fixture.end());

  /** Starts the children that ask at once, and waits for their questions. */
  async function askers(names: readonly string[]): Promise<(name: string) => ApprovalRequest> {
    fixture = await startDefined(Object.fromEntries(names.map((name) => [name, { turns: asking(`What does ${name} do?`) }])), BY_QUEUE);
    fixture.agent.approvals.attach();
    await (await fixture.agent.openSession()).send('go');
    for (const name of names) await fixture.recorder.until('approval.wanted', ({ request }) => nameOf(request.agent) === name);
    return (name) => fixture.agent.approvals.pending().find(({ agent }) => nameOf(agent) === name) ?? assert.fail(`${name} doesn't ask`);
  }

  it('of two children at once each carry the name of theirs and get their own answers', async () => {
    const of = await askers(['left', 'right']);
    const { approvals } = fixture.agent;
    assert.deepEqual(['left', 'right'].map((name) => of(name).question), [{ question: 'What does left do?' }, { question: 'What does right do?' }]);
    const waitingFor = (): unknown => fixture.agent.groups()[0]?.children.map(({ approvals: ids, questions }) => [ids.length, questions?.length]);
    assert.deepEqual(waitingFor(), [[1, 1], [1, 1]]);
    await approvals.decide(of('right').id, { kind: 'answer', text: 'turns right' });
    assert.deepEqual(waitingFor(), [[1, 1], [0, undefined]]);
    await approvals.decide(of('left').id, { kind: 'answer', text: 'turns left' });
    await fixture.recorder.until('group.settled');
    assert.deepEqual(['left', 'right'].map((name) => heardBy(fixture, name).at(-1)), ['turns left', 'turns right']);
  });

  it('are withdrawn with their child, and the other still gets its answer', async () => {
    const of = await askers(['left', 'right']);
    const left = of('left');
    await fixture.agent.cancelChild(left.agent.kind === 'child' ? left.agent.agentId : '');
    assert.deepEqual(fixture.agent.approvals.pending().map(({ agent }) => nameOf(agent)), ['right']);
    assert.deepEqual(fixture.recorder.of('approval.withdrawn').map(({ request }) => request.id), [left.id]);
    assert.equal(await fixture.agent.approvals.decide(left.id, { kind: 'answer', text: 'too late' }), false);
    await fixture.agent.approvals.decide(of('right').id, { kind: 'answer', text: 'yours' });
    await fixture.recorder.until('group.settled');
    assert.equal(heardBy(fixture, 'right').at(-1), 'yours');
  });

  for (const [what, end] of [
    ['group', ({ agent }: AgentFixture) => agent.cancelGroup(agent.groups()[0]?.groupId ?? '')],
    ['agent', ({ agent }: AgentFixture) => agent.close()],
  ] as const) {
    it(`are withdrawn with their ${what}`, async () => {
      await askers(['left', 'right']);
      await end(fixture);
      assert.deepEqual(fixture.agent.approvals.pending(), []);
      assert.equal(fixture.recorder.of('approval.withdrawn').length, 2);
    });
  }

  it('of the root end with its turn', async () => {
    fixture = await startAgent(asking('Which?'), BY_QUEUE);
    fixture.agent.approvals.attach();
    const session = await fixture.agent.openSession();
    const turn = session.send('go');
    const { request } = await fixture.recorder.until('approval.wanted');
    assert.equal(request.agent.kind, 'root');
    session.stop();
    assert.equal((await turn).status, 'cancelled');
    assert.deepEqual(fixture.agent.approvals.pending(), []);
  });

  it('of one turn come one after the other', async () => {
    fixture = await startAgent([find, ask('First?', 'Second?'), done], BY_QUEUE);
    const { approvals } = fixture.agent;
    approvals.attach();
    const waiting: number[] = [];
    fixture.agent.subscribe((event) => {
      if (event.type !== 'approval.wanted') return;
      waiting.push(approvals.pending().length);
      void approvals.decide(event.request.id, { kind: 'answer', text: `to ${event.request.action}` });
    });
    await (await fixture.agent.openSession()).send('go');
    assert.deepEqual(waiting, [1, 1]);
    assert.deepEqual(toolResults(fixture.model.requests.at(-1) ?? assert.fail()).map(({ text }) => text), ['to First?', 'to Second?']);
  });

  it('stop no time, however long the answer takes', async () => {
    const clock = new ManualClock();
    fixture = await startAgent(delegating({ A: asking('Still there?') }), { ...BY_QUEUE, timing: { clock }, timeLimits: { maxDurationMs: 60_000, toolMs: 60_000, toolIdleMs: 60_000 } });
    fixture.agent.approvals.attach();
    await (await fixture.agent.openSession()).send('go');
    const { request } = await fixture.recorder.until('approval.wanted');
    clock.advance(3_600_000);
    await fixture.agent.approvals.decide(request.id, { kind: 'answer', text: 'yes' });
    const { outcome } = await fixture.recorder.until('child.settled');
    assert.deepEqual(outcome, { status: 'completed', text: 'Done.' });
    assert.equal(clock.pending, 0);
  });

  it('that nobody can answer let the agent decide itself, also one that says no', async () => {
    fixture = await startDefined({ alone: { turns: asking('Anybody?') } }, BY_QUEUE);
    await runGroup(fixture);
    assert.match(heardBy(fixture, 'alone').at(-1) ?? '', /Nobody is there to answer: decide yourself, or say in your answer what is open/);
    assert.equal(fixture.agent.groups()[0]?.children[0]?.outcome?.status, 'completed');
  });

  it('are kept with their answers among the decisions, without secrets, in no other file of the group either', async () => {
    const secret = 'ghp_abcdefghijklmnopqrst1234';
    fixture = await startDefined({ A: { turns: [find, ask(`Is ${secret} right?`, 'And then?'), done] } }, BY_QUEUE);
    const { approvals } = fixture.agent;
    approvals.attach();
    fixture.agent.subscribe((event) => {
      if (event.type === 'approval.wanted') void approvals.decide(event.request.id, event.request.action === 'And then?' ? { kind: 'deny', message: 'no idea' } : { kind: 'answer', text: `no, ${secret}5` });
    });
    await runGroup(fixture);
    await fixture.agent.close();
    const decisions = await approvals.decisions();
    assert.deepEqual(decisions.map(({ tool, action, verdict, by, lasts, message, isQuestion }) => [tool, action, verdict, by, lasts, message, isQuestion]), [
      ['AskUser', 'Is *** right?', 'allow', 'person', undefined, 'no, ***', true],
      ['AskUser', 'And then?', 'deny', 'person', undefined, 'no idea', true],
    ]);
    const log = await readFile(join(fixture.storageDir, 'groups', `${fixture.agent.groups()[0]?.groupId ?? ''}.jsonl`), 'utf8');
    assert.match(log, /approval\.decided/);
    assert.ok(!log.includes(secret));
  });

  it('are asked by no rule twice: a closed list of what is allowed leaves them alone, a rule against them counts', async () => {
    const children: DefinedChildren = {
      closed: { fields: ['permission: {allow: [Read]}'], turns: asking('Closed?') },
      denied: { fields: ['permission: {deny: [AskUser]}'], turns: asking('Denied?') },
    };
    fixture = await startDefined(children, { ...BY_QUEUE, permissions: { subagent: { allow: ['Read'] } } });
    fixture.agent.approvals.attach();
    fixture.agent.subscribe((event) => {
      if (event.type === 'approval.wanted' && event.request.question) void fixture.agent.approvals.decide(event.request.id, { kind: 'answer', text: 'yes' });
      else if (event.type === 'approval.wanted') void fixture.agent.approvals.decide(event.request.id, { kind: 'allow_once' });
    });
    await runGroup(fixture);
    assert.equal(heardBy(fixture, 'closed').at(-1), 'yes');
    assert.match(heardBy(fixture, 'denied').at(-1) ?? '', /Denied by the rule AskUser/);
    assert.deepEqual(fixture.recorder.of('approval.wanted').filter(({ request }) => request.tool === 'AskUser').map(({ request }) => request.action), ['Closed?']);
  });

  it('are not for a child that never asks: it has no such tool', async () => {
    const fields = ['permission: {onAsk: deny}'];
    fixture = await startDefined({ quiet: { fields, turns: asking('May I?') }, loud: { turns: asking('May I?') } }, BY_QUEUE);
    fixture.agent.approvals.attach();
    fixture.agent.subscribe((event) => {
      if (event.type === 'approval.wanted') void fixture.agent.approvals.decide(event.request.id, { kind: 'answer', text: 'yes' });
    });
    await runGroup(fixture);
    assert.deepEqual(fixture.recorder.of('approval.wanted').map(({ request }) => nameOf(request.agent)), ['loud']);
    const offering = (tool: string): readonly string[] => [...new Set(fixture.model.requests.filter((request) => !isRoot(request) && toolNames(request).includes(tool)).map(promptOf))];
    assert.deepEqual([offering('FindTool'), offering('AskUser')], [['loud'], ['loud']]);
  });

  it('are not offered without the service, and say in the prompt who is there', async () => {
    const childRequest = () => fixture.model.requests.find((request) => !isRoot(request)) ?? assert.fail('no request');
    fixture = await startDefined({ A: { turns: [done] } });
    await runGroup(fixture);
    assert.match(childRequest().system, /nobody answers questions/);
    assert.ok(!fixture.model.requests.some((request) => toolNames(request).includes('FindTool')));
    await fixture.end();
    fixture = await startDefined({ A: { turns: [done] } }, BY_QUEUE);
    await runGroup(fixture);
    assert.match(childRequest().system, /only `AskUser` reaches the user/);
    assert.ok(toolNames(childRequest()).includes('FindTool'));
  });

  it('go to a function of the host instead, the same for root and children, with who asks', async () => {
    const heard: unknown[] = [];
    const askUser: AskUser = async ({ question }, { agent }) => {
      heard.push([nameOf(agent), question]);
      return { kind: 'answered', text: `hello ${nameOf(agent)}` };
    };
    const ofChild = [...asking('Child?')];
    const ofRoot = [find, ask('Root?'), { calls: [{ name: 'Agent', input: { tasks: [{ display_name: 'A', prompt: 'A' }] } }] }, { text: 'Delegated.' }, { text: 'Understood.' }];
    fixture = await startAgent((request) => (isRoot(request) ? ofRoot : ofChild).shift() ?? assert.fail('one turn too many'), { askUser });
    await (await fixture.agent.openSession()).send('go');
    await fixture.recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');
    assert.deepEqual(heard, [['root', 'Root?'], ['A', 'Child?']]);
    assert.deepEqual(fixture.recorder.of('approval.wanted'), []);
  });
});

describe('questions of an agent that was made for a program', () => {
  it('are answered by what answers its approvals', async () => {
    const fixture = await createEnvironment(asking('Which?'), { askUser: 'approvals' });
    try {
      const asked = query({ runtime: fixture.runtime, prompt: 'go', onApproval: async ({ question }) => (question ? { kind: 'answer', text: 'that one' } : { kind: 'deny' }) });
      assert.equal((await asked.result).status, 'completed');
      assert.deepEqual(toolResults(fixture.model.requests.at(-1) ?? assert.fail()).map(({ text }) => text), ['that one']);
    } finally {
      await fixture.end();
    }
  });
});
