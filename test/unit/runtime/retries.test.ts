import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { messagesOf } from '../../../src/runtime/agent/conversation.ts';
import type { GroupView } from '../../../src/runtime/domain/agents.ts';
import type { EventOf } from '../../../src/runtime/domain/events.ts';
import type { ModelError, ModelFailure } from '../../../src/runtime/domain/models.ts';
import { SILENT_LOG } from '../../../src/runtime/domain/ports.ts';
import { delegating, isRoot, lastUserText, startAgent, type AgentFixture, type AgentFixtureOptions } from '../../support/agentFixture.ts';
import { ManualClock, runThrough } from '../../support/manualClock.ts';
import { assertWellFormed, type ScriptedTurn } from '../../support/scriptedModel.ts';

const fails = (failure: ModelFailure, more: Partial<ModelError> = {}, turn: ScriptedTurn = {}): ScriptedTurn => ({ ...turn, stop: 'error', error: { failure, message: `scripted (m): ${failure}`, ...more } });
const read: ScriptedTurn = { text: 'Looking.', calls: [{ name: 'Read', input: { file_path: 'a.txt' } }] };
const limited = fails('rate_limited', { status: 429, retryAfterMs: 20_000 });
const overloaded = fails('overloaded', { status: 529 }, { text: 'Half an' });

describe('children whose model fails in passing', () => {
  let fixture: AgentFixture;
  let clock: ManualClock;
  afterEach(() => fixture.end());

  /** A runtime on a clock of the test, whose model refuses what is sent during a cool-down. */
  async function start(children: Readonly<Record<string, readonly ScriptedTurn[]>>, options: AgentFixtureOptions = {}): Promise<void> {
    clock = new ManualClock();
    const script = delegating(children);
    fixture = await startAgent(
      (request) => {
        const until = fixture.recorder.of('cooldown.started').at(-1)?.until ?? 0;
        assert.ok(clock.now() >= until, `sent at ${clock.now()}, in a cool-down until ${until}`);
        return typeof script === 'function' ? script(request) : assert.fail();
      },
      { workspace: { 'a.txt': 'a' }, maxParallelSubagents: 6, timing: { clock }, timeLimits: { toolIdleMs: 0, streamIdleMs: 0 }, ...options },
    );
  }

  /** Sends `go` and waits until that many children wait to ask their model again. The root may have to wait as well. */
  async function runToRetries(count: number): Promise<EventOf<'retry.scheduled'>> {
    const session = await fixture.agent.openSession();
    void session.send('go');
    const waiting = (): Set<string> => new Set(fixture.recorder.of('retry.scheduled').flatMap(({ agent }) => (agent.kind === 'child' ? [agent.agentId] : [])));
    return fixture.recorder.until('retry.scheduled', ({ agent }) => agent.kind === 'child' && waiting().size === count);
  }

  /** From `go` to the turn after the group. */
  async function runToEnd(): Promise<GroupView> {
    const session = await fixture.agent.openSession();
    await runThrough(clock, session.send('go').then(() => fixture.recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion')));
    assert.equal(clock.pending, 0, 'a timer is left');
    fixture.model.assertClean();
    return fixture.agent.groups()[0] ?? assert.fail('no group');
  }

  const completionText = (): string => fixture.model.requests.map((request) => lastUserText(request) ?? '').findLast((text) => text.startsWith('<background-task-completed')) ?? '';

  it('all complete with the work that they had, and nothing is sent during the cool-down (case 79)', async () => {
    const troubled = [read, limited, overloaded, read, { text: 'Done late.' }];
    const fine = [read, read, { text: 'Done.' }];
    await start({ A: troubled, B: fine, C: troubled, D: fine, E: troubled, F: fine });
    const group = await runToEnd();
    assert.equal(group.status, 'completed');
    assert.deepEqual(group.children.map(({ retry, turns }) => [retry, turns]), group.children.map(() => [undefined, 3]));
    assert.ok(fixture.recorder.of('cooldown.started').length >= 2);
    assert.ok(clock.now() >= 20_000);
    assert.equal(fixture.recorder.of('text.discarded').length, 3);
    for (const { agentId } of group.children) {
      const messages = messagesOf(await fixture.agent.transcript(agentId));
      assert.equal(messages.length, 6, 'prompt, twice a call and its result, answer');
      assert.ok(!JSON.stringify(messages).includes('Half an'));
    }
  });

  it('show that they wait, until when and why, and only while they do', async () => {
    const warnings: string[] = [];
    await start({ A: [limited, { text: 'Done.' }] }, { log: { ...SILENT_LOG, warn: (line) => warnings.push(line) } });
    const { until } = await runToRetries(1);
    const waiting = fixture.agent.groups()[0]?.children[0];
    assert.deepEqual(waiting?.retry, { attempt: 2, until, failure: 'rate_limited', message: 'scripted (m): rate_limited' });
    assert.ok(until >= 20_000);
    await runThrough(clock, fixture.recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion'));
    assert.equal(fixture.agent.groups()[0]?.children[0]?.retry, undefined);
    assert.ok(warnings.some((line) => line.includes('try 2') && line.includes('scripted (m): rate_limited')), 'the log tells it too');
  });

  it('fail as rate_limited once the tries are used up, with a conversation that can go on (case 79)', async () => {
    await start({ A: [read, ...Array<ScriptedTurn>(6).fill(overloaded)], B: [{ text: 'Done.' }] });
    const group = await runToEnd();
    assert.equal(group.status, 'partial');
    const child = group.children[0];
    const outcome = child?.outcome;
    assert.ok(outcome?.status === 'failed');
    assert.equal(outcome.reason, 'rate_limited');
    assert.equal(outcome.partialText, 'Half an');
    assert.match(outcome.message, /6 tries.*scripted \(m\): overloaded/);
    const messages = messagesOf(await fixture.agent.transcript(child?.agentId ?? ''));
    assertWellFormed({ model: '', system: '', tools: [], signal: new AbortController().signal, messages });
    assert.ok(completionText().includes('Rate limit'));
  });

  for (const [failure, reason] of [['timeout', 'timeout'], ['network', 'error'], ['server', 'error']] as const) {
    it(`fail as ${reason} when ${failure} doesn't pass`, async () => {
      await start({ A: Array<ScriptedTurn>(6).fill(fails(failure)) });
      const outcome = (await runToEnd()).children[0]?.outcome;
      assert.equal(outcome?.status === 'failed' && outcome.reason, reason);
    });
  }

  it('do not wait for a provider that asks for half an hour', async () => {
    await start({ A: [fails('rate_limited', { retryAfterMs: 1_800_000 })] });
    const outcome = (await runToEnd()).children[0]?.outcome;
    assert.equal(outcome?.status === 'failed' && outcome.reason, 'rate_limited');
    assert.equal(clock.now(), 0);
  });

  it('take those with them that wait in the queue when the quota is used up, and the group says how many (case 81)', async () => {
    const quota = fails('quota', { status: 429, retryAfterMs: 1000 });
    await start({ A: [read, quota], B: [{ text: 'never' }], C: [{ text: 'never' }] }, { maxParallelSubagents: 1 });
    const group = await runToEnd();
    assert.deepEqual(group.children.map(({ outcome }) => outcome?.status === 'failed' && outcome.reason), ['quota', 'quota', 'quota']);
    assert.equal(fixture.recorder.of('child.started').length, 1);
    assert.match(completionText(), /3 of 3 subagents of this group failed/);
    assert.equal(clock.now(), 0);
  });

  it('stop at once when they are cancelled while they wait', async () => {
    await start({ A: [limited, { text: 'never' }], B: [limited, { text: 'never' }] });
    await runToRetries(2);
    await fixture.agent.cancelGroup(fixture.agent.groups()[0]?.groupId ?? '');
    assert.deepEqual(fixture.agent.groups()[0]?.children.map(({ status, retry }) => [status, retry]), [['cancelled', undefined], ['cancelled', undefined]]);
    await runThrough(clock, fixture.recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion'));
    assert.ok(fixture.model.requests.filter((request) => !isRoot(request)).length <= 2, 'nothing was asked again');
    assert.equal(clock.pending, 0);
  });

  it('stop at once when the agent is closed while they wait, and leave no timer', async () => {
    await start({ A: [limited] });
    await runToRetries(1);
    await fixture.agent.close();
    assert.equal(fixture.agent.groups()[0]?.children[0]?.status, 'cancelled');
    assert.equal(clock.pending, 0);
  });
});

describe('a root whose model fails in passing', () => {
  it('waits as its children do, and can be stopped meanwhile', async () => {
    const clock = new ManualClock();
    const fixture = await startAgent([limited], { timing: { clock }, timeLimits: { streamIdleMs: 0 } });
    try {
      const session = await fixture.agent.openSession();
      const asking = session.send('go');
      await fixture.recorder.until('retry.scheduled');
      session.stop();
      assert.deepEqual(await asking, { status: 'cancelled' });
      assert.equal(clock.pending, 0);
      fixture.model.assertClean();
    } finally {
      await fixture.end();
    }
  });
});
