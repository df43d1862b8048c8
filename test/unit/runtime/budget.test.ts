import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { afterEach, describe, it } from 'mocha';
import { deferred, type Deferred } from '../../../src/runtime/base/async.ts';
import type { ChildView, GroupView, RunOutcome } from '../../../src/runtime/domain/agents.ts';
import { textOf } from '../../../src/runtime/domain/messages.ts';
import type { ToolDefinition } from '../../../src/runtime/domain/tools.ts';
import { delegating, isRoot, promptOf, reopenAgent, startAgent, type AgentFixture, type AgentFixtureOptions } from '../../support/agentFixture.ts';
import { completionsIn } from '../../support/crash.ts';
import { ManualClock, runThrough } from '../../support/manualClock.ts';
import type { Script, ScriptedTurn } from '../../support/scriptedModel.ts';

/** A tool that takes as long as the test wants. */
function waiting(until: Promise<unknown>, onStart: () => void): ToolDefinition {
  return {
    name: 'Wait',
    description: 'Waits.',
    inputSchema: { type: 'object' },
    isReadOnly: true,
    describe: () => 'Waiting',
    targets: () => [],
    execute: async () => {
      onStart();
      await until;
      return { content: [{ type: 'text', text: 'ok' }] };
    },
  };
}
const wait = { name: 'Wait', input: {} };
const write = (file_path: string) => ({ name: 'Write', input: { file_path, content: 'x' } });
const using = (input: number, turn: ScriptedTurn): ScriptedTurn => ({ ...turn, usage: { input, output: 0 } });

function budgetFailure(outcome: RunOutcome | undefined): Extract<RunOutcome, { status: 'failed' }> {
  assert.ok(outcome?.status === 'failed' && outcome.reason === 'budget', JSON.stringify(outcome));
  return outcome;
}

describe('the budget of a group', () => {
  const open: AgentFixture[] = [];
  let tool: Deferred<void>;
  let toolStarted: Deferred<void>;
  afterEach(async () => {
    for (const fixture of open.splice(0).reverse()) await fixture.end();
  });

  const options = (more: AgentFixtureOptions): AgentFixtureOptions => ({ permissions: { user: { allow: ['Write', 'Wait'] } }, builtinTools: [waiting(tool.promise, () => toolStarted.resolve())], ...more });

  async function start(script: Script, more: AgentFixtureOptions = {}): Promise<AgentFixture> {
    [tool, toolStarted] = [deferred(), deferred()];
    const fixture = await startAgent(script, options(more));
    open.push(fixture);
    return fixture;
  }

  async function run(fixture: AgentFixture): Promise<void> {
    await (await fixture.agent.openSession()).send('go');
  }

  function group({ agent }: AgentFixture, index = 0): GroupView {
    return agent.groups()[index] ?? assert.fail('no group');
  }

  function child(fixture: AgentFixture, name: string): ChildView {
    return group(fixture).children.find(({ displayName }) => displayName === name) ?? assert.fail(name);
  }

  const delivered = ({ recorder }: AgentFixture, count = 1): Promise<unknown> => recorder.until('turn.ended', () => recorder.of('turn.ended').filter(({ cause }) => cause.kind === 'completion').length === count);
  const requestsOf = ({ model }: AgentFixture, name: string): number => model.requests.filter((request) => !isRoot(request) && promptOf(request) === name).length;

  it('ends what runs with its turn and what waits unstarted, keeps the work, and lets an answer be one', async () => {
    const [a, b, asked] = [deferred<void>(), deferred<void>(), deferred<void>()];
    const fixture = await start(
      delegating({
        A: [using(300, { calls: [write('a.txt')] }), using(10, { text: 'From A.', wait: a.promise, check: () => asked.resolve() })],
        B: [using(300, { calls: [write('b.txt')] }), using(600, { text: 'Half of B.', calls: [write('c.txt'), write('d.txt')], wait: b.promise })],
        C: [],
      }),
      { maxParallelSubagents: 2, budget: { tokens: 1000 } },
    );
    const { agent, recorder, model } = fixture;
    await run(fixture);
    await asked.promise;
    await recorder.until('model.ended', () => group(fixture).usage.input === 600);
    b.resolve();
    await recorder.until('child.settled', ({ agentId }) => agentId === child(fixture, 'B').agentId);
    await recorder.until('child.settled', ({ agentId }) => agentId === child(fixture, 'C').agentId);
    assert.equal(child(fixture, 'A').status, 'running');
    a.resolve();
    await delivered(fixture);

    const failure = budgetFailure(child(fixture, 'B').outcome);
    assert.equal(failure.message, 'The group has used 1,200 tokens, and its limit is 1,000 (setting subagents.budget.tokensPerGroup, in code budget.tokens). Resume what is missing, or delegate it anew: that counts as a group of its own.');
    assert.equal(failure.partialText, 'Half of B.');
    assert.deepEqual(child(fixture, 'A').outcome, { status: 'completed', text: 'From A.' });
    assert.equal(budgetFailure(child(fixture, 'C').outcome).message, failure.message);
    assert.equal(child(fixture, 'C').startedAt, undefined);
    assert.equal(requestsOf(fixture, 'C'), 0);
    assert.equal(group(fixture).status, 'partial');
    assert.deepEqual((await readdir(fixture.cwd)).sort(), ['a.txt', 'b.txt']);
    assert.equal(child(fixture, 'B').changedFiles.length, 1);

    const last = (await agent.transcript(child(fixture, 'B').agentId)).findLast((entry) => entry.type === 'message');
    assert.ok(last?.type === 'message' && last.message.role === 'tool');
    assert.deepEqual(last.message.results.map(({ content }) => textOf(content).startsWith('Not run. The group has used')), [true, true]);
    const [text = '', ...others] = await completionsIn(agent, group(fixture).sessionId);
    assert.deepEqual(others, []);
    assert.match(text, /status="partial"[\s\S]*From A\.[\s\S]*Error: The budget of the group is used up: The group has used 1,200 tokens[\s\S]*Half of B\./);
    model.assertClean();
  });

  it('lets nobody ask again once it is known to be passed, whoever passed it', async () => {
    const b = deferred<void>();
    const fixture = await start(delegating({ A: [using(1, { text: 'Half of A.', calls: [wait] })], B: [using(2000, { text: 'From B.', wait: b.promise })], C: [] }), { maxParallelSubagents: 2, budget: { tokens: 1000 } });
    await run(fixture);
    await toolStarted.promise;
    b.resolve();
    // The answer that passed it counts; who waits for the slot that it leaves never gets it.
    await fixture.recorder.until('child.settled', ({ agentId }) => agentId === child(fixture, 'C').agentId);
    tool.resolve();
    await delivered(fixture);
    assert.deepEqual(group(fixture).children.map(({ status }) => status), ['failed', 'completed', 'failed']);
    assert.equal(budgetFailure(child(fixture, 'A').outcome).partialText, 'Half of A.');
    assert.deepEqual([requestsOf(fixture, 'A'), requestsOf(fixture, 'C')], [1, 0]);
    fixture.model.assertClean();
  });

  it('that is raised or set meanwhile counts for what still runs', async () => {
    const a = deferred<void>();
    const fixture = await start(delegating({ A: [using(2000, { text: 'From A.', wait: a.promise })], B: [using(1, { calls: [wait] }), using(1, { text: 'From B.' })] }), { budget: { tokens: 1000 } });
    await run(fixture);
    await toolStarted.promise;
    a.resolve();
    await fixture.recorder.until('child.settled');
    fixture.agent.configure({ budget: { tokens: 5000 } });
    tool.resolve();
    await delivered(fixture);
    assert.equal(group(fixture).status, 'completed');

    const other = await start(delegating({ A: [using(2000, { calls: [wait] })], B: [] }), { maxParallelSubagents: 1 });
    await run(other);
    await toolStarted.promise;
    other.agent.configure({ budget: { tokens: 1000 } });
    await other.recorder.until('child.settled', ({ agentId }) => agentId === child(other, 'B').agentId);
    tool.resolve();
    await delivered(other);
    assert.equal(group(other).status, 'failed');
    assert.equal(requestsOf(other, 'A'), 1);
  });

  it('is a new one for a round in which a child goes on, and its row shows what all rounds used', async () => {
    const fixture = await start(delegating({ A: [using(800, { text: 'Half.', calls: [wait] }), using(900, { text: 'Whole.' })] }), { budget: { tokens: 700 } });
    await run(fixture);
    await delivered(fixture);
    const { agentId, sessionId } = child(fixture, 'A');
    budgetFailure(child(fixture, 'A').outcome);
    fixture.agent.configure({ budget: { tokens: 900 } });
    const round = await fixture.agent.resumeChild(agentId);
    await delivered(fixture, 2);
    assert.deepEqual(child(fixture, 'A').outcome, { status: 'completed', text: 'Whole.' });
    assert.deepEqual([fixture.agent.group(group(fixture).groupId)?.usage.input, fixture.agent.group(round.groupId)?.usage.input, child(fixture, 'A').usage.input], [800, 900, 1700]);
    assert.equal((await fixture.agent.usage(sessionId)).groups.input, 1700);
    await fixture.agent.close();
    const views = fixture.agent.groups();
    const again = await reopenAgent(fixture, () => ({}));
    open.push(again);
    assert.deepEqual(again.agent.groups(), views);
  });

  it('goes on counting from what was stored when an interrupted group goes on', async () => {
    const [fixture, never] = [await start(delegating({ A: [using(900, { calls: [wait] })], B: [using(10, { wait: deferred().promise })] }), { budget: { tokens: 1000 } }), new Set<string>()];
    await run(fixture);
    await toolStarted.promise;
    tool.resolve();
    await fixture.agent.suspend();
    const script: Script = (request) => {
      if (isRoot(request)) return { text: 'Noted.' };
      if (promptOf(request) !== 'A') never.add(promptOf(request));
      return using(200, { text: 'More.', calls: [wait] });
    };
    const again = await reopenAgent(fixture, script, options({ budget: { tokens: 1000 } }));
    open.push(again);
    const { groupId } = group(again);
    await again.agent.resumeChild(child(again, 'A').agentId);
    await again.recorder.until('child.settled');
    assert.match(budgetFailure(child(again, 'A').outcome).message, /used 1,100 tokens/);
    // It had begun before, and can't ask for more now.
    await again.agent.resumeChild(child(again, 'B').agentId);
    await delivered(again);
    budgetFailure(child(again, 'B').outcome);
    assert.deepEqual([...never], []);
    assert.deepEqual(again.recorder.of('child.started').map(({ agentId }) => agentId), [child(again, 'A').agentId]);
    assert.deepEqual([again.agent.groups().length, again.agent.group(groupId)?.status], [1, 'failed']);
  });

  it('in dollars counts what has a price, and says once what has none', async () => {
    const price = { input: 1000, output: 0 };
    const priced = { provider: 'scripted', model: 'm', price };
    const fixture = await start(delegating({ A: [using(200, { calls: [wait] })], B: [] }), { model: priced, budget: { cost: 0.15 }, maxParallelSubagents: 1 });
    await run(fixture);
    await delivered(fixture);
    assert.equal(budgetFailure(child(fixture, 'A').outcome).message.split('(')[0], 'The group has used $0.20, and its limit is $0.15 ');
    budgetFailure(child(fixture, 'B').outcome);
    assert.deepEqual([child(fixture, 'A').usage.cost, group(fixture).usage.cost], [0.2, 0.2]);

    const free = await start(delegating({ A: [using(1e9, { calls: [write('a.txt')] }), { text: 'Done.' }], B: [{ text: 'Done.' }] }), { budget: { cost: 0.01 } });
    await run(free);
    await delivered(free);
    assert.equal(group(free).status, 'completed');
    assert.deepEqual(group(free).children.map(({ notes }) => notes), [['The budget of the group is a cost, and no price is set for m: what it uses isn\'t counted.'], undefined]);
  });

  it('counts what the failed tries of a turn used as it goes', async () => {
    const busy = using(600, { stop: 'error', error: { failure: 'overloaded', message: 'busy' } });
    const clock = new ManualClock();
    const fixture = await start(delegating({ A: [busy, busy] }), { budget: { tokens: 1000 }, timing: { clock }, timeLimits: { toolIdleMs: 0, streamIdleMs: 0 } });
    await runThrough(clock, run(fixture).then(() => delivered(fixture)));
    assert.match(budgetFailure(child(fixture, 'A').outcome).message, /used 1,200 tokens/);
    assert.equal(group(fixture).usage.input, 1200, 'each try counts once');
    fixture.model.assertClean();
  });

  it('says once where a provider tells of no usage, in tokens as in dollars', async () => {
    const untold = (turn: ScriptedTurn): ScriptedTurn => using(0, turn);
    const note = 'The budget of the group counts only usage that is told, and none is told of m: what it uses isn\'t counted.';
    for (const budget of [{ tokens: 100 }, { cost: 0.01 }]) {
      const fixture = await start(delegating({ A: [untold({ calls: [write('a.txt')] }), untold({ text: 'Done.' })], B: [untold({ text: 'Done.' })] }), { budget, maxParallelSubagents: 1, model: { provider: 'scripted', model: 'm', price: { input: 1, output: 1 } } });
      await run(fixture);
      await delivered(fixture);
      assert.deepEqual(group(fixture).children.map(({ notes, status }) => [notes, status]), [[[note], 'completed'], [undefined, 'completed']]);
    }
    const free = await start(delegating({ A: [untold({ text: 'Done.' })] }));
    await run(free);
    await delivered(free);
    assert.equal(child(free, 'A').notes, undefined, 'where nothing is limited');
  });

  it('says so at once of the editor\'s models, which never tell', async () => {
    const fixture = await start(delegating({ A: [using(0, { text: 'Done.' })], B: [using(0, { text: 'Done.' })] }), { budget: { cost: 1, tokens: 5 }, model: { provider: 'vscode', model: 'v/m' } });
    await run(fixture);
    await delivered(fixture);
    assert.deepEqual(group(fixture).children.map(({ notes }) => notes?.map((each) => each.replace(/^.* of /, ''))), [['v/m: what it uses isn\'t counted.'], undefined]);
    assert.deepEqual(fixture.recorder.of('child.noted'), []);
  });

  it('does not bound the root, whose own use counts for its conversation', async () => {
    const fixture = await start((request) => (isRoot(request) ? using(5000, { text: 'Hm.' }) : using(10, { text: 'Done.' })), { budget: { tokens: 100 }, model: { provider: 'scripted', model: 'm', price: { input: 10, output: 10 } } });
    const session = await fixture.agent.openSession();
    for (const turnId of ['t1', 't2']) assert.equal((await session.send('Hi', { turnId })).status, 'completed');
    await session.delegate([{ display_name: 'A', prompt: 'A' }]);
    await delivered(fixture);
    const { root, groups } = await fixture.agent.usage(session.sessionId);
    assert.deepEqual([root.input, root.cost?.toFixed(6), groups.input], [15_000, '0.150000', 10]);
    // What was said before it parted was used in the other conversation.
    const fork = await fixture.agent.openSession({ from: { sessionId: session.sessionId, turnId: 't1' } });
    assert.notEqual(fork.sessionId, session.sessionId);
    assert.equal((await fixture.agent.usage(fork.sessionId)).root.input, 0);
    assert.equal((await fixture.agent.usage('unknown')).groups.input, 0);
  });
});
