import assert from 'node:assert/strict';
import { lstat, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { AppError } from '../../../src/runtime/base/errors.ts';
import { changes, edits, startReviewing, write, type ReviewFixture } from '../../support/reviewFixture.ts';
import { wrappedFiles, type FileHooks } from '../../support/wrappedFiles.ts';

describe('a review in trouble', () => {
  const open: ReviewFixture[] = [];
  const folders: string[] = [];
  afterEach(async () => {
    for (const fixture of open.splice(0).reverse()) await fixture.end();
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
  });

  async function start(...args: Parameters<typeof startReviewing>): Promise<ReviewFixture> {
    const fixture = await startReviewing(...args);
    open.push(fixture);
    return fixture;
  }

  async function outside(): Promise<string> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'outside-')));
    folders.push(folder);
    return folder;
  }

  /** One child that has put TWO in the place of two, on files with hooks. */
  async function edited(hooks: FileHooks, more: Readonly<Record<string, string>> = {}): Promise<{ fixture: ReviewFixture; agentId: string }> {
    const fixture = await start({ A: [...Object.keys(more).flatMap((name) => edits(name, ['two\n', 'TWO\n']).slice(0, -1)), ...edits('f.txt', ['two\n', 'TWO\n'])] }, { workspace: { 'f.txt': 'one\ntwo\nthree\n', ...more }, files: wrappedFiles(hooks) });
    const [a] = await fixture.run('A');
    return { fixture, agentId: a?.agentId ?? '' };
  }

  for (const kind of ['folder', 'link', 'link in its folder'] as const) {
    it(`undoes nothing where a ${kind} stands in the place of the file, and follows nothing`, async () => {
      const fixture = await start({ A: changes(write('sub/f.txt', 'made\n')) });
      const [a] = await fixture.run('A');
      const { agentId = '' } = a ?? {};
      const path = fixture.path('sub/f.txt');
      const away = await outside();
      await writeFile(join(away, 'f.txt'), 'made\n');
      await rm(fixture.path(kind === 'link in its folder' ? 'sub' : 'sub/f.txt'), { recursive: true });
      if (kind === 'folder') await mkdir(path);
      else if (kind === 'link') await symlink(join(away, 'f.txt'), path);
      else await symlink(away, fixture.path('sub'));

      const file = await fixture.file(agentId, 'sub/f.txt');
      assert.deepEqual([file.state, file.hunks], ['open', []]);
      assert.ok(file.unknown);
      const report = await fixture.agent.reviews.undo(agentId);
      assert.deepEqual([report.undone, report.conflicts], [[], [{ path, why: file.unknown }]]);
      assert.equal(await readFile(join(away, 'f.txt'), 'utf8'), 'made\n');
      assert.equal(fixture.child(agentId).taskStatus, 'review');
      const { before, after, isPresent } = await fixture.agent.reviews.diff(agentId, path);
      assert.deepEqual([before, String(Buffer.from(after ?? [])), isPresent], [undefined, 'made\n', false]);
      await fixture.agent.reviews.accept(agentId);
      assert.equal(fixture.child(agentId).taskStatus, 'completed');
      assert.equal((await fixture.file(agentId, 'sub/f.txt')).state, 'accepted');
      if (kind !== 'link in its folder') assert.equal((await lstat(path)).isDirectory(), kind === 'folder');
    });
  }

  it('keeps what somebody writes at the very moment of an undo', async () => {
    const hooks: FileHooks = {};
    const { fixture, agentId } = await edited(hooks);
    let times = 0;
    hooks.beforeWrite = async () => {
      if (times++ === 0) await fixture.save('f.txt', 'one\nTWO\nthree\ntyped\n');
    };
    assert.deepEqual(await fixture.agent.reviews.undo(agentId), { undone: [fixture.path('f.txt')], conflicts: [], unsaved: [] });
    assert.equal(await fixture.text('f.txt'), 'one\ntwo\nthree\ntyped\n');
    assert.equal((await fixture.file(agentId, 'f.txt')).state, 'undone');
  });

  it('gives up where the file changes all the time, and the change stays what it is', async () => {
    const hooks: FileHooks = {};
    const { fixture, agentId } = await edited(hooks);
    let times = 0;
    hooks.beforeWrite = () => fixture.save('f.txt', `one\nTWO\nthree\ntyped ${times++}\n`);
    const report = await fixture.agent.reviews.undo(agentId);
    assert.deepEqual([report.undone, report.conflicts.map(({ path }) => path)], [[], [fixture.path('f.txt')]]);
    assert.ok(times > 1);
    delete hooks.beforeWrite;
    // None of the tries was an undo.
    assert.deepEqual((await fixture.file(agentId, 'f.txt')).hunks.map(({ now, conflict }) => [now, conflict]), [[['TWO'], undefined]]);
    await fixture.agent.reviews.accept(agentId);
    assert.equal((await fixture.file(agentId, 'f.txt')).state, 'accepted');
  });

  for (const [what, reason] of [['is read-only', 'denied'], ['is on a full disk', 'unavailable']] as const) {
    it(`undoes the other files where one ${what}`, async () => {
      const hooks: FileHooks = {};
      const { fixture, agentId } = await edited(hooks, { 'g.txt': 'one\ntwo\n' });
      hooks.beforeWrite = (path) => {
        if (path.endsWith('f.txt')) throw new AppError(reason, 'It can’t be written.');
      };
      assert.deepEqual(await fixture.agent.reviews.undo(agentId), { undone: [fixture.path('g.txt')], conflicts: [{ path: fixture.path('f.txt'), why: 'It can’t be written.' }], unsaved: [] });
      assert.deepEqual([await fixture.text('f.txt'), await fixture.text('g.txt')], ['one\nTWO\nthree\n', 'one\ntwo\n']);
      assert.deepEqual([(await fixture.file(agentId, 'f.txt')).state, fixture.child(agentId).taskStatus], ['open', 'review']);
    });
  }

  it('changes nothing where the decision can’t be kept', async () => {
    const { fixture, agentId } = await edited({});
    const log = join(fixture.storageDir, 'changes', `${agentId}.jsonl`);
    const kept = await readFile(log);
    const blocked = async (work: () => Promise<unknown>): Promise<void> => {
      await rm(log);
      await mkdir(log);
      await assert.rejects(work);
      await rm(log, { recursive: true });
      await writeFile(log, kept);
    };
    await blocked(() => fixture.agent.reviews.undo(agentId));
    await blocked(() => fixture.agent.reviews.accept(agentId));
    assert.equal(await fixture.text('f.txt'), 'one\nTWO\nthree\n');
    assert.deepEqual([(await fixture.file(agentId, 'f.txt')).state, fixture.child(agentId).taskStatus], ['open', 'review']);
  });

  it('says what was undone where the task list can’t be stored, and completes the task with the next look', async () => {
    const { fixture, agentId } = await edited({});
    const list = join(fixture.storageDir, 'tasks', 'tasks.json');
    const stored = await readFile(list);
    await rm(list);
    await mkdir(list);
    assert.deepEqual((await fixture.agent.reviews.undo(agentId)).undone, [fixture.path('f.txt')]);
    await fixture.recorder.until('problem');
    await assert.rejects(fixture.agent.reviews.accept(agentId), { reason: 'unavailable' });
    await rm(list, { recursive: true });
    await writeFile(list, stored);
    assert.equal(fixture.child(agentId).taskStatus, 'review');
    await fixture.agent.reviews.accept(agentId);
    assert.deepEqual([fixture.child(agentId).taskStatus, (await fixture.file(agentId, 'f.txt')).state], ['completed', 'undone']);
  });

  it('names the files that an editor holds unsaved', async () => {
    const hooks: FileHooks = {};
    const { fixture, agentId } = await edited(hooks, { 'g.txt': 'one\ntwo\n' });
    hooks.unsaved = (path) => path.endsWith('g.txt');
    const report = await fixture.agent.reviews.undo(agentId);
    assert.deepEqual([report.undone, report.unsaved], [[fixture.path('g.txt'), fixture.path('f.txt')], [fixture.path('g.txt')]]);
  });

  it('undoes a file outside the workspace that the child was allowed to change', async () => {
    const folder = await outside();
    const path = join(folder, 'f.txt');
    const fixture = await start({ A: changes(write(path, 'made\n')) }, { permissions: { user: { allow: [`Write(/${folder}/**)`, `Edit(/${folder}/**)`] } } });
    const [a] = await fixture.run('A');
    assert.equal(await readFile(path, 'utf8'), 'made\n');
    assert.deepEqual(await fixture.agent.reviews.undo(a?.agentId ?? ''), { undone: [path], conflicts: [], unsaved: [] });
    await assert.rejects(readFile(path), { code: 'ENOENT' });
  });

  it('takes a binary file as one, and brings it back', async () => {
    const fixture = await start({ A: changes(write('b.bin', 'a\0b')), B: [{ calls: [{ name: 'Read', input: { file_path: 'b.bin' } }] }, ...changes(write('b.bin', 'other\0'))] });
    const [a] = await fixture.run('A');
    assert.ok(a);
    const made = await fixture.file(a.agentId, 'b.bin');
    assert.deepEqual([made.kind, made.isBinary, made.added, made.removed, made.hunks.length], ['created', true, 0, 0, 1]);
    await fixture.agent.reviews.accept(a.agentId, { path: made.path, hunks: [made.hunks[0]?.id ?? ''] });
    assert.equal(fixture.child(a.agentId).taskStatus, 'completed');
    await fixture.save('b.bin', 'mine\0');
    assert.equal((await fixture.file(a.agentId, 'b.bin')).state, 'accepted');
  });

  it('takes back a line of a file of 10 MB, and nothing else of it', async () => {
    const big = `one\ntwo\n${`${'a long line of a big file '.repeat(10)}\n`.repeat(40_000)}`;
    const { fixture, agentId } = await edited({}, { 'big.txt': big });
    const file = await fixture.file(agentId, 'big.txt');
    assert.deepEqual([file.added, file.removed, file.hunks.map(({ lines }) => lines)], [1, 1, [{ start: 1, end: 2 }]]);
    await fixture.agent.reviews.undo(agentId);
    assert.equal(await fixture.text('big.txt'), big);
  });

  it('undoes a hundred files', async () => {
    const names = Array.from({ length: 100 }, (_, index) => `sub${index % 10}/f${index}.txt`);
    const fixture = await start({ A: [{ calls: names.map((name) => ({ name: 'Write', input: { file_path: name, content: `${name}\n` } })) }, { text: 'Done.' }] });
    const [a] = await fixture.run('A');
    const { agentId = '' } = a ?? {};
    assert.equal((await fixture.agent.reviews.changes(agentId)).length, 100);
    assert.equal((await fixture.agent.reviews.undo(agentId)).undone.length, 100);
    assert.equal(fixture.child(agentId).taskStatus, 'completed');
  });

  it('shows what isn’t kept, and accepts it only as a whole', async () => {
    const fixture = await start({ A: changes(write('f.txt', 'made\n')) }, { checkpoints: false });
    const [a] = await fixture.run('A');
    const { agentId = '' } = a ?? {};
    const [file] = await fixture.agent.reviews.changes(agentId);
    assert.deepEqual([file?.path, file?.state, file?.hunks], [fixture.path('f.txt'), 'open', []]);
    assert.ok(file?.unknown);
    const report = await fixture.agent.reviews.undo(agentId);
    assert.deepEqual([report.undone, report.conflicts.length, await fixture.text('f.txt')], [[], 1, 'made\n']);
    await assert.rejects(fixture.agent.reviews.diff(agentId, fixture.path('f.txt')), { reason: 'not_found' });
    await assert.rejects(fixture.agent.reviews.accept(agentId, { path: fixture.path('f.txt') }), { reason: 'unavailable' });
    assert.equal(fixture.child(agentId).taskStatus, 'review');
    await fixture.agent.reviews.accept(agentId);
    assert.equal(fixture.child(agentId).taskStatus, 'completed');
  });

  it('decides nothing any more once the agent is closed, and loses nothing that was being decided', async () => {
    const { fixture, agentId } = await edited({});
    const undoing = fixture.agent.reviews.undo(agentId);
    await fixture.agent.close();
    assert.equal((await undoing).undone.length, 1);
    await assert.rejects(fixture.agent.reviews.accept(agentId), { reason: 'closed' });
    const next = await fixture.again();
    open.push(next);
    assert.deepEqual([(await next.file(agentId, 'f.txt')).state, next.child(agentId).taskStatus], ['undone', 'completed']);
  });
});
