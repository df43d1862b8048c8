import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { deferred } from '../../../src/runtime/base/async.ts';
import type { GroupView } from '../../../src/runtime/domain/agents.ts';
import { parseJsonl } from '../../../src/runtime/store/jsonl.ts';
import { RunProjection } from '../../../src/runtime/store/projection.ts';
import type { RuntimeEvent } from '../../../src/runtime/domain/events.ts';
import { delegating, lastUserText, startAgent, toolResults, type AgentFixture } from '../../support/agentFixture.ts';
import type { ScriptedTurn } from '../../support/scriptedModel.ts';

const answer = (text: string): ScriptedTurn => ({ text });
const bash = (command: string): ScriptedTurn => ({ calls: [{ name: 'Bash', input: { command } }] });

describe('a delegated group', () => {
  let fixture: AgentFixture;
  afterEach(() => fixture.end());

  /** Sends `go`, waits for the group and the turn after it. */
  async function runToEnd(): Promise<GroupView> {
    const session = await fixture.agent.openSession();
    await session.send('go');
    await fixture.recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');
    const group = fixture.agent.groups()[0];
    assert.ok(group);
    return group;
  }

  const completionText = (): string => fixture.model.requests.map((request) => lastUserText(request) ?? '').find((text) => text.startsWith('<background-task-completed')) ?? '';

  it('returns at once, runs its children, and reports them together, in input order, once', async () => {
    const slow = deferred<void>();
    fixture = await startAgent(delegating({ A: [{ ...answer('From A.'), wait: slow.promise }], B: [answer('From B.')] }));
    const session = await fixture.agent.openSession();
    assert.deepEqual(await session.send('go'), { status: 'completed', text: 'Delegated.' });
    await fixture.recorder.until('child.settled');
    assert.equal(fixture.recorder.of('turn.started').length, 1, 'no completion before all have settled');
    slow.resolve();
    await fixture.recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');

    const text = completionText();
    assert.match(text, /^<background-task-completed id="bg_[^"]+" label="Subagent group: A, B" status="completed">/);
    assert.ok(text.indexOf('From A.') < text.indexOf('From B.'));
    assert.equal(fixture.recorder.of('group.settled').length, 1);
    fixture.model.assertClean();
  });

  it('is partial when one child fails, and delivers every outcome', async () => {
    fixture = await startAgent(delegating({ Good: [answer('Found it.')], Bad: [{ stop: 'error', error: { failure: 'error', message: 'boom' } }], Empty: [answer(' ')] }));
    const group = await runToEnd();
    assert.equal(group.status, 'partial');
    assert.deepEqual(group.children.map(({ status }) => status), ['completed', 'failed', 'failed']);
    const text = completionText();
    for (const part of ['Found it.', 'status: completed', 'status: failed', 'boom']) assert.ok(text.includes(part), part);
    assert.deepEqual(fixture.agent.tasks.list().map(({ status }) => status), ['review', 'failed', 'failed']);
  });

  it('never runs more than five children at once, and starts them in arrival order', async () => {
    const gate = deferred<void>();
    const children = Object.fromEntries(['1', '2', '3', '4', '5', '6'].map((name) => [name, [{ ...answer(name), wait: gate.promise }]]));
    const half = (from: number) => Object.fromEntries(Object.entries(children).slice(from, from + 3));
    const scripts = [delegating(half(0)), delegating(half(3))] as const;
    fixture = await startAgent((request) => {
      const first = request.messages.some((message) => JSON.stringify(message).includes('"1"'));
      const script = scripts[first || ['1', '2', '3'].includes(lastUserText(request) ?? '') ? 0 : 1];
      return typeof script === 'function' ? script(request) : answer('');
    });
    const session = await fixture.agent.openSession();
    await session.delegate(['1', '2', '3'].map((name) => ({ display_name: name, prompt: name })));
    await session.delegate(['4', '5', '6'].map((name) => ({ display_name: name, prompt: name })));
    const running = (): string[] => fixture.agent.groups().flatMap(({ children: all }) => all.filter(({ status }) => status === 'running').map(({ displayName }) => displayName));
    assert.deepEqual(running(), ['1', '2', '3', '4', '5']);
    gate.resolve();
    await fixture.recorder.until('group.settled', () => fixture.recorder.of('group.settled').length === 2);
    const started = fixture.recorder.of('child.started').map(({ agentId }) => fixture.agent.child(agentId)?.displayName);
    assert.deepEqual(started, ['1', '2', '3', '4', '5', '6']);
  });

  it('keeps a child that was cancelled, hit its limit or threw from ever looking completed', async () => {
    fixture = await startAgent(
      delegating({
        Limit: [{ calls: [{ name: 'Read', input: { file_path: 'a.txt' } }] }],
        Cancelled: [{ ...answer('never'), wait: deferred().promise }],
        Silent: [{ text: '' }],
      }),
      { maxTurns: 1, workspace: { 'a.txt': 'x' } },
    );
    const session = await fixture.agent.openSession();
    await session.send('go');
    const group = fixture.agent.groups()[0];
    await fixture.agent.cancelChild(group?.children[1]?.agentId ?? '');
    await fixture.recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');
    const outcomes = fixture.agent.groups()[0]?.children.map(({ outcome }) => (outcome?.status === 'failed' ? outcome.reason : outcome?.status));
    assert.deepEqual(outcomes, ['max_turns', 'cancelled', 'no_text']);
    assert.ok(!fixture.recorder.events.some((event) => event.type === 'child.settled' && event.outcome.status === 'completed'));
    assert.deepEqual(fixture.agent.tasks.list().map(({ status }) => status), ['failed', 'cancelled', 'failed']);
  });

  it('asks for each child under its own name, and gives each the answer to its own request, in any order', async () => {
    const names = ['A', 'B', 'C'];
    fixture = await startAgent(delegating(Object.fromEntries(names.map((name) => [name, [bash(`echo ${name} > ${name}.txt`), { text: `${name} done` }]]))));
    fixture.agent.approvals.attach();
    const session = await fixture.agent.openSession();
    await session.send('go');
    await fixture.recorder.until('approval.wanted', () => fixture.agent.approvals.pending().length === 3);
    const requests = names.map((name) => fixture.agent.approvals.pending().find(({ agent }) => agent.kind === 'child' && agent.displayName === name));
    assert.ok(fixture.agent.groups()[0]?.children.every(({ approvals }) => approvals.length === 1));

    const [a, b, c] = requests;
    assert.ok(a && b && c);
    await fixture.agent.approvals.decide(c.id, { kind: 'allow_once' });
    await fixture.agent.approvals.decide(b.id, { kind: 'deny', message: 'Not this file.' });
    await fixture.agent.approvals.decide(a.id, { kind: 'allow_once' });
    await fixture.recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');

    const seen = fixture.model.requests.flatMap((request) => toolResults(request).filter(({ isError }) => isError));
    assert.equal(seen.length, 1, 'only B was refused');
    assert.ok(seen[0]?.text.includes('Not this file.'));
    assert.equal(fixture.agent.groups()[0]?.status, 'completed', 'a denial ends nobody');
    assert.deepEqual(fixture.agent.groups()[0]?.children.map(({ denials }) => denials), [0, 1, 0], 'and stays visible');
    assert.equal(await readFile(join(fixture.cwd, 'A.txt'), 'utf8'), 'A\n');
    await assert.rejects(readFile(join(fixture.cwd, 'B.txt')), { code: 'ENOENT' });
  });

  it('denies what would ask when nobody can answer', async () => {
    fixture = await startAgent(delegating({ A: [bash('touch x'), answer('done')] }));
    const group = await runToEnd();
    assert.equal(group.status, 'completed');
    await assert.rejects(readFile(join(fixture.cwd, 'x')), { code: 'ENOENT' });
  });

  it('withdraws the waiting approval of a cancelled group, ends its processes and starts none of its queue', async () => {
    const names = ['A', 'B', 'C', 'D', 'E'];
    fixture = await startAgent(delegating(Object.fromEntries(names.map((name) => [name, [bash(name === 'A' ? 'sleep 600' : 'touch never'), answer('x')]]))), {
      maxParallelSubagents: 3,
      permissions: { user: { allow: ['Bash(sleep:*)'] } },
    });
    fixture.agent.approvals.attach();
    const session = await fixture.agent.openSession();
    await session.send('go');
    await fixture.recorder.until('approval.wanted', () => fixture.agent.approvals.pending().length === 2);
    const requests = fixture.model.requests.length;
    const groupId = fixture.agent.groups()[0]?.groupId ?? '';
    await Promise.all([fixture.agent.cancelGroup(groupId), fixture.agent.cancelGroup(groupId)]);
    assert.deepEqual(fixture.agent.approvals.pending(), []);
    assert.equal(fixture.recorder.of('approval.withdrawn').length, 2);
    assert.equal(fixture.recorder.of('child.started').length, 3);
    await fixture.recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');
    assert.equal(fixture.model.requests.length, requests + 1, 'only the root heard of it');
    assert.equal(fixture.agent.groups()[0]?.status, 'cancelled');
    fixture.model.assertClean();
  });

  it('keeps running when the turn that started it is stopped, and takes further turns meanwhile', async () => {
    const gate = deferred<void>();
    const script = delegating({ A: [{ ...answer('From A.'), wait: gate.promise }] });
    fixture = await startAgent((request) => {
      if (toolResults(request).length > 0 && lastUserText(request) === undefined && request.tools.some(({ name }) => name === 'Agent')) return { wait: deferred().promise };
      return typeof script === 'function' ? script(request) : answer('');
    });
    const session = await fixture.agent.openSession();
    const stop = new AbortController();
    const turn = session.send('go', { signal: stop.signal });
    await fixture.recorder.until('child.started');
    stop.abort();
    assert.equal((await turn).status, 'cancelled');
    assert.equal(fixture.agent.groups()[0]?.children[0]?.status, 'running');
    assert.equal((await session.send('and now?')).status, 'completed');
    gate.resolve();
    await fixture.recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');
    assert.equal(fixture.agent.groups()[0]?.status, 'completed');
    fixture.model.assertClean();
  });

  it('hands a child its prompt alone: no conversation, no sibling, no way to delegate', async () => {
    fixture = await startAgent(delegating({ A: [answer('a')], B: [answer('b')] }));
    await runToEnd();
    const children = fixture.model.requests.filter((request) => !request.tools.some(({ name }) => name === 'Agent'));
    assert.equal(children.length, 2);
    for (const request of children) {
      assert.equal(request.messages.length, 1);
      assert.ok(!JSON.stringify(request).includes('"go"'));
      assert.ok(!request.tools.some(({ name }) => ['Agent', 'Task', 'MultiTask'].includes(name)));
    }
  });

  it('can be told again from its log alone', async () => {
    fixture = await startAgent(delegating({ A: [bash('true'), answer('a')], B: [answer(' ')] }));
    const group = await runToEnd();
    await fixture.agent.close();
    const log = parseJsonl<RuntimeEvent>(await readFile(join(fixture.storageDir, 'groups', `${group.groupId}.jsonl`), 'utf8'));
    const replayed = new RunProjection();
    for (const event of log) replayed.apply(event);
    const stable = ({ children, ...rest }: GroupView): unknown => ({ ...rest, children: children.map(({ lastActivityAt: _, ...child }) => child) });
    assert.deepEqual(stable(replayed.group(group.groupId) as GroupView), stable(group));
  });

  it('is cancelled by close, after which nothing runs and no turn is taken', async () => {
    fixture = await startAgent(delegating({ A: [{ ...answer('a'), wait: deferred().promise }], B: [bash('sleep 600'), answer('b')] }), { permissions: { user: { allow: ['Bash'] } } });
    const session = await fixture.agent.openSession();
    await session.send('go');
    await fixture.recorder.until('tool.called');
    await fixture.agent.close();
    await fixture.agent.close();
    assert.deepEqual(fixture.agent.groups()[0]?.children.map(({ status }) => status), ['cancelled', 'cancelled']);
    assert.equal(fixture.recorder.of('turn.started').length, 1);
    await assert.rejects(session.send('more'), { reason: 'closed' });
    await assert.rejects(session.delegate([{ display_name: 'x', prompt: 'x' }]), { reason: 'closed' });
    await assert.rejects(fixture.agent.openSession(), { reason: 'closed' });
  });

  it('is not outlived by a conversation that was being opened', async () => {
    fixture = await startAgent([]);
    const opening = fixture.agent.openSession();
    await fixture.agent.close();
    await assert.rejects(opening, { reason: 'closed' });
  });
});
