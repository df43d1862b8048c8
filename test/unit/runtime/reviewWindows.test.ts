import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { deferred } from '../../../src/runtime/base/async.ts';
import { edits, startReviewing, type ReviewFixture } from '../../support/reviewFixture.ts';
import type { ScriptedTurn } from '../../support/scriptedModel.ts';

const BEFORE = 'one\ntwo\nthree\nfour\nfive\nsix\n';

describe('reviews in two windows on one storage', () => {
  const open: ReviewFixture[] = [];
  afterEach(async () => {
    for (const fixture of open.splice(0).reverse()) await fixture.end();
  });

  /** Two windows, of which the first has run a child that changed two lines. */
  async function windows(...more: readonly ScriptedTurn[]): Promise<{ one: ReviewFixture; two: ReviewFixture; agentId: string; path: string }> {
    const one = await startReviewing({ A: [...edits('f.txt', ['two\n', 'TWO\n'], ['five\n', 'FIVE\n']), ...more] }, { workspace: { 'f.txt': BEFORE }, beatMs: 20 });
    open.push(one);
    const [a] = await one.run('A');
    const two = await one.again();
    open.push(two);
    return { one, two, agentId: a?.agentId ?? '', path: one.path('f.txt') };
  }

  it('see what the other decides at once, and complete the task once', async () => {
    const { one, two, agentId, path } = await windows();
    const [first, second] = (await one.file(agentId, 'f.txt')).hunks;
    await one.agent.reviews.accept(agentId, { path, hunks: [first?.id ?? ''] });
    assert.deepEqual((await two.file(agentId, 'f.txt')).hunks.map(({ id }) => id), [second?.id]);
    await two.agent.reviews.undo(agentId, { path, hunks: [second?.id ?? ''] });
    assert.equal((await one.file(agentId, 'f.txt')).state, 'mixed');
    // Nothing is left, and the other window has completed it.
    await one.agent.reviews.accept(agentId);
    assert.equal(one.child(agentId).taskStatus, 'completed');
    assert.deepEqual(one.agent.tasks.list().map(({ history }) => history.filter(({ to }) => to === 'completed').length), [1]);
    assert.equal(await one.text('f.txt'), BEFORE.replace('two', 'TWO'));
  });

  it('may both decide at the same moment', async () => {
    const { one, two, agentId, path } = await windows();
    const [first, second] = (await one.file(agentId, 'f.txt')).hunks;
    const reports = await Promise.all([one.agent.reviews.undo(agentId, { path, hunks: [first?.id ?? ''] }), two.agent.reviews.undo(agentId, { path, hunks: [second?.id ?? ''] })]);
    assert.deepEqual(reports, [{ undone: [path], conflicts: [], unsaved: [] }, { undone: [path], conflicts: [], unsaved: [] }]);
    assert.equal(await one.text('f.txt'), BEFORE);
    assert.equal((await two.file(agentId, 'f.txt')).state, 'undone');
    await Promise.all([one.agent.reviews.accept(agentId), two.agent.reviews.accept(agentId)]);
    assert.equal(one.agent.tasks.list()[0]?.status, 'completed');
  });

  it('decide nothing on a child that the other has let go on just now', async () => {
    const gate = deferred<void>();
    const { one, two, agentId } = await windows({ text: 'Again.', wait: gate.promise });
    const group = await one.agent.reviews.requestChanges(agentId, { text: 'Again.' });
    // However old what this window has seen is, it looks before it decides.
    await assert.rejects(two.agent.reviews.undo(agentId), { reason: 'conflict' });
    await assert.rejects(two.agent.reviews.requestChanges(agentId, { text: 'Mine.' }), { reason: 'conflict' });
    assert.equal((await two.agent.reviews.requests(agentId)).length, 1);
    gate.resolve();
    await one.delivered(group.groupId);
    assert.equal(await one.text('f.txt'), BEFORE.replace('two', 'TWO').replace('five', 'FIVE'));
  });
});
