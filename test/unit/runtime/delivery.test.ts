import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import type { RuntimeEvent } from '../../../src/runtime/domain/events.ts';
import { delegating, reopenAgent, startAgent, type AgentFixture } from '../../support/agentFixture.ts';
import { completionsIn, cutBefore, storageStates, type Folders } from '../../support/crash.ts';

describe('the completion of a group', () => {
  const open: { end(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const fixture of open.splice(0).reverse()) await fixture.end();
  });

  async function start(): Promise<AgentFixture> {
    const fixture = await startAgent(delegating({ A: [{ text: 'From A.' }], B: [{ text: 'From B.' }] }));
    open.push(fixture);
    return fixture;
  }

  async function reopen(folders: Folders): Promise<AgentFixture> {
    const fixture = await reopenAgent(folders, () => ({ text: 'Understood.' }));
    open.push(fixture);
    return fixture;
  }

  /** The states of the storage, from that event on to the end of the completion turn. */
  async function copies(fixture: AgentFixture, from: RuntimeEvent['type']): Promise<readonly Folders[]> {
    const { states, remove } = await storageStates(fixture, from, async () => {
      await (await fixture.agent.openSession()).send('go', { turnId: 't1' });
      await fixture.recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');
      await fixture.agent.close();
    });
    open.push({ end: remove });
    return states;
  }

  it('stands in its conversation exactly once, wherever a crash came between the end and the delivery', async function () {
    this.timeout(60_000);
    let redelivered = 0;
    for (const folders of await copies(await start(), 'child.settled')) {
      const { agent, recorder, model, ...rest } = await reopen(folders);
      const [group] = agent.groups();
      assert.ok(group);
      if (group.status === 'interrupted') await agent.resumeGroup(group.groupId);
      const seen = (await completionsIn(agent, group.sessionId)).length;
      // What is delivered already is known without an event.
      if (seen === 0) {
        redelivered += 1;
        await recorder.until('group.delivered');
      }
      await rest.end();
      assert.equal((await completionsIn(agent, group.sessionId)).length, 1);
      model.assertClean();
      // And at the start after that there is nothing left to do.
      const later = await reopen(folders);
      assert.equal(later.agent.groups()[0]?.settledAt !== undefined, true);
      await later.end();
      assert.deepEqual(later.model.requests, []);
    }
    assert.notEqual(redelivered, 0, 'no copy was made before the delivery');
  });

  for (const [isThere, name] of [[true, 'is only marked where the conversation has it'], [false, 'is delivered where the conversation has not']] as const) {
    it(`${name}, after a crash before that was written`, async () => {
      const fixture = await start();
      await copies(fixture, 'group.settled');
      const [group] = fixture.agent.groups();
      assert.ok(group);
      // The folders as such a crash leaves them.
      const log = join(fixture.storageDir, 'groups', `${group.groupId}.jsonl`);
      await cutBefore(log, '"type":"group.delivered"');
      await rm(log.replace('.jsonl', '.view.json'));
      if (!isThere) await cutBefore(join(fixture.storageDir, 'transcripts', `${group.sessionId}.jsonl`), '"source":"completion"');
      const { agent, recorder, model } = await reopen(fixture);
      await recorder.until('group.delivered');
      if (!isThere) await recorder.until('turn.ended');
      await agent.close();
      assert.equal((await completionsIn(agent, group.sessionId)).length, 1);
      assert.equal(model.requests.length, isThere ? 0 : 1);
      assert.equal(agent.group(group.groupId)?.status, 'completed');
    });
  }

  it('stays in the panel where the conversation is gone, and is told once', async () => {
    const fixture = await start();
    const [folders] = await copies(fixture, 'group.settled');
    assert.ok(folders);
    const sessionId = fixture.agent.groups()[0]?.sessionId ?? '';
    await rm(join(folders.storageDir, 'transcripts', `${sessionId}.jsonl`));
    const { agent, recorder } = await reopen(folders);
    const { message } = await recorder.until('problem');
    assert.match(message, /can be read in the panel/);
    await agent.close();
    assert.equal(agent.groups()[0]?.status, 'completed');
    const later = await reopen(folders);
    await later.end();
    assert.deepEqual(later.recorder.of('problem'), []);
  });

  it('can be read by a chat that was closed when it came', async () => {
    const fixture = await start();
    const session = await fixture.agent.openSession();
    await session.send('go', { turnId: 't1' });
    const { turnId, cause } = await fixture.recorder.until('turn.ended', (event) => event.cause.kind === 'completion');
    await fixture.agent.close();
    const { agent } = await reopen(fixture);
    const again = await agent.openSession({ from: { sessionId: session.sessionId, turnId: 't1' } });
    assert.equal(again.sessionId, session.sessionId);
    assert.ok(cause.kind === 'completion');
    assert.deepEqual(await again.ownTurnsAfter('t1'), [{ turnId, cause, text: 'Understood.' }]);
    assert.deepEqual(await again.ownTurnsAfter(turnId), []);
    assert.deepEqual(await again.ownTurnsAfter('t9'), []);
    await again.send('more', { turnId: 't2' });
    assert.equal((await again.ownTurnsAfter('t1')).length, 1);
    assert.deepEqual(await again.ownTurnsAfter('t2'), []);
  });
});
