import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { changes, startReviewing, write, type ReviewFixture } from '../../support/reviewFixture.ts';

/** A command of which nobody can tell what it changes, since there is no git. */
const UNSEEN = { calls: [{ name: 'Bash', input: { command: '/bin/mkdir -p unseen' } }] };

describe('a child that may have changed more than is known', () => {
  const open: ReviewFixture[] = [];
  afterEach(async () => {
    for (const fixture of open.splice(0).reverse()) await fixture.end();
  });

  async function reviewed(): Promise<{ fixture: ReviewFixture; agentId: string }> {
    const fixture = await startReviewing({ A: [UNSEEN, ...changes(write('f.txt', 'f'), write('g.txt', 'g'))] }, { env: { PATH: '/nowhere' } });
    open.push(fixture);
    const [a] = await fixture.run('A');
    const agentId = a?.agentId ?? '';
    assert.deepEqual([fixture.child(agentId).unrecorded, fixture.child(agentId).notes?.length], [true, 1]);
    return { fixture, agentId };
  }

  it('stays in review when all that is known is undone, until it is accepted as a whole', async () => {
    const { fixture, agentId } = await reviewed();
    assert.equal((await fixture.agent.reviews.undo(agentId)).undone.length, 2);
    assert.equal(fixture.child(agentId).taskStatus, 'review');
    await fixture.agent.reviews.accept(agentId);
    assert.deepEqual([fixture.child(agentId).taskStatus, fixture.child(agentId).unrecorded], ['completed', undefined]);
  });

  it('stays in review when each file is accepted, also where the storage is opened anew', async () => {
    const { fixture, agentId } = await reviewed();
    await fixture.agent.reviews.accept(agentId, { path: fixture.path('f.txt') });
    await fixture.agent.close();
    const next = await fixture.again();
    open.push(next);
    await next.agent.reviews.accept(agentId, { path: next.path('g.txt') });
    assert.equal(next.child(agentId).taskStatus, 'review');
    await next.agent.reviews.accept(agentId);
    assert.equal(next.child(agentId).taskStatus, 'completed');
  });
});
