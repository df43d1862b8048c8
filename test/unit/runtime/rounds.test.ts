import assert from 'node:assert/strict';
import { rm, writeFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { deferred } from '../../../src/runtime/base/async.ts';
import type { ChildView } from '../../../src/runtime/domain/agents.ts';
import type { ModelRequest } from '../../../src/runtime/domain/models.ts';
import { isRoot, lastUserText, promptOf, reopenAgent, startAgent, toolResults, type AgentFixture } from '../../support/agentFixture.ts';
import { completionsIn } from '../../support/crash.ts';
import { ScriptedModel, type Script, type ScriptedTurn } from '../../support/scriptedModel.ts';

/** A child does what its last message says: `fail`, `hang`, `write`, or an answer that repeats it. */
function obey(request: ModelRequest): ScriptedTurn {
  if (toolResults(request).length > 0) return { text: 'Written.' };
  const text = lastUserText(request) ?? '';
  if (text.startsWith('fail')) return { stop: 'error', error: { failure: 'bad_request', message: 'No.' } };
  if (text.startsWith('hang')) return { wait: deferred().promise };
  if (text.startsWith('write')) return { calls: [{ name: 'Write', input: { file_path: 'a.txt', content: text } }] };
  return { text: `Did: ${text}` };
}
const script: Script = (request) => (isRoot(request) ? { text: 'Noted.' } : obey(request));

describe('a further round of a settled child', () => {
  const open: AgentFixture[] = [];
  afterEach(async () => {
    for (const fixture of open.splice(0).reverse()) await fixture.end();
  });

  async function start(options: Parameters<typeof startAgent>[1] = {}): Promise<AgentFixture> {
    const fixture = await startAgent(script, options);
    open.push(fixture);
    return fixture;
  }

  async function reopen(fixture: AgentFixture, options: Parameters<typeof reopenAgent>[2] = {}): Promise<AgentFixture> {
    const again = await reopenAgent(fixture, script, options);
    open.push(again);
    return again;
  }

  /** Delegates these prompts and waits until the group has been delivered. */
  async function run(fixture: AgentFixture, prompts: readonly string[], more: object = {}): Promise<readonly ChildView[]> {
    const session = await fixture.agent.openSession();
    const group = await session.delegate(prompts.map((prompt) => ({ display_name: prompt, prompt, ...more })));
    await delivered(fixture, group.groupId);
    return fixture.agent.group(group.groupId)?.children ?? [];
  }

  async function delivered({ recorder }: AgentFixture, groupId: string): Promise<void> {
    await recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion' && cause.groupId === groupId);
  }

  function child(fixture: AgentFixture, { agentId }: ChildView): ChildView {
    const view = fixture.agent.child(agentId);
    assert.ok(view);
    return view;
  }

  it('knows its whole conversation, reports as a group of its own, and stays on its row, round after round', async () => {
    const fixture = await start();
    const { agent, recorder, model } = fixture;
    const [a] = await run(fixture, ['one', 'other']);
    assert.ok(a);
    for (const [index, prompt] of ['two', 'three'].entries()) {
      const group = await agent.resumeChild(a.agentId, { prompt });
      await delivered(fixture, group.groupId);
      assert.notEqual(group.groupId, a.groupId);
      assert.deepEqual(group.children.map(({ agentId, round, prompt: said, displayName }) => [agentId, round, said, displayName]), [[a.agentId, index + 2, prompt, 'one']]);
      const view = child(fixture, a);
      assert.deepEqual([view.round, view.groupId, view.roundGroupId, view.status, view.turns], [index + 2, a.groupId, group.groupId, 'completed', index + 2]);
      assert.deepEqual([agent.group(group.groupId)?.isRound, agent.group(group.groupId)?.status], [true, 'completed']);
      assert.equal(agent.group(a.groupId)?.children[0], view);
    }
    const last = model.requests.filter((request) => !isRoot(request)).at(-1);
    assert.deepEqual(last?.messages.map(({ role }) => role), ['user', 'assistant', 'user', 'assistant', 'user']);
    assert.equal(last && promptOf(last), 'one');
    const texts = await completionsIn(agent, a.sessionId);
    assert.deepEqual(texts.map((text) => /Did: (\w+)/.exec(text)?.[1]), ['one', 'two', 'three']);
    assert.equal(recorder.of('group.settled').length, 3);
    model.assertClean();
  });

  it('comes back as it was, on its row, after a restart', async () => {
    const fixture = await start();
    const [a] = await run(fixture, ['one']);
    assert.ok(a);
    await delivered(fixture, (await fixture.agent.resumeChild(a.agentId, { prompt: 'fail' })).groupId);
    await fixture.agent.close();
    const views = fixture.agent.groups();
    const again = await reopen(fixture);
    assert.deepEqual(again.agent.groups(), views);
    assert.deepEqual(again.agent.groups().map(({ status, isRound }) => [status, isRound]), [['failed', false], ['failed', true]]);
    const third = await again.agent.resumeChild(a.agentId, { prompt: 'three' });
    assert.equal(third.children[0]?.round, 3);
    await delivered(again, third.groupId);
    assert.equal(again.agent.group(a.groupId)?.status, 'completed');
  });

  it('shows on the row of its group what it does now', async () => {
    const fixture = await start();
    const [a, b] = await run(fixture, ['one', 'two']);
    assert.ok(a && b);
    const group = await fixture.agent.resumeChild(a.agentId, { prompt: 'hang' });
    await fixture.recorder.until('child.started', ({ groupId }) => groupId === group.groupId);
    assert.equal(fixture.agent.group(a.groupId)?.status, 'running');
    // Cancelling the row cancels what it shows.
    await fixture.agent.cancelGroup(a.groupId);
    assert.deepEqual([fixture.agent.group(a.groupId)?.status, child(fixture, a).status, child(fixture, b).status], ['partial', 'cancelled', 'completed']);
  });

  it('is interrupted with its window and goes on in its own group, on its row', async () => {
    const fixture = await start();
    const [a] = await run(fixture, ['one']);
    assert.ok(a);
    const round = await fixture.agent.resumeChild(a.agentId, { prompt: 'hang on' });
    await fixture.recorder.until('child.started', ({ groupId }) => groupId === round.groupId);
    await fixture.agent.suspend();
    const again = await reopen(fixture);
    assert.deepEqual(again.agent.groups().map(({ status }) => status), ['interrupted', 'interrupted']);
    // The row names the home group.
    const spec = await again.agent.resumeGroup(a.groupId);
    assert.equal(spec.groupId, round.groupId);
    await again.recorder.until('child.started');
    await again.agent.cancelChild(a.agentId);
    await delivered(again, round.groupId);
    assert.deepEqual(again.agent.groups().map(({ status }) => status), ['cancelled', 'cancelled']);
  });

  it('asks for approval as that child, after its group was cancelled (case 2)', async () => {
    const fixture = await start();
    fixture.agent.approvals.attach();
    const session = await fixture.agent.openSession();
    const group = await session.delegate([{ display_name: 'A', prompt: 'hang' }, { display_name: 'B', prompt: 'hang too' }]);
    await fixture.recorder.until('child.started', () => fixture.recorder.of('child.started').length === 2);
    await fixture.agent.cancelGroup(group.groupId);
    await delivered(fixture, group.groupId);
    const [a] = group.children;
    const round = await fixture.agent.resumeChild(a?.agentId ?? '', { prompt: 'write it' });
    const { request } = await fixture.recorder.until('approval.wanted');
    assert.deepEqual(request.agent, { kind: 'child', sessionId: group.sessionId, groupId: round.groupId, agentId: a?.agentId, displayName: 'A' });
    assert.deepEqual(fixture.agent.child(a?.agentId ?? '')?.approvals, [request.id]);
    assert.deepEqual(fixture.agent.approvals.pending(), [request]);
    await fixture.agent.approvals.decide(request.id, { kind: 'allow_once' });
    await delivered(fixture, round.groupId);
    assert.equal(fixture.agent.child(a?.agentId ?? '')?.status, 'completed');
  });

  it('says how the last run ended where nobody says anything', async () => {
    const fixture = await start();
    const [failed, done] = await run(fixture, ['fail', 'one']);
    for (const [view, words] of [[failed, /failed before it was done: .*No\. Finish/], [done, /has ended\. Finish/]] as const) {
      const { children } = await fixture.agent.resumeChild(view?.agentId ?? '');
      assert.match(children[0]?.prompt ?? '', words);
    }
  });

  it('takes its tracked task up again, wherever it stood, and leaves it at review, failed or cancelled', async () => {
    const fixture = await start({ tasks: true, maxParallelSubagents: 1 });
    const { agent } = fixture;
    const [reviewed, failed, accepted] = await run(fixture, ['one', 'fail', 'three']);
    assert.ok(reviewed && failed && accepted);
    await agent.tasks.accept(accepted.taskId ?? '');
    const history = ({ taskId }: ChildView): string => agent.tasks.list().find(({ id }) => id === taskId)?.history.map(({ to }) => to).join(' ') ?? '';
    for (const [view, prompt] of [[reviewed, 'again'], [failed, 'better'], [accepted, 'fail']] as const) await delivered(fixture, (await agent.resumeChild(view.agentId, { prompt })).groupId);
    assert.equal(history(reviewed), 'pending in_progress review in_progress review');
    assert.equal(history(failed), 'pending in_progress failed in_progress review');
    assert.equal(history(accepted), 'pending in_progress review completed in_progress failed');
    // Cancelled in its work, and cancelled before it began: then its task is as it was.
    const [working, waiting] = [await agent.resumeChild(accepted.agentId, { prompt: 'hang' }), await agent.resumeChild(reviewed.agentId, { prompt: 'never' })];
    await fixture.recorder.until('child.started', ({ groupId }) => groupId === working.groupId);
    await Promise.all([agent.cancelGroup(waiting.groupId), agent.cancelGroup(working.groupId)]);
    assert.match(history(accepted), /failed in_progress cancelled$/);
    assert.match(history(reviewed), /in_progress review$/);
    assert.equal(agent.tasks.list().length, 3);
    assert.deepEqual(fixture.recorder.of('problem'), []);
  });

  it('gets a new task where the list was emptied meanwhile', async () => {
    const fixture = await start();
    const [a] = await run(fixture, ['one']);
    await writeFile(join(fixture.storageDir, 'tasks', 'tasks.json'), '{"version":1,"tasks":[]}');
    const { groupId, children } = await fixture.agent.resumeChild(a?.agentId ?? '', { prompt: 'two' });
    await delivered(fixture, groupId);
    assert.deepEqual(fixture.agent.tasks.list().map(({ id, status }) => [id, status]), [[children[0]?.taskId, 'review']]);
    assert.deepEqual(fixture.recorder.of('problem'), []);
  });

  it('stays on its model when the present one has changed, also after a reload, and says so where it moves (case 52)', async () => {
    const fixture = await start();
    const [a] = await run(fixture, ['one'], { model: 'special' });
    assert.ok(a);
    await fixture.agent.close();
    const again = await reopen(fixture, { model: { provider: 'scripted', model: 'newer' } });
    const { groupId, children } = await again.agent.resumeChild(a.agentId, { prompt: 'two' });
    await delivered(again, groupId);
    assert.equal(children[0]?.model.model, 'special');
    assert.deepEqual(again.model.requests.filter((request) => !isRoot(request)).map(({ model }) => model), ['special']);
    assert.equal(children[0]?.notes, undefined);
    const moved = await again.agent.resumeChild(a.agentId, { prompt: 'three', model: 'inherit' });
    await delivered(again, moved.groupId);
    assert.deepEqual([moved.children[0]?.model.model, moved.children[0]?.notes], ['newer', ['It runs on newer (scripted); it began on special (scripted).']]);
  });

  it('goes on with another provider and back, every request well formed', async () => {
    const other = new ScriptedModel((request) => obey(request));
    const options = { permissions: { user: { allow: ['Edit'] } } };
    const fixture = await start(options);
    const [a] = await run(fixture, ['write first']);
    assert.ok(a);
    await fixture.agent.close();

    const moved = { provider: 'elsewhere', model: 'e1' };
    const second = await reopen(fixture, { ...options, provider: other, model: moved });
    await assert.rejects(second.agent.resumeChild(a.agentId), (error: Error) => /scripted can't be reached any more.*name a model/.test(error.message));
    await assert.rejects(second.agent.resumeChild(a.agentId), { reason: 'unavailable' });
    // The root is on the other provider as well.
    const round = await second.agent.resumeChild(a.agentId, { prompt: 'write second', model: 'e1' });
    await delivered(second, round.groupId);
    assert.deepEqual(round.children[0]?.model, moved);
    assert.equal(other.requests.filter((request) => promptOf(request) === 'write first').length, 2);
    await second.agent.close();

    const third = await reopen(fixture, { ...options, providerFor: ({ provider }) => (provider === 'elsewhere' ? other : undefined) });
    const back = await third.agent.resumeChild(a.agentId, { prompt: 'write third', model: 'm' });
    await delivered(third, back.groupId);
    // And where both can be reached, it stays where it is.
    const stays = await third.agent.resumeChild(a.agentId, { prompt: 'four' });
    await delivered(third, stays.groupId);
    assert.deepEqual([back.children[0]?.model.provider, stays.children[0]?.model.provider], ['scripted', 'scripted']);
    assert.equal(third.model.requests.filter((request) => !isRoot(request)).at(-1)?.messages.length, 13);
    for (const model of [fixture.model, other, third.model]) model.assertClean();
  });

  it('keeps its definition and tools, with the permission rules of then and of now, and notes what has changed', async () => {
    const folder = join((await start()).cwd, 'agents');
    await mkdir(folder);
    const write = (frontmatter: string, body: string): Promise<void> => writeFile(join(folder, 'writer.md'), `---\nname: writer\ndescription: Writes\n${frontmatter}\n---\n${body}\n`);
    await write('tools: [Read, Write, Bash]\nmaxTurns: 7', 'You write.');
    const options = { agents: { project: folder }, permissions: { user: { allow: ['Edit'] } } };
    const fixture = await start(options);
    const [a] = await run(fixture, ['write one'], { subagent_type: 'writer' });
    assert.ok(a);
    assert.equal(a.outcome?.status, 'completed');
    await fixture.agent.close();
    await write('tools: [Read]\npermission:\n  deny: [Edit]', 'You read only.');
    const again = await reopen(fixture, { ...options, shell: false });
    const round = await again.agent.resumeChild(a.agentId, { prompt: 'write two' });
    await delivered(again, round.groupId);
    const request = again.model.requests.find((each) => !isRoot(each));
    assert.match(request?.system ?? '', /^You write\./);
    assert.deepEqual(request?.tools.map(({ name }) => name), ['Read', 'Write']);
    assert.equal(round.children[0]?.maxTurns, 7);
    assert.equal(again.recorder.of('tool.ended')[0]?.isDenied, true);
    assert.deepEqual(round.children[0]?.notes, ["Tools that it had and that aren't there any more: Bash, BashOutput, KillBackground.", 'The definition writer has changed; it keeps the one that it began with, and the permission rules of both count.']);
    await rm(join(folder, 'writer.md'));
    await again.agent.definitions.reload();
    const third = await again.agent.resumeChild(a.agentId, { prompt: 'write three' });
    await delivered(again, third.groupId);
    assert.ok(third.children[0]?.notes?.includes('The definition writer is gone; it keeps the one that it began with.'));
    assert.equal(again.agent.child(a.agentId)?.denials, 0, 'what has gone forbids nothing');
  });

  it('is started by the model through the Agent tool, beside fresh tasks', async () => {
    const calls: object[] = [];
    const fixture = await startAgent((request) => {
      if (!isRoot(request)) return obey(request);
      return lastUserText(request) === 'again' ? { calls: [{ name: 'Agent', input: { tasks: calls } }] } : { text: 'Noted.' };
    });
    open.push(fixture);
    const [a] = await run(fixture, ['one']);
    calls.push({ display_name: 'Second pass', prompt: 'two', resume: a?.agentId }, { display_name: 'New', prompt: 'three' });
    const session = await fixture.agent.openSession();
    await session.send('again');
    const group = fixture.agent.groups().at(-1);
    await delivered(fixture, group?.groupId ?? '');
    assert.deepEqual(fixture.agent.group(group?.groupId ?? '')?.children.map(({ displayName, round, status }) => [displayName, round, status]), [['one', 2, 'completed'], ['New', 1, 'completed']]);
    assert.equal(group?.isRound, false);
    assert.equal(fixture.agent.group(a?.groupId ?? '')?.children[0]?.round, 2);
    fixture.model.assertClean();
  });

  it('starts nothing where a task asks for what can not go on, and says all that is wrong', async () => {
    const fixture = await start();
    const session = await fixture.agent.openSession();
    const [done] = await run(fixture, ['one']);
    const running = await session.delegate([{ display_name: 'R', prompt: 'hang' }]);
    await fixture.recorder.until('child.started', ({ groupId }) => groupId === running.groupId);
    const ids = [done?.agentId, done?.agentId, running.children[0]?.agentId, 'agent-none-1', '../../etc'] as const;
    const more = [{ subagent_type: 'Explore' }, { task_id: 'task-x' }, {}, {}, {}];
    const tasks = ids.map((resume, index) => ({ display_name: `T${index}`, prompt: 'p', ...(resume !== undefined && { resume }), ...more[index] }));
    await assert.rejects(session.delegate(tasks), (error: Error) => {
      for (const words of [/"T0"\), subagent_type: .*is a general-purpose and stays one/, /"T1"\), task_id: .*keeps its task/, /"T1"\), resume: is continued by task 1/, /"T2"\), resume: .* is still running/, /"T3"\), resume: there is no subagent "agent-none-1"/, /"T4"\), resume: there is no subagent/]) assert.match(error.message, words);
      return true;
    });
    assert.equal(fixture.agent.groups().length, 2);
    await assert.rejects(fixture.agent.resumeChild('agent-none-1'), { reason: 'not_found' });
    await assert.rejects(fixture.agent.resumeChild(running.children[0]?.agentId ?? ''), { reason: 'conflict' });
    await assert.rejects(fixture.agent.resumeGroup('bg_none'), { reason: 'not_found' });
    await assert.rejects(fixture.agent.resumeGroup(done?.groupId ?? ''), { reason: 'conflict' });
    await fixture.agent.suspend();
    const again = await reopen(fixture);
    const later = await again.agent.openSession();
    await assert.rejects(later.delegate([{ display_name: 'X', prompt: 'p', resume: running.children[0]?.agentId ?? '' }]), (error: Error) => /was interrupted and goes on inside its group: the user resumes it in the panel/.test(error.message));
    await rm(join(fixture.storageDir, 'transcripts', `${done?.agentId ?? ''}.jsonl`));
    await assert.rejects(again.agent.resumeChild(done?.agentId ?? ''), { reason: 'not_found' });
  });
});
