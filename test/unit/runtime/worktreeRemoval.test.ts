import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { afterEach, describe, it } from 'mocha';
import type { ReviewAccess } from '../../../src/runtime/domain/reviews.ts';
import { changes, edits, write } from '../../support/reviewFixture.ts';
import type { ScriptedTurn } from '../../support/scriptedModel.ts';
import { bash, reopenInWorktrees, startInWorktrees, type WorktreeFixture } from '../../support/worktrees.ts';

const begun = (turns: readonly ScriptedTurn[]): readonly ScriptedTurn[] => turns.slice(0, -1);
const WORK = [...begun(edits('a.txt', ['a2', 'A2'])), ...changes(write('made.txt', 'made\n'))];

describe('a worktree that goes before all in it is decided', function () {
  this.timeout(60_000);
  let fixture: WorktreeFixture;
  afterEach(() => fixture.end());

  const child = async (turns: readonly ScriptedTurn[] = WORK): Promise<string> => {
    fixture = await startInWorktrees({ A: turns });
    return (await fixture.run('A'))[0]?.agentId ?? '';
  };
  const reviews = (): ReviewAccess => fixture.review.agent.reviews;
  const states = async (agentId: string): Promise<readonly string[]> => (await reviews().changes(agentId)).map(({ state, isLost }) => (isLost ? `${state} lost` : state));
  /** Takes its folder away, as its user might. */
  const removeByHand = (agentId: string): Promise<void> => rm(fixture.tree(agentId), { recursive: true });

  it('has what nobody decided on undone when it is removed, and its task says so', async () => {
    const agentId = await child();
    const { agent, recorder } = fixture.review;
    await reviews().accept(agentId, { path: fixture.review.path('made.txt') });
    await agent.worktrees.remove(agentId);
    assert.deepEqual([await states(agentId), existsSync(fixture.tree(agentId))], [['undone', 'accepted'], false]);
    assert.deepEqual([fixture.review.child(agentId).taskStatus, fixture.review.child(agentId).isWorktreeGone], ['completed', true]);
    assert.deepEqual(recorder.of('review.decided').map(({ decision: { verdict } }) => verdict), ['accepted', 'undone']);
    assert.equal(await fixture.review.text('a.txt'), 'a1\na2\na3\n');
    // What it was can still be looked at.
    assert.equal(String(Buffer.from((await reviews().diff(agentId, fixture.review.path('a.txt'))).after ?? [])), 'a1\nA2\na3\n');
    assert.deepEqual(await reviews().accept(agentId), { accepted: [], conflicts: [], unsaved: [] });
  });

  it('has undone what could not be merged at all, too', async () => {
    const agentId = await child(bash('ln -s a.txt link.txt'));
    await fixture.review.agent.worktrees.remove(agentId);
    assert.deepEqual([await states(agentId), fixture.review.child(agentId).taskStatus], [['undone'], 'completed']);
  });

  it('completes no task by accepting, where it was removed by hand: that is refused with the reason', async () => {
    const agentId = await child();
    await removeByHand(agentId);
    assert.deepEqual(await states(agentId), ['open lost', 'open lost']);
    const { accepted, conflicts } = await reviews().accept(agentId);
    assert.deepEqual([accepted, conflicts.length], [[], 2]);
    assert.match(conflicts[0]?.why ?? '', /worktree is gone/);
    assert.equal(fixture.review.child(agentId).taskStatus, 'review');
    assert.equal(fixture.review.child(agentId).isWorktreeGone, true);
    await assert.rejects(fixture.review.agent.tasks.accept(fixture.review.child(agentId).taskId ?? ''), /worktree is gone/);
    const { before, after } = await reviews().diff(agentId, fixture.review.path('a.txt'));
    assert.deepEqual([before, after].map((bytes) => String(Buffer.from(bytes ?? []))), ['a1\na2\na3\n', 'a1\nA2\na3\n']);
    await reviews().undo(agentId);
    assert.deepEqual([await states(agentId), fixture.review.child(agentId).taskStatus], [['undone', 'undone'], 'completed']);
  });

  it('keeps what was accepted before it was removed by hand', async () => {
    const agentId = await child();
    await reviews().accept(agentId, { path: fixture.review.path('made.txt') });
    await removeByHand(agentId);
    assert.deepEqual(await states(agentId), ['open lost', 'accepted']);
  });

  it('tells that it is gone when somebody wants it removed', async () => {
    const agentId = await child();
    await removeByHand(agentId);
    assert.equal(await fixture.review.agent.worktrees.loss(agentId), undefined);
    assert.equal(fixture.review.child(agentId).isWorktreeGone, true);
  });

  it('is said to be gone after a restart as well, and there again once its child goes on', async () => {
    const agentId = await child();
    await fixture.review.agent.worktrees.remove(agentId);
    await fixture.review.agent.close();
    const later = await reopenInWorktrees(fixture, { A: changes(write('more.txt', 'more\n')) });
    try {
      assert.equal(later.review.child(agentId).isWorktreeGone, true);
      const group = await later.review.agent.resumeChild(agentId, { prompt: 'A' });
      await later.review.delivered(group.groupId);
      assert.deepEqual([later.review.child(agentId).isWorktreeGone, existsSync(later.tree(agentId))], [undefined, true]);
    } finally {
      await later.end();
    }
  });
});
