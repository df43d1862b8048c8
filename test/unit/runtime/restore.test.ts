import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { messagesOf } from '../../../src/runtime/agent/conversation.ts';
import { deferred } from '../../../src/runtime/base/async.ts';
import type { GroupView } from '../../../src/runtime/domain/agents.ts';
import type { ModelRequest } from '../../../src/runtime/domain/models.ts';
import { delegating, isRoot, lastUserText, promptOf, reopenAgent, startAgent, toolResults, type AgentFixture } from '../../support/agentFixture.ts';
import { completionsIn, crashed, type Folders } from '../../support/crash.ts';
import { assertWellFormed, type Script, type ScriptedTurn } from '../../support/scriptedModel.ts';

const never: ScriptedTurn = { wait: deferred().promise };
const answer = (text: string): ScriptedTurn => ({ text });

/** Children that answer with their prompt's last word, and a root that takes note. */
const noting: Script = (request) => ({ text: isRoot(request) ? 'Noted.' : `Done: ${lastUserText(request) ?? 'went on'}` });

const statuses = (group: GroupView | undefined): readonly string[] => group?.children.map(({ displayName, status }) => `${displayName}: ${status}`) ?? [];

describe('a group whose window is gone', () => {
  const open: { end(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const fixture of open.splice(0).reverse()) await fixture.end();
  });

  /** A finishes, B is in the middle of its work, C waits for a slot. */
  async function midGroup(): Promise<AgentFixture> {
    const inWork = deferred<void>();
    const work: ScriptedTurn = { text: 'Looking.', calls: [{ name: 'Read', input: { file_path: 'a.txt' } }] };
    const stuck: ScriptedTurn = { ...never, check: () => inWork.resolve() };
    const fixture = await startAgent(delegating({ A: [answer('From A.')], B: [work, stuck], C: [answer('From C.')] }), { maxParallelSubagents: 1, workspace: { 'a.txt': 'a' } });
    open.push(fixture);
    await (await fixture.agent.openSession()).send('go', { turnId: 't1' });
    await inWork.promise;
    await fixture.recorder.until('task.changed', () => fixture.agent.tasks.list().map(({ status }) => status).join() === 'review,in_progress,pending');
    return fixture;
  }

  async function reopen(folders: Folders, script: Script = noting, options: Parameters<typeof reopenAgent>[2] = {}): Promise<AgentFixture> {
    const fixture = await reopenAgent(folders, script, options);
    open.push(fixture);
    return fixture;
  }

  async function crash(fixture: Folders): Promise<Folders> {
    const copy = await crashed(fixture);
    open.push({ end: () => copy.remove() });
    return copy;
  }

  it('comes back with the same children, those that had not ended interrupted (case 64)', async () => {
    const before = await midGroup();
    const { agent } = await reopen(await crash(before));
    const [group, ...others] = agent.groups();
    assert.deepEqual(others, []);
    assert.equal(group?.groupId, before.agent.groups()[0]?.groupId);
    assert.equal(group?.status, 'interrupted');
    assert.equal(group?.isElsewhere, false);
    assert.deepEqual(statuses(group), ['A: completed', 'B: interrupted', 'C: interrupted']);
    assert.deepEqual(group?.children.map(({ agentId }) => agentId), before.agent.groups()[0]?.children.map(({ agentId }) => agentId));
    assert.deepEqual(agent.tasks.list().map(({ status }) => status), ['review', 'in_progress', 'pending']);
  });

  it('goes on inside itself and reports once, in input order (case 64)', async () => {
    const before = await midGroup();
    const { agent, model, recorder } = await reopen(await crash(before));
    const [group] = agent.groups();
    const spec = await agent.resumeGroup(group?.groupId ?? '');
    assert.equal(spec.groupId, group?.groupId);
    await recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');
    assert.deepEqual(statuses(agent.groups()[0]), ['A: completed', 'B: completed', 'C: completed']);
    assert.equal(agent.groups().length, 1);
    const [text = '', ...more] = await completionsIn(agent, spec.sessionId);
    assert.deepEqual(more, []);
    assert.match(text, /From A\.[\s\S]*Done: went on[\s\S]*Done: C/);
    assert.deepEqual(agent.tasks.list().map(({ status }) => status), ['review', 'review', 'review']);
    // B went on from its transcript, and C, which never ran, from its prompt.
    const children = model.requests.filter((request) => !isRoot(request));
    assert.deepEqual(children.map((request) => [promptOf(request), request.messages.length]).sort(), [['B', 3], ['C', 1]]);
    model.assertClean();
  });

  for (const [how, text] of [['a reload', /^Interrupted before it ran\. Call it again/], ['a crash', /^Interrupted: it is not known whether it ran/]] as const) {
    it(`tells a child that ${how} came while its call waited for an approval, and never that anyone cancelled it`, async () => {
      const work: ScriptedTurn = { calls: [{ name: 'Bash', input: { command: 'echo hi' } }] };
      const before = await startAgent(delegating({ A: [work] }));
      open.push(before);
      before.agent.approvals.attach();
      await (await before.agent.openSession()).send('go');
      await before.recorder.until('approval.wanted');
      const folders = how === 'a crash' ? await crash(before) : before;
      if (how === 'a reload') await before.agent.suspend();
      const { agent, model, recorder } = await reopen(folders);
      await agent.resumeGroup(agent.groups()[0]?.groupId ?? '');
      await recorder.until('group.settled');
      const [result] = toolResults(model.requests.find((request) => !isRoot(request)) as ModelRequest);
      assert.match(result?.text ?? '', text);
      assert.equal(result?.isError, true);
    });
  }

  it('waits for every interrupted child: each is resumed or cancelled, with words of its own where somebody has some', async () => {
    const before = await midGroup();
    const { agent, recorder } = await reopen(await crash(before));
    const [, b, c] = agent.groups()[0]?.children ?? [];
    await agent.resumeChild(b?.agentId ?? '', { prompt: 'Be short.' });
    await recorder.until('child.settled', ({ agentId }) => agentId === b?.agentId);
    await recorder.until('group.interrupted');
    assert.deepEqual([agent.groups()[0]?.status, statuses(agent.groups()[0])], ['interrupted', ['A: completed', 'B: completed', 'C: interrupted']]);
    assert.deepEqual(recorder.of('turn.started'), []);
    await agent.cancelChild(c?.agentId ?? '');
    await recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');
    assert.equal(agent.groups()[0]?.status, 'partial');
    assert.deepEqual(agent.tasks.list().map(({ status }) => status), ['review', 'review', 'cancelled']);
    const [text = ''] = await completionsIn(agent, agent.groups()[0]?.sessionId ?? '');
    assert.match(text, /Done: Be short\.[\s\S]*Cancelled: it did not finish/);
  });

  it('is settled by a cancel, and its results still come once', async () => {
    const before = await midGroup();
    const { agent, recorder } = await reopen(await crash(before));
    const [group] = agent.groups();
    await Promise.all([agent.cancelGroup(group?.groupId ?? ''), agent.cancelGroup(group?.groupId ?? '')]);
    await recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');
    assert.deepEqual(statuses(agent.groups()[0]), ['A: completed', 'B: cancelled', 'C: cancelled']);
    assert.equal((await completionsIn(agent, group?.sessionId ?? '')).length, 1);
    assert.deepEqual(agent.tasks.list().map(({ status }) => status), ['review', 'cancelled', 'cancelled']);
  });

  it('survives any number of restarts in which nobody touches it', async () => {
    let folders = await crash(await midGroup());
    for (let restart = 0; restart < 4; restart += 1) {
      const { agent } = await reopen(folders);
      assert.deepEqual(statuses(agent.groups()[0]), ['A: completed', 'B: interrupted', 'C: interrupted']);
      if (restart % 2 === 0) await agent.close();
      folders = await crash({ cwd: folders.cwd, storageDir: folders.storageDir });
    }
    const { agent, recorder } = await reopen(folders);
    await agent.resumeGroup(agent.groups()[0]?.groupId ?? '');
    await recorder.until('group.delivered');
  });

  it('is interrupted by a suspend: nothing is delivered, tasks stay, and it goes on later', async () => {
    const before = await midGroup();
    await before.agent.suspend();
    assert.deepEqual([before.agent.groups()[0]?.status, statuses(before.agent.groups()[0])], ['interrupted', ['A: completed', 'B: interrupted', 'C: interrupted']]);
    assert.equal(before.recorder.of('turn.started').length, 1);
    const stopped = before.agent.groups()[0]?.children[1]?.agentId ?? '';
    assert.ok((await before.agent.transcript(stopped)).every(({ type }) => type !== 'ended'), 'it has no end yet');
    const { agent, recorder, model } = await reopen(before);
    assert.deepEqual(statuses(agent.groups()[0]), ['A: completed', 'B: interrupted', 'C: interrupted']);
    assert.deepEqual(agent.tasks.list().map(({ status }) => status), ['review', 'in_progress', 'pending']);
    await agent.resumeGroup(agent.groups()[0]?.groupId ?? '');
    await recorder.until('group.delivered');
    assert.deepEqual(statuses(agent.groups()[0]), ['A: completed', 'B: completed', 'C: completed']);
    model.assertClean();
  });

  it('counts the turns from before the interruption', async () => {
    const before = await midGroup();
    const folders = await crash(before);
    const { agent, recorder } = await reopen(folders, (request) => (isRoot(request) ? answer('Noted.') : { calls: [{ name: 'Read', input: { file_path: 'a.txt' } }] }), { maxTurns: 50 });
    const b = agent.groups()[0]?.children[1];
    assert.equal(b?.maxTurns, 50);
    await agent.resumeChild(b?.agentId ?? '');
    await recorder.until('child.settled');
    assert.equal(agent.child(b?.agentId ?? '')?.outcome?.status, 'failed');
    const turns = messagesOf(await agent.transcript(b?.agentId ?? '')).filter(({ role }) => role === 'assistant');
    assert.equal(turns.length, 50);
  });

  it('goes on with a model of the present provider where its own can not be reached, and says so', async () => {
    const folders = await crash(await midGroup());
    const options = { model: { provider: 'present', model: 'p1' }, maxParallelSubagents: 5 };
    const fixture = await reopen(folders, noting, options);
    const { agent, recorder, model } = fixture;
    const [group] = agent.groups();
    const [, b, c] = group?.children ?? [];
    for (const attempt of [agent.resumeGroup(group?.groupId ?? ''), agent.resumeChild(b?.agentId ?? '')]) await assert.rejects(attempt, { reason: 'unavailable' });
    assert.equal(agent.groups()[0]?.status, 'interrupted');
    await agent.resumeChild(b?.agentId ?? '', { model: 'p2' });
    await recorder.until('child.settled', ({ agentId }) => agentId === b?.agentId);
    assert.equal(model.requests[0]?.model, 'p2');
    const told = { model: { provider: 'present', model: 'p2' }, notes: ['It runs on p2 (present); it began on m (scripted).'], status: 'completed' };
    const seen = (view: typeof b): unknown => view && { model: view.model, notes: view.notes, status: view.status };
    assert.deepEqual(seen(agent.child(b?.agentId ?? '')), told);
    await fixture.end();
    const again = await reopen(folders, noting, options);
    assert.deepEqual(seen(again.agent.child(b?.agentId ?? '')), told);
    await again.agent.resumeChild(c?.agentId ?? '', { model: 'inherit' });
    await again.recorder.until('group.delivered');
    assert.equal(again.agent.groups()[0]?.status, 'completed');
  });

  it('goes over from one that claimed it and died before it could say so', async () => {
    const before = await midGroup();
    const folders = await crash(before);
    const [host = ''] = await readdir(join(before.storageDir, 'hosts'));
    const groupId = before.agent.groups()[0]?.groupId ?? '';
    await mkdir(join(folders.storageDir, 'claims'));
    await writeFile(join(folders.storageDir, 'claims', `${groupId}.${host.replace(/\.json$/, '')}`), 'host-dead');
    const { agent, recorder } = await reopen(folders);
    assert.deepEqual([agent.groups()[0]?.status, agent.groups()[0]?.isElsewhere], ['interrupted', false]);
    await agent.resumeGroup(groupId);
    await recorder.until('group.delivered');
    await agent.close();
    assert.deepEqual(await readdir(join(folders.storageDir, 'claims')), []);
  });

  it('is named to the root as not finished', async () => {
    const before = await midGroup();
    const { agent, model } = await reopen(await crash(before));
    const session = await agent.openSession({ from: { sessionId: agent.groups()[0]?.sessionId ?? '', turnId: 't1' } });
    await session.send('How is it?');
    assert.match(model.requests[0]?.reminder ?? '', /\bB\b.*: \d of \d ended, \d interrupted/);
  });

  it('keeps every conversation well formed that a reload cut between call and result (case 74)', async () => {
    const before = await startAgent(delegating(Object.fromEntries(['A', 'B', 'C'].map((name) => [name, [{ calls: [{ name: 'Bash', input: { command: 'sleep 600' } }, { name: 'Read', input: { file_path: 'x' } }] }]]))), { permissions: { user: { allow: ['Bash'] } } });
    open.push(before);
    await (await before.agent.openSession()).send('go');
    // All three of the children, however far they are by now.
    await before.recorder.until('tool.called', () => before.recorder.of('tool.called').filter(({ agent }) => agent.kind === 'child').length >= 3);
    const folders = await crash(before);
    const { agent, model, recorder } = await reopen(folders);
    await agent.resumeGroup(agent.groups()[0]?.groupId ?? '');
    await recorder.until('group.delivered');
    model.assertClean();
    for (const { agentId } of agent.groups()[0]?.children ?? []) {
      const messages = messagesOf(await agent.transcript(agentId));
      assertWellFormed({ model: '', system: '', tools: [], signal: new AbortController().signal, messages });
      assert.match(JSON.stringify(messages), /Interrupted: it is not known/);
    }
  });

  it('moves the task of a child whose end was stored, but not what followed from it', async () => {
    const folders = await crash(await midGroup());
    const path = join(folders.storageDir, 'tasks', 'tasks.json');
    await writeFile(path, (await readFile(path, 'utf8')).replace('"status": "review"', '"status": "in_progress"'));
    const { agent, recorder } = await reopen(folders);
    const isMoved = (): boolean => agent.tasks.list()[0]?.status === 'review';
    if (!isMoved()) await recorder.until('task.changed', isMoved);
    assert.equal(agent.groups()[0]?.children[0]?.taskStatus, 'review');
  });

  it('leaves nothing running of groups that were finished (case 97)', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `N${index}`);
    const before = await startAgent(delegating(Object.fromEntries(names.map((name) => [name, [answer(name)]]))));
    open.push(before);
    await (await before.agent.openSession()).send('go');
    await before.recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');
    const views = before.agent.groups();
    await before.agent.close();
    const { agent, recorder } = await reopen(before);
    assert.deepEqual(agent.groups(), views);
    assert.equal(agent.groups().flatMap(({ children }) => children).filter(({ status }) => status === 'running' || status === 'queued').length, 0);
    assert.deepEqual(recorder.events, []);
  });
});
