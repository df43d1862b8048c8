import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { deferred } from '../../../src/runtime/base/async.ts';
import type { GroupView } from '../../../src/runtime/domain/agents.ts';
import type { RuntimeEvent } from '../../../src/runtime/domain/events.ts';
import { parseJsonl } from '../../../src/runtime/store/jsonl.ts';
import { isRoot, lastUserText, reopenAgent, startAgent, type AgentFixture } from '../../support/agentFixture.ts';
import { completionsIn } from '../../support/crash.ts';
import type { Script } from '../../support/scriptedModel.ts';

describe('windows on one storage folder', () => {
  const open: AgentFixture[] = [];
  const hold = (): { readonly script: Script; readonly release: () => void } => {
    const held = deferred<void>();
    return { script: (request) => (isRoot(request) ? { text: 'Noted.' } : { text: `Did: ${lastUserText(request)}`, wait: held.promise }), release: () => held.resolve() };
  };
  const answering: Script = (request) => ({ text: isRoot(request) ? 'Noted.' : `Did: ${lastUserText(request) ?? 'went on'}` });

  afterEach(async () => {
    for (const fixture of open.splice(0).reverse()) await fixture.end();
  });

  async function first(script: Script): Promise<AgentFixture> {
    const fixture = await startAgent(script, { beatMs: 15 });
    open.push(fixture);
    return fixture;
  }

  async function another(fixture: AgentFixture, script: Script = answering): Promise<AgentFixture> {
    const other = await reopenAgent(fixture, script, { beatMs: 15 });
    open.push(other);
    return other;
  }

  /** Resolves when the window sees the group so. */
  async function seen({ agent }: AgentFixture, groupId: string, accepts: (group: GroupView) => boolean): Promise<GroupView> {
    return new Promise((resolve) => {
      const check = (): boolean => {
        const group = agent.group(groupId);
        if (!group || !accepts(group)) return false;
        resolve(group);
        return true;
      };
      if (check()) return;
      const listening = agent.subscribe(() => {
        if (check()) listening.dispose();
      });
    });
  }

  async function logOf({ storageDir }: AgentFixture, groupId: string): Promise<readonly RuntimeEvent[]> {
    return parseJsonl<RuntimeEvent>(await readFile(join(storageDir, 'groups', `${groupId}.jsonl`), 'utf8'));
  }

  it('see each other’s groups as they go, only to look at, and theirs to go on with once they are done', async () => {
    const { script, release } = hold();
    const one = await first(script);
    const two = await another(one);
    const group = await (await one.agent.openSession()).delegate([{ display_name: 'A', prompt: 'a' }]);
    const view = await seen(two, group.groupId, ({ children }) => children[0]?.status === 'running');
    assert.equal(view.isElsewhere, true);
    assert.equal(one.agent.group(group.groupId)?.isElsewhere, false);
    const agentId = group.children[0]?.agentId ?? '';
    await assert.rejects(two.agent.cancelGroup(group.groupId), { reason: 'conflict' });
    await assert.rejects(two.agent.resumeChild(agentId), { reason: 'conflict' });
    release();
    const done = await seen(two, group.groupId, ({ isElsewhere }) => !isElsewhere);
    assert.equal(done.status, 'completed');
    await one.recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');

    const round = await two.agent.resumeChild(agentId, { prompt: 'again' });
    await seen(one, group.groupId, ({ children }) => children[0]?.round === 2);
    await two.recorder.until('group.delivered', ({ groupId }) => groupId === round.groupId);
    await seen(one, group.groupId, ({ children }) => children[0]?.status === 'completed' && children[0].round === 2);
    // No event of a run was told by the window that did not run it.
    assert.deepEqual(two.recorder.of('child.started').map(({ groupId }) => groupId), [round.groupId]);
    for (const id of [group.groupId, round.groupId]) assert.equal((await logOf(one, id)).filter(({ type }) => type === 'group.settled').length, 1);
  });

  it('start a further round of one child in one of them only', async () => {
    let held = deferred<void>();
    held.resolve();
    const script: Script = (request) => (isRoot(request) ? { text: 'Noted.' } : { text: 'Done.', wait: held.promise });
    const one = await first(script);
    const group = await (await one.agent.openSession()).delegate([{ display_name: 'A', prompt: 'a' }]);
    await one.recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');
    const two = await another(one, script);
    const agentId = group.children[0]?.agentId ?? '';
    for (let round = 2; round < 6; round += 1) {
      held = deferred<void>();
      const tries = await Promise.allSettled([one, two].map(({ agent }) => agent.resumeChild(agentId, { prompt: `round ${round}` })));
      const [spec, ...more] = tries.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      assert.ok(spec && more.length === 0, JSON.stringify(tries));
      assert.equal(spec.children[0]?.round, round);
      for (const result of tries) if (result.status === 'rejected') assert.equal((result.reason as { readonly reason: string }).reason, 'conflict');
      held.resolve();
      for (const window of [one, two]) await seen(window, group.groupId, ({ status, children }) => status === 'completed' && children[0]?.round === round && window.agent.group(spec.groupId)?.isElsewhere === false);
    }
    const transcript = await one.agent.transcript(agentId);
    assert.deepEqual(transcript.flatMap((entry) => (entry.type === 'resumed' ? [entry.spec.round] : [])), [2, 3, 4, 5]);
  });

  it('take over what a third one left, one of them, and it reports once', async () => {
    const one = await first(hold().script);
    const group = await (await one.agent.openSession()).delegate([{ display_name: 'A', prompt: 'a' }, { display_name: 'B', prompt: 'b' }]);
    await one.recorder.until('child.started', () => one.recorder.of('child.started').length === 2);
    const heirs = await Promise.all([another(one), another(one), another(one)]);
    for (const heir of heirs) await seen(heir, group.groupId, ({ isElsewhere }) => isElsewhere);
    await one.agent.suspend();
    const owner = await Promise.race(heirs.map(async (heir) => {
      await seen(heir, group.groupId, ({ isElsewhere, status }) => !isElsewhere && status === 'interrupted');
      return heir;
    }));
    const others = heirs.filter((heir) => heir !== owner);
    for (const other of others) {
      await seen(other, group.groupId, ({ status }) => status === 'interrupted');
      await assert.rejects(other.agent.resumeGroup(group.groupId), { reason: 'conflict' });
    }
    await owner.agent.resumeGroup(group.groupId);
    await owner.recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');
    for (const other of others) await seen(other, group.groupId, ({ status, isElsewhere }) => status === 'completed' && !isElsewhere);
    assert.equal((await completionsIn(owner.agent, group.sessionId)).length, 1);
    const log = await logOf(one, group.groupId);
    for (const type of ['group.settled', 'group.delivered', 'group.resumed']) assert.equal(log.filter((event) => event.type === type).length, 1, type);
    assert.equal(log.filter((event) => event.type === 'child.interrupted').length, 2);
    for (const { recorder } of [one, ...heirs]) assert.deepEqual(recorder.of('problem'), []);
  });

  it('remind their roots of the tasks that are open in the others, as they stand at each turn', async () => {
    const { script, release } = hold();
    const one = await first(script);
    const two = await another(one);
    await (await one.agent.openSession()).delegate([{ display_name: 'A', prompt: 'a' }]);
    await one.recorder.until('task.changed', ({ task }) => task.status === 'in_progress');
    const session = await two.agent.openSession();
    await session.send('How far?');
    release();
    await one.recorder.until('task.changed', ({ task }) => task.status === 'review');
    await session.send('And now?');
    const [task] = one.agent.tasks.list();
    await one.agent.tasks.accept(task?.id ?? '');
    await session.send('And now?');
    const told = two.model.requests.map(({ reminder }) => /^- task.*$/m.exec(reminder ?? '')?.[0]);
    assert.deepEqual(told.map((line) => /\((\w+)\) "A"/.exec(line ?? '')?.[1]), ['in_progress', 'review', undefined]);
    // It knows nothing of their results, whose group is another conversation's.
    for (const { reminder } of two.model.requests) assert.doesNotMatch(reminder ?? '', /- bg_/);
  });

  it('see each other’s tasks: those of subagents as they go, and any other as soon as somebody looks', async () => {
    const { script, release } = hold();
    const one = await first(script);
    const two = await another(one);
    const { children } = await (await one.agent.openSession()).delegate([{ display_name: 'A', prompt: 'a' }]);
    const id = children[0]?.taskId;
    await two.recorder.until('task.changed', ({ task }) => task.id === id && task.status === 'in_progress');
    release();
    await two.recorder.until('task.changed', ({ task }) => task.id === id && task.status === 'review');
    await one.agent.tasks.accept(id ?? '');
    await two.agent.tasks.refresh();
    assert.deepEqual(two.agent.tasks.list(), one.agent.tasks.list());
    assert.deepEqual(two.recorder.of('task.changed').map(({ task }) => task.status).at(-1), 'completed');
  });
});
