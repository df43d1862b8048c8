import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { SYSTEM_CLOCK, type Clock } from '../../../src/runtime/base/clock.ts';
import { deferred } from '../../../src/runtime/base/async.ts';
import { isRoot, lastUserText, reopenAgent, startAgent } from '../../support/agentFixture.ts';
import { crashed } from '../../support/crash.ts';

describe('a second round that was accepted "before" its first, because the clock was set back', () => {
  const open: { end(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.end();
  });

  async function secondRound(): Promise<{ cwd: string; storageDir: string; agentId: string }> {
    let shift = 0;
    const clock: Clock = { ...SYSTEM_CLOCK, now: () => SYSTEM_CLOCK.now() + shift };
    const held = deferred<void>();
    const fixture = await startAgent((request) => (isRoot(request) ? { text: 'Noted.' } : { text: 'Done.', ...(lastUserText(request) === 'again' && { wait: held.promise }) }), { timing: { clock } });
    open.push({
      async end() {
        held.resolve();
        await fixture.end();
      },
    });
    const group = await (await fixture.agent.openSession()).delegate([{ display_name: 'A', prompt: 'a' }]);
    await fixture.recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');
    const agentId = group.children[0]?.agentId ?? '';
    shift = -3_600_000;
    await fixture.agent.resumeChild(agentId, { prompt: 'again' });
    await fixture.recorder.until('child.started', () => fixture.recorder.of('child.started').length === 2);
    const copy = await crashed(fixture);
    // As a crash right after the delivery, or a full disk, leaves it: the first group has its log only.
    for (const name of await readdir(join(copy.storageDir, 'groups'))) if (name.endsWith('.view.json')) await rm(join(copy.storageDir, 'groups', name));
    open.push({ end: () => copy.remove() });
    return { cwd: fixture.cwd, storageDir: copy.storageDir, agentId };
  }

  it('comes back interrupted in its second round, and can go on', async () => {
    const state = await secondRound();
    const next = await reopenAgent(state, (request) => ({ text: isRoot(request) ? 'Noted.' : 'Went on.' }));
    open.push(next);
    const child = next.agent.child(state.agentId);
    assert.deepEqual([child?.round, child?.status], [2, 'interrupted']);
    await next.agent.resumeChild(state.agentId);
    await next.recorder.until('child.settled', ({ agentId }) => agentId === state.agentId);
  });
});
