import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { deferred } from '../../../src/runtime/base/async.ts';
import type { ReviewComment } from '../../../src/runtime/domain/reviews.ts';
import { isRoot, lastUserText } from '../../support/agentFixture.ts';
import { changes, edits, read, startReviewing, write, type ReviewFixture } from '../../support/reviewFixture.ts';

describe('a request for changes', () => {
  const open: ReviewFixture[] = [];
  afterEach(async () => {
    for (const fixture of open.splice(0).reverse()) await fixture.end();
  });

  async function start(...args: Parameters<typeof startReviewing>): Promise<ReviewFixture> {
    const fixture = await startReviewing(...args);
    open.push(fixture);
    return fixture;
  }

  async function comment(fixture: ReviewFixture, id: string, file: string, start: number, end: number, text = `About ${id}.`): Promise<ReviewComment> {
    return { id, path: fixture.path(file), lines: { start, end }, content: await fixture.agent.reviews.stateOf(fixture.path(file)), text };
  }

  /** The last thing that was said to the child. */
  function said({ model }: ReviewFixture): string {
    const request = model.requests.filter((each) => !isRoot(each)).at(-1);
    return (request && lastUserText(request)) ?? '';
  }

  it('is the next prompt of the child, puts its task in progress again, and stays with the answers', async () => {
    const answer = 'I changed it.\n\nComment 1: Renamed.\n\nComment 2: Left as it is.';
    const gate = deferred<void>();
    const fixture = await start({ A: [...edits('f.txt', ['two\n', 'TWO\n']), { calls: [{ name: 'Edit', input: { file_path: 'f.txt', old_string: 'one\n', new_string: 'zero\none\n' } }], wait: gate.promise }, { text: answer }] }, { workspace: { 'f.txt': 'one\ntwo\nthree\n' } });
    const { agent } = fixture;
    const [a] = await fixture.run('A');
    const { agentId = '', taskId } = a ?? {};
    const comments = [await comment(fixture, 'c1', 'f.txt', 1, 2), await comment(fixture, 'c2', 'f.txt', 2, 3)];
    // The user goes on in the meantime.
    await fixture.save('f.txt', 'top\none\nTWO\nthree\n');
    const group = await agent.reviews.requestChanges(agentId, { text: 'Almost there.', comments });
    const task = await fixture.recorder.until('task.changed', (event) => event.task.id === taskId && event.task.status === 'in_progress' && event.task.history.length > 3);
    assert.equal(task.task.agentId, agentId);
    const [asked] = fixture.recorder.of('review.requested');
    assert.deepEqual([asked?.agentId, asked?.groupId, asked?.asks.round, asked?.asks.text], [agentId, group.groupId, 2, 'Almost there.']);
    assert.match(said(fixture), /Almost there\.[^]*Comment 1, on line 3 of "f\.txt"[^]*TWO\n[^]*About c1\.[^]*Comment 2, on line 4 of "f\.txt"[^]*three\n[^]*About c2\./);
    const [before] = await agent.reviews.requests(agentId);
    assert.deepEqual([before?.answer, before?.replies], [undefined, { c1: { lines: { start: 2, end: 3 } }, c2: { lines: { start: 3, end: 4 } } }]);
    gate.resolve();
    await fixture.delivered(group.groupId);

    const views = await agent.reviews.requests(agentId);
    assert.equal(views.length, 1);
    const [view] = views;
    assert.deepEqual([view?.round, view?.text, view?.answer, view?.comments], [2, 'Almost there.', answer, comments]);
    assert.deepEqual(view?.replies, { c1: { answer: 'Renamed.', lines: { start: 2, end: 3 } }, c2: { answer: 'Left as it is.', lines: { start: 3, end: 4 } } });
    assert.equal(fixture.child(agentId).taskStatus, 'review');
    await agent.close();
    const next = await fixture.again();
    open.push(next);
    assert.deepEqual(await next.agent.reviews.requests(agentId), views);
  });

  it('leaves what was accepted accepted, and opens what the child changes anew', async () => {
    const fixture = await start(
      { A: [...edits('f.txt', ['two\n', 'TWO\n'], ['eight\n', 'EIGHT\n']), read('f.txt'), ...edits('f.txt', ['EIGHT\n', 'Eight\n'], ['five\n', 'FIVE\n']).slice(1)] },
      { workspace: { 'f.txt': 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n' } },
    );
    const { agent } = fixture;
    const [a] = await fixture.run('A');
    const { agentId = '' } = a ?? {};
    const path = fixture.path('f.txt');
    const [two] = (await fixture.file(agentId, 'f.txt')).hunks;
    await agent.reviews.accept(agentId, { path, hunks: [two?.id ?? ''] });
    await fixture.delivered((await agent.reviews.requestChanges(agentId, { text: 'Not in capitals.' })).groupId);
    assert.deepEqual((await fixture.file(agentId, 'f.txt')).hunks.map(({ before, now }) => [before, now]), [[['five'], ['FIVE']], [['eight'], ['Eight']]]);
    await agent.reviews.undo(agentId);
    assert.equal(await fixture.text('f.txt'), 'one\nTWO\nthree\nfour\nfive\nsix\nseven\neight\nnine\n');
    assert.equal(fixture.child(agentId).taskStatus, 'completed');
  });

  it('takes up a failed child, too, and a completed task', async () => {
    const fixture = await start({ A: [{ stop: 'error', error: { failure: 'bad_request', message: 'No.' } }, { text: 'Now.' }, { text: 'And again.' }] });
    const [a] = await fixture.run('A');
    const { agentId = '' } = a ?? {};
    assert.equal(fixture.child(agentId).taskStatus, 'failed');
    await fixture.delivered((await fixture.agent.reviews.requestChanges(agentId, { text: 'Try again.', model: 'other' })).groupId);
    assert.equal(fixture.child(agentId).model.model, 'other');
    await fixture.agent.reviews.accept(agentId);
    assert.equal(fixture.child(agentId).taskStatus, 'completed');
    await fixture.delivered((await fixture.agent.reviews.requestChanges(agentId, { text: 'Once more.' })).groupId);
    assert.deepEqual((await fixture.agent.reviews.requests(agentId)).map(({ round, answer }) => [round, answer]), [[2, 'Now.'], [3, 'And again.']]);
    assert.equal(fixture.child(agentId).taskStatus, 'review');
  });

  it('keeps nothing where the child can’t go on, or nothing is said', async () => {
    const gate = deferred<void>();
    const fixture = await start({ A: [...changes(write('a.txt', 'a\n')), { text: 'Later.', wait: gate.promise }] });
    const [a] = await fixture.run('A');
    const { agentId = '' } = a ?? {};
    const { reviews } = fixture.agent;
    const empty = { ...(await comment(fixture, 'c', 'a.txt', 0, 1)), text: ' ' };
    for (const request of [{ text: ' ' }, { text: '', comments: [] }, { text: 'x', comments: [empty] }]) await assert.rejects(reviews.requestChanges(agentId, request), { reason: 'invalid_input' });
    const transcript = join(fixture.storageDir, 'transcripts', `${agentId}.jsonl`);
    await rename(transcript, `${transcript}.away`);
    await assert.rejects(reviews.requestChanges(agentId, { text: 'x' }));
    await rename(`${transcript}.away`, transcript);
    assert.deepEqual([await reviews.requests(agentId), fixture.child(agentId).taskStatus, fixture.child(agentId).round], [[], 'review', 1]);

    const group = await reviews.requestChanges(agentId, { text: 'Go on.' });
    await fixture.recorder.until('child.started', ({ groupId }) => groupId === group.groupId);
    const path = fixture.path('a.txt');
    for (const refused of [reviews.requestChanges(agentId, { text: 'x' }), reviews.accept(agentId), reviews.undo(agentId, { path }), reviews.undoGroup(fixture.child(agentId).groupId)]) await assert.rejects(refused, { reason: 'conflict' });
    assert.equal((await reviews.changes(agentId)).length, 1);
    assert.equal(await fixture.text('a.txt'), 'a\n');
    gate.resolve();
    await fixture.delivered(group.groupId);
    assert.equal((await reviews.requests(agentId)).length, 1);
  });

  it('tells of lines that are gone, of a binary file and of a place that nobody can read', async () => {
    const fixture = await start({ A: [{ text: 'One.' }, { text: 'Comment 2: yes' }] }, { workspace: { 'f.txt': 'one\ntwo\nthree\n', 'b.bin': 'x\0y' } });
    const [a] = await fixture.run('A');
    const { agentId = '' } = a ?? {};
    const comments = [await comment(fixture, 'gone', 'f.txt', 1, 2), await comment(fixture, 'binary', 'b.bin', 0, 1), await comment(fixture, 'missing', 'none.txt', 0, 1), await comment(fixture, '__proto__', '.', 0, 1)];
    assert.deepEqual(comments.map(({ content }) => content.kind), ['kept', 'kept', 'absent', 'unknown']);
    await fixture.save('f.txt', 'one\nthree\n');
    await fixture.delivered((await fixture.agent.reviews.requestChanges(agentId, { text: '', comments })).groupId);
    assert.match(said(fixture), /Comment 1, on lines of "f\.txt" that have been removed or changed since; they said:\n\n```\ntwo\n```/);
    const [view] = await fixture.agent.reviews.requests(agentId);
    assert.deepEqual(Object.entries(view?.replies ?? {}), [['gone', {}], ['binary', { answer: 'yes' }], ['missing', {}], ['__proto__', {}]]);
  });
});
