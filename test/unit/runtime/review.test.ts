import assert from 'node:assert/strict';
import { readFile, rm, unlink } from 'node:fs/promises';
import { afterEach, describe, it } from 'mocha';
import type { ReviewFixture } from '../../support/reviewFixture.ts';
import { changes, edits, startReviewing, write } from '../../support/reviewFixture.ts';
import { wrappedFiles, type FileHooks } from '../../support/wrappedFiles.ts';

const LINES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
/** The lines with some of them replaced. */
const withLines = (replaced: Readonly<Record<string, string>>): string => text(LINES.map((line) => replaced[line] ?? line));

describe('a review of what a child changed', () => {
  const open: ReviewFixture[] = [];
  afterEach(async () => {
    for (const fixture of open.splice(0).reverse()) await fixture.end();
  });

  async function start(...args: Parameters<typeof startReviewing>): Promise<ReviewFixture> {
    const fixture = await startReviewing(...args);
    open.push(fixture);
    return fixture;
  }

  async function again(fixture: ReviewFixture): Promise<ReviewFixture> {
    const next = await fixture.again();
    open.push(next);
    return next;
  }

  it('reads no other file to show one, and few to accept one, however many there are', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `f${index}.txt`);
    const looked: string[] = [];
    const hooks: FileHooks = {};
    const fixture = await start({ A: changes(...names.map((name) => write(name, 'x\n'))) }, { files: wrappedFiles(hooks) });
    const { agent } = fixture;
    const [child] = await fixture.run('A');
    assert.ok(child);
    const { agentId } = child;
    hooks.beforeRead = (path) => void looked.push(path);
    const path = fixture.path('f39.txt');
    const one = await agent.reviews.file(agentId, path);
    assert.deepEqual(looked.splice(0), [path]);
    assert.deepEqual(one, (await agent.reviews.changes(agentId)).at(-1));
    looked.splice(0);
    await agent.reviews.accept(agentId, { path });
    assert.ok(looked.length < 20, `${looked.length} reads`);
    for (const name of names.slice(0, -1)) await agent.reviews.accept(agentId, { path: fixture.path(name) });
    assert.equal(fixture.child(agentId).taskStatus, 'completed');
    await assert.rejects(agent.reviews.file(agentId, fixture.path('other.txt')), { reason: 'not_found' });
    await assert.rejects(agent.reviews.file('nobody', path), { reason: 'not_found' });
  });

  it('shows each file with its hunks, in order of the first change, and accepts and undoes file by file until the task is completed', async () => {
    const turns = [...edits('b.txt', ['two\n', 'TWO\n'], ['eight\n', 'EIGHT\neight and a half\n']).slice(0, -1), ...changes(write('a/new.txt', 'made\n'), ['Write', { file_path: 'b2.txt', content: 'x\n' }])];
    const fixture = await start({ A: turns }, { workspace: { 'b.txt': text(LINES) } });
    const { agent } = fixture;
    const [child] = await fixture.run('A');
    assert.ok(child);
    const { agentId } = child;
    const files = await agent.reviews.changes(agentId);
    assert.deepEqual(files.map(({ path, kind, state, added, removed, isBinary, sharedWith }) => [path, kind, state, added, removed, isBinary, sharedWith]), [
      [fixture.path('b.txt'), 'edited', 'open', 3, 2, false, []],
      [fixture.path('a/new.txt'), 'created', 'open', 1, 0, false, []],
      [fixture.path('b2.txt'), 'created', 'open', 1, 0, false, []],
    ]);
    assert.deepEqual(files[0]?.hunks.map(({ lines, before, now, conflict }) => ({ lines, before, now, conflict })), [
      { lines: { start: 1, end: 2 }, before: ['two'], now: ['TWO'], conflict: undefined },
      { lines: { start: 7, end: 9 }, before: ['eight'], now: ['EIGHT', 'eight and a half'], conflict: undefined },
    ]);
    const diff = await agent.reviews.diff(agentId, fixture.path('b.txt'));
    assert.deepEqual([Buffer.from(diff.before ?? []).toString(), Buffer.from(diff.after ?? []).toString(), diff.isPresent], [text(LINES), await fixture.text('b.txt'), true]);

    await agent.reviews.accept(agentId, { path: fixture.path('b.txt'), hunks: [] });
    assert.equal((await fixture.file(agentId, 'b.txt')).state, 'open');
    await agent.reviews.accept(agentId, { path: fixture.path('b.txt') });
    assert.equal(fixture.child(agentId).taskStatus, 'review');
    assert.deepEqual(await agent.reviews.undo(agentId, { path: fixture.path('a/new.txt') }), { undone: [fixture.path('a/new.txt')], conflicts: [], unsaved: [] });
    assert.equal(fixture.child(agentId).taskStatus, 'review');
    await agent.reviews.accept(agentId, { path: fixture.path('b2.txt') });
    assert.equal(fixture.child(agentId).taskStatus, 'completed');
    assert.deepEqual((await agent.reviews.changes(agentId)).map(({ state }) => state), ['accepted', 'undone', 'accepted']);
    assert.equal(await fixture.text('b.txt'), text(LINES).replace('two', 'TWO').replace('eight', 'EIGHT\neight and a half'));
    await assert.rejects(readFile(fixture.path('a/new.txt')), { code: 'ENOENT' });
    assert.deepEqual(agent.tasks.list()[0]?.history.at(-1)?.by, 'user');
  });

  it('accepts one hunk and undoes the other; file and decisions outlive a restart (case 88)', async () => {
    const fixture = await start({ A: edits('f.txt', ['two\n', 'TWO\n'], ['eight\n', 'EIGHT\n']) }, { workspace: { 'f.txt': text(LINES) } });
    const [child] = await fixture.run('A');
    const { agentId = '' } = child ?? {};
    const path = fixture.path('f.txt');
    const [first, second] = (await fixture.file(agentId, 'f.txt')).hunks;
    await fixture.agent.reviews.accept(agentId, { path, hunks: [first?.id ?? ''] });
    assert.deepEqual((await fixture.file(agentId, 'f.txt')).hunks.map(({ id }) => id), [second?.id]);
    await fixture.agent.close();

    const next = await again(fixture);
    assert.deepEqual((await next.file(agentId, 'f.txt')).hunks.map(({ id }) => id), [second?.id]);
    assert.equal(next.child(agentId).taskStatus, 'review');
    await next.agent.reviews.undo(agentId, { path, hunks: [second?.id ?? ''] });
    assert.equal(await next.text('f.txt'), withLines({ two: 'TWO' }));
    assert.equal(next.child(agentId).taskStatus, 'completed');
    await next.agent.close();

    const last = await again(fixture);
    const { state, hunks } = await last.file(agentId, 'f.txt');
    assert.deepEqual([state, hunks, last.child(agentId).taskStatus], ['mixed', [], 'completed']);
    assert.equal(await last.text('f.txt'), withLines({ two: 'TWO' }));
    const { before, after, isPresent } = await last.agent.reviews.diff(agentId, path);
    assert.deepEqual([String(Buffer.from(before ?? [])), String(Buffer.from(after ?? [])), isPresent], [text(LINES), withLines({ two: 'TWO', eight: 'EIGHT' }), false]);
  });

  it('leaves what the user wrote over a change under review, over a restart, as a conflict that undo doesn’t touch (case 85)', async () => {
    const fixture = await start({ A: edits('f.txt', ['two\n', 'TWO\n'], ['eight\n', 'EIGHT\n']) }, { workspace: { 'f.txt': text(LINES) } });
    const [child] = await fixture.run('A');
    const { agentId = '' } = child ?? {};
    await fixture.save('f.txt', withLines({ two: 'the user’s two', eight: 'EIGHT' }));
    await fixture.agent.close();

    const next = await again(fixture);
    const { hunks } = await next.file(agentId, 'f.txt');
    assert.deepEqual(hunks.map(({ now, conflict }) => [now, conflict !== undefined]), [[['the user’s two'], true], [['EIGHT'], false]]);
    const report = await next.agent.reviews.undo(agentId);
    assert.deepEqual([report.undone, report.conflicts.map(({ path }) => path)], [[next.path('f.txt')], [next.path('f.txt')]]);
    assert.equal(await next.text('f.txt'), withLines({ two: 'the user’s two' }));
    // The conflict isn't decided: the task stays in review until the user takes it as it is.
    assert.equal(next.child(agentId).taskStatus, 'review');
    assert.deepEqual((await next.agent.reviews.undo(agentId)).undone, []);
    assert.equal(await next.text('f.txt'), withLines({ two: 'the user’s two' }));
    await next.agent.reviews.accept(agentId);
    assert.equal(next.child(agentId).taskStatus, 'completed');
    assert.equal(await next.text('f.txt'), withLines({ two: 'the user’s two' }));
  });

  it('takes back only the child’s own lines after a sibling and the user edited others', async () => {
    const fixture = await start({ A: edits('f.txt', ['two\n', 'TWO\n'], ['five\n', 'FIVE\n']), B: edits('f.txt', ['eight\n', 'EIGHT\n']) }, { workspace: { 'f.txt': text(LINES) } });
    const [a] = await fixture.run('A');
    const [b] = await fixture.run('B');
    assert.ok(a && b);
    await fixture.save('f.txt', withLines({ one: 'user', two: 'TWO', five: 'user five', eight: 'EIGHT' }));
    assert.deepEqual([(await fixture.file(a.agentId, 'f.txt')).sharedWith, (await fixture.file(b.agentId, 'f.txt')).sharedWith], [[b.agentId], [a.agentId]]);
    const report = await fixture.agent.reviews.undo(a.agentId);
    assert.equal(await fixture.text('f.txt'), withLines({ one: 'user', five: 'user five', eight: 'EIGHT' }));
    assert.equal(report.conflicts.length, 1);
    assert.deepEqual((await fixture.file(b.agentId, 'f.txt')).hunks.map(({ now }) => now), [['EIGHT']]);
    await fixture.agent.reviews.undo(b.agentId);
    assert.equal(await fixture.text('f.txt'), withLines({ one: 'user', five: 'user five' }));
    assert.equal(fixture.child(b.agentId).taskStatus, 'completed');
  });

  it('shows and undoes a group as one, and completes each task of whose changes nothing is left', async () => {
    const fixture = await start({ A: edits('f.txt', ['two\n', 'TWO\n']), B: changes(write('b.txt', 'b\n')), C: [{ text: 'Nothing to do.' }] }, { workspace: { 'f.txt': text(LINES) } });
    const { agent } = fixture;
    const [a, b, c] = await fixture.run('A', 'B', 'C');
    assert.ok(a && b && c);
    assert.deepEqual(new Set((await agent.reviews.groupChanges(a.groupId)).map(({ path }) => path)), new Set([fixture.path('f.txt'), fixture.path('b.txt')]));
    assert.equal((await agent.reviews.groupDiff(a.groupId, fixture.path('b.txt'))).before, undefined);
    const report = await agent.reviews.undoGroup(a.groupId);
    assert.deepEqual([new Set(report.undone), report.conflicts], [new Set([fixture.path('f.txt'), fixture.path('b.txt')]), []]);
    assert.equal(await fixture.text('f.txt'), text(LINES));
    // Nobody has read yet what the one says that changed nothing.
    assert.deepEqual([a, b, c].map(({ agentId }) => fixture.child(agentId).taskStatus), ['completed', 'completed', 'review']);
    assert.deepEqual([(await fixture.file(a.agentId, 'f.txt')).state, (await fixture.file(b.agentId, 'b.txt')).state], ['undone', 'undone']);
  });

  it('undoes what two children of a group wrote over each other', async () => {
    const fixture = await start({ A: edits('f.txt', ['two\n', 'TWO\n']), B: edits('f.txt', ['TWO\n', 'Two!\n']) }, { workspace: { 'f.txt': text(LINES) }, maxParallelSubagents: 1 });
    const [a] = await fixture.run('A', 'B');
    assert.ok(a);
    assert.equal(await fixture.text('f.txt'), withLines({ two: 'Two!' }));
    assert.equal((await fixture.agent.reviews.undo(a.agentId)).conflicts.length, 1);
    assert.deepEqual(await fixture.agent.reviews.undoGroup(a.groupId), { undone: [fixture.path('f.txt')], conflicts: [], unsaved: [] });
    assert.equal(await fixture.text('f.txt'), text(LINES));
    assert.deepEqual(fixture.agent.tasks.list().map(({ status }) => status), ['completed', 'completed']);
  });

  it('accepts all, by the task too, also where no file was changed', async () => {
    const fixture = await start({ A: edits('f.txt', ['two\n', 'TWO\n']), B: [{ text: 'Nothing.' }] }, { workspace: { 'f.txt': text(LINES) } });
    const [a, b] = await fixture.run('A', 'B');
    assert.ok(a?.taskId !== undefined && b);
    assert.equal((await fixture.agent.tasks.accept(a.taskId)).status, 'completed');
    assert.equal((await fixture.file(a.agentId, 'f.txt')).state, 'accepted');
    await fixture.agent.reviews.accept(b.agentId);
    assert.equal(fixture.child(b.agentId).taskStatus, 'completed');
    // Once more is no error here, and one for the list.
    await fixture.agent.reviews.accept(b.agentId);
    await assert.rejects(fixture.agent.tasks.accept(a.taskId), { reason: 'conflict' });
    // What was accepted isn't undone any more.
    assert.deepEqual(await fixture.agent.reviews.undo(a.agentId), { undone: [], conflicts: [], unsaved: [] });
    assert.equal(await fixture.text('f.txt'), withLines({ two: 'TWO' }));
  });

  it('knows what others took back already, and completes the task of which nothing is left', async () => {
    const fixture = await start({ A: changes(write('a.txt', 'a\n'), write('b.txt', 'b\n')) });
    const [a] = await fixture.run('A');
    const { agentId = '' } = a ?? {};
    await unlink(fixture.path('a.txt'));
    const files = await fixture.agent.reviews.changes(agentId);
    assert.deepEqual(files.map(({ state }) => state), ['gone', 'open']);
    await rm(fixture.path('b.txt'));
    assert.deepEqual(await fixture.agent.reviews.undo(agentId), { undone: [], conflicts: [], unsaved: [] });
    assert.equal(fixture.child(agentId).taskStatus, 'completed');
  });

  it('knows again what was undone and then brought back by hand', async () => {
    const fixture = await start({ A: edits('f.txt', ['two\n', 'TWO\n']) }, { workspace: { 'f.txt': text(LINES) } });
    const [a] = await fixture.run('A');
    const { agentId = '' } = a ?? {};
    await fixture.agent.reviews.undo(agentId);
    await fixture.save('f.txt', withLines({ two: 'TWO' }));
    assert.equal((await fixture.file(agentId, 'f.txt')).state, 'open');
    await fixture.agent.reviews.accept(agentId);
    assert.equal((await fixture.file(agentId, 'f.txt')).state, 'accepted');
  });

  it('refuses unknown ids, files and hunks', async () => {
    const fixture = await start({ A: edits('f.txt', ['two\n', 'TWO\n']) }, { workspace: { 'f.txt': text(LINES), 'other.txt': '' } });
    const [a] = await fixture.run('A');
    const { reviews } = fixture.agent;
    const { agentId = '' } = a ?? {};
    const path = fixture.path('f.txt');
    for (const refused of [reviews.changes('agent-x'), reviews.groupChanges('bg_x'), reviews.diff('../x', path), reviews.groupDiff('x', path), reviews.accept('x'), reviews.undo('x'), reviews.undoGroup('x'), reviews.requests('x'), reviews.requestChanges('x', { text: 'y' })]) await assert.rejects(refused, { reason: 'not_found' });
    const other = fixture.path('other.txt');
    for (const refused of [reviews.diff(agentId, other), reviews.accept(agentId, { path: other }), reviews.undo(agentId, { path: other })]) await assert.rejects(refused, { reason: 'not_found' });
    const [hunk] = (await fixture.file(agentId, 'f.txt')).hunks;
    await fixture.save('f.txt', withLines({ two: 'user' }));
    await assert.rejects(reviews.accept(agentId, { path, hunks: [hunk?.id ?? ''] }), { reason: 'conflict' });
    assert.deepEqual((await reviews.undo(agentId, { path, hunks: [hunk?.id ?? ''] })).conflicts.map((one) => one.path), [path]);
    assert.equal(await fixture.text('f.txt'), withLines({ two: 'user' }));
    assert.equal(fixture.child(agentId).taskStatus, 'review');
  });
});
