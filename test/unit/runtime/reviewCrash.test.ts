import assert from 'node:assert/strict';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { crashed } from '../../support/crash.ts';
import { edits, reopenReviewing, startReviewing, type ReviewFixture } from '../../support/reviewFixture.ts';
import { wrappedFiles, type FileHooks } from '../../support/wrappedFiles.ts';

const BEFORE = 'one\ntwo\nthree\nfour\nfive\nsix\n';
const CHANGED = 'one\nTWO\nthree\nfour\nFIVE\nsix\n';

describe('a crash while something is decided', () => {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  /** A child has changed two lines; nothing is decided. */
  async function reviewed(hooks: FileHooks = {}): Promise<{ fixture: ReviewFixture; agentId: string }> {
    const fixture = await startReviewing({ A: [...edits('f.txt', ['two\n', 'TWO\n'], ['five\n', 'FIVE\n']), { text: 'Again.' }] }, { workspace: { 'f.txt': BEFORE }, files: wrappedFiles(hooks) });
    ends.push(() => fixture.end());
    const [a] = await fixture.run('A');
    return { fixture, agentId: a?.agentId ?? '' };
  }

  type State = Awaited<ReturnType<typeof crashed>>;

  async function stateOf(fixture: ReviewFixture): Promise<State> {
    const state = await crashed(fixture);
    ends.push(() => state.remove());
    return state;
  }

  async function reopened(state: State): Promise<ReviewFixture> {
    const next = await reopenReviewing(state, { A: [{ text: 'Again.' }] });
    ends.push(() => next.end());
    return next;
  }

  /** The storage before the file is written back, right after it, and at the end; and what stands in the file each time. */
  async function undone(): Promise<{ states: readonly { readonly state: State; readonly content: string }[]; agentId: string; fixture: ReviewFixture }> {
    const hooks: FileHooks = {};
    const { fixture, agentId } = await reviewed(hooks);
    const states: { state: State; content: string }[] = [];
    const note = async (): Promise<void> => void states.push({ state: await stateOf(fixture), content: await fixture.text('f.txt') });
    hooks.beforeWrite = note;
    hooks.afterWrite = note;
    await fixture.agent.reviews.undo(agentId);
    await note();
    await fixture.agent.close();
    assert.deepEqual(states.map(({ content }) => content), [CHANGED, BEFORE, BEFORE]);
    return { states, agentId, fixture };
  }

  it('before an undo is written leaves the change as it is, also where the user goes on writing', async () => {
    const { states, agentId, fixture } = await undone();
    const state = states[0]?.state;
    assert.ok(state);
    await fixture.save('f.txt', CHANGED);
    const next = await reopened(state);
    const file = await next.file(agentId, 'f.txt');
    assert.deepEqual([file.state, file.hunks.length, next.child(agentId).taskStatus], ['open', 2, 'review']);
    await fixture.save('f.txt', `user\n${CHANGED}`);
    assert.deepEqual((await next.file(agentId, 'f.txt')).hunks.map(({ before, conflict }) => [before, conflict]), [[['two'], undefined], [['five'], undefined]]);
    await next.agent.reviews.accept(agentId);
    // What was tried and came to nothing counts for nothing.
    assert.deepEqual([(await next.file(agentId, 'f.txt')).state, next.child(agentId).taskStatus], ['accepted', 'completed']);
    assert.equal(await fixture.text('f.txt'), `user\n${CHANGED}`);
  });

  for (const [what, at] of [['after an undo was written and before that is kept', 1], ['after an undo', 2]] as const) {
    it(`${what} tells that it was undone, and completes the task with the next look`, async () => {
      const { states, agentId, fixture } = await undone();
      const state = states[at]?.state;
      assert.ok(state);
      const next = await reopened(state);
      assert.equal((await next.file(agentId, 'f.txt')).state, 'undone');
      await fixture.save('f.txt', `user\n${BEFORE}`);
      assert.deepEqual(await next.agent.reviews.undo(agentId), { undone: [], conflicts: [], unsaved: [] });
      assert.equal(next.child(agentId).taskStatus, 'completed');
      assert.deepEqual([(await next.file(agentId, 'f.txt')).state, await fixture.text('f.txt')], ['undone', `user\n${BEFORE}`]);
    });
  }

  it('after one change was undone and before that is kept, and then accepting the rest, tells that it was both', async () => {
    const hooks: FileHooks = {};
    const { fixture, agentId } = await reviewed(hooks);
    const states: State[] = [];
    hooks.afterWrite = async () => void states.push(await stateOf(fixture));
    const [hunk] = (await fixture.file(agentId, 'f.txt')).hunks;
    await fixture.agent.reviews.undo(agentId, { path: fixture.path('f.txt'), hunks: [hunk?.id ?? ''] });
    await fixture.agent.close();
    assert.ok(states[0]);
    const next = await reopened(states[0]);
    assert.equal((await next.file(agentId, 'f.txt')).state, 'open');
    await next.agent.reviews.accept(agentId);
    assert.deepEqual([(await next.file(agentId, 'f.txt')).state, await next.text('f.txt')], ['mixed', CHANGED.replace('TWO', 'two')]);
  });

  for (const how of ['accept', 'undo'] as const) {
    it(`between a decision and its task leaves the decision, and ${how} completes the task`, async () => {
      const { fixture, agentId } = await reviewed();
      const before = await stateOf(fixture);
      await fixture.agent.reviews.accept(agentId);
      await fixture.agent.close();
      for (const folder of ['changes', 'checkpoints']) await cp(join(fixture.storageDir, folder), join(before.storageDir, folder), { recursive: true });
      const next = await reopened(before);
      const { state, hunks } = await next.file(agentId, 'f.txt');
      assert.deepEqual([state, hunks, next.child(agentId).taskStatus], ['accepted', [], 'review']);
      await next.agent.reviews[how](agentId);
      assert.deepEqual([next.child(agentId).taskStatus, await fixture.text('f.txt')], ['completed', CHANGED]);
    });
  }

  it('between the start of a round and what was asked for keeps the round', async () => {
    const { fixture, agentId } = await reviewed();
    const log = join(fixture.storageDir, 'changes', `${agentId}.jsonl`);
    const kept = await readFile(log);
    await fixture.delivered((await fixture.agent.reviews.requestChanges(agentId, { text: 'More.' })).groupId);
    await fixture.agent.close();
    const state = await stateOf(fixture);
    await writeFile(join(state.storageDir, 'changes', `${agentId}.jsonl`), kept);
    const next = await reopened(state);
    assert.deepEqual([await next.agent.reviews.requests(agentId), next.child(agentId).round, (await next.file(agentId, 'f.txt')).hunks.length], [[], 2, 2]);
  });

  it('with a torn last line loses only that', async () => {
    const { fixture, agentId } = await reviewed();
    await fixture.agent.reviews.accept(agentId);
    await fixture.agent.close();
    const log = join(fixture.storageDir, 'changes', `${agentId}.jsonl`);
    const whole = await readFile(log, 'utf8');
    await writeFile(log, whole.slice(0, -20));
    const next = await reopened(await stateOf(fixture));
    assert.deepEqual([(await next.file(agentId, 'f.txt')).state, (await next.file(agentId, 'f.txt')).hunks.length], ['open', 2]);
  });

  it('in which a record was damaged tells that the changes are not known, and undoes and completes nothing by pieces', async () => {
    const { fixture, agentId } = await reviewed();
    await fixture.agent.close();
    const log = join(fixture.storageDir, 'changes', `${agentId}.jsonl`);
    const lines = (await readFile(log, 'utf8')).split('\n');
    await writeFile(log, [lines[0]?.slice(0, 40), ...lines.slice(1)].join('\n'));
    const next = await reopened(await stateOf(fixture));
    const { state, hunks, unknown = '' } = await next.file(agentId, 'f.txt');
    assert.deepEqual([state, hunks], ['open', []]);
    assert.match(unknown, /damaged/);
    assert.deepEqual(await next.agent.reviews.undo(agentId), { undone: [], conflicts: [{ path: next.path('f.txt'), why: unknown }], unsaved: [] });
    await next.agent.reviews.accept(agentId, { path: next.path('f.txt') });
    assert.deepEqual([(await next.file(agentId, 'f.txt')).state, next.child(agentId).taskStatus], ['accepted', 'review']);
    assert.deepEqual(next.recorder.of('problem').map(({ message }) => /damaged/.test(message)), [true]);
    await next.agent.reviews.accept(agentId);
    assert.deepEqual([next.child(agentId).taskStatus, await next.text('f.txt')], ['completed', CHANGED]);
  });

  it('of the storage loses contents honestly: nothing is undone that isn’t known', async () => {
    const { fixture, agentId } = await reviewed();
    await rm(join(fixture.storageDir, 'checkpoints'), { recursive: true });
    const file = await fixture.file(agentId, 'f.txt');
    assert.ok(file.unknown);
    assert.equal(file.state, 'open');
    const report = await fixture.agent.reviews.undo(agentId);
    assert.deepEqual([report.undone, report.conflicts.length > 0, await fixture.text('f.txt')], [[], true, CHANGED]);
    await assert.rejects(fixture.agent.reviews.diff(agentId, fixture.path('f.txt')), { reason: 'not_found' });
    await fixture.agent.reviews.accept(agentId);
    assert.deepEqual([(await fixture.file(agentId, 'f.txt')).state, fixture.child(agentId).taskStatus], ['accepted', 'completed']);
  });
});
