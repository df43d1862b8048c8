import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { chmod, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { changes, edits, write } from '../../support/reviewFixture.ts';
import type { ScriptedTurn } from '../../support/scriptedModel.ts';
import { bash, reopenInWorktrees, startInWorktrees, type WorktreeFixture } from '../../support/worktrees.ts';

const LINES = { 'a.txt': 'a1\na2\na3\na4\na5\n', 'b.txt': 'b1\nb2\nb3\n', 'gone.txt': 'gone\n' };
/** Turns without their last word. */
const begun = (turns: readonly ScriptedTurn[]): readonly ScriptedTurn[] => turns.slice(0, -1);

describe('reviewing what a child did in its worktree', function () {
  this.timeout(60_000);
  let fixture: WorktreeFixture;
  afterEach(() => fixture.end());

  /** Runs one child and gives its id. */
  const child = async (turns: readonly ScriptedTurn[], options: Parameters<typeof startInWorktrees>[1] = {}): Promise<string> => {
    fixture = await startInWorktrees({ A: turns }, { files: LINES, ...options });
    return (await fixture.run('A'))[0]?.agentId ?? '';
  };
  const states = async (agentId: string): Promise<Readonly<Record<string, string>>> =>
    Object.fromEntries<string>((await fixture.review.agent.reviews.changes(agentId)).map(({ path, state, kind, added, removed }) => [path.slice(fixture.repository.path.length + 1), `${state} ${kind} +${added} -${removed}`] as const).toSorted());

  it('shows each file by the path of the workspace, with what it began from on the left', async () => {
    const agentId = await child([...begun(edits('a.txt', ['a2', 'A2'])), ...begun(changes(write('made.txt', 'made\n'))), ...bash('git rm -q gone.txt')]);
    assert.deepEqual(await states(agentId), { 'a.txt': 'open edited +1 -1', 'gone.txt': 'open deleted +0 -1', 'made.txt': 'open created +1 -0' });
    await fixture.review.save('a.txt', 'mine\n');
    const { before, after, isPresent } = await fixture.review.agent.reviews.diff(agentId, fixture.review.path('a.txt'));
    assert.deepEqual([String(Buffer.from(before ?? [])), String(Buffer.from(after ?? [])), isPresent], ['a1\na2\na3\na4\na5\n', 'a1\nA2\na3\na4\na5\n', false]);
  });

  it('merges what is accepted into the files, touches the index nowhere, and removes the worktree', async () => {
    const agentId = await child([...begun(edits('a.txt', ['a5', 'A5'])), ...begun(changes(write('made.txt', 'made\n'))), ...bash('rm gone.txt', 'mkdir -p deep/er && echo "#!/bin/sh" > deep/er/run.sh && chmod +x deep/er/run.sh', 'printf "\\0\\1" > blob.bin')]);
    await fixture.review.save('a.txt', 'MINE\na2\na3\na4\na5\n');
    const index = fixture.repository.git('ls-files', '--stage');
    const report = await fixture.review.agent.reviews.accept(agentId);
    assert.deepEqual([report.accepted.length, report.conflicts], [5, []]);
    assert.equal(await fixture.review.text('a.txt'), 'MINE\na2\na3\na4\nA5\n');
    assert.equal(await fixture.review.text('made.txt'), 'made\n');
    assert.equal(existsSync(fixture.review.path('gone.txt')), false);
    assert.deepEqual([...(await readFile(fixture.review.path('blob.bin')))], [0, 1]);
    assert.ok(statSync(fixture.review.path('deep/er/run.sh')).mode & 0o100);
    assert.equal(fixture.repository.git('ls-files', '--stage'), index);
    assert.equal(fixture.review.child(agentId).taskStatus, 'completed');
    assert.deepEqual(fixture.review.recorder.of('worktree.applied').map(({ paths }) => paths.length), [5]);
    await fixture.removed(agentId);
    assert.equal(existsSync(fixture.tree(agentId)), false);
    assert.equal(existsSync(join(fixture.repository.path, '.git/worktrees')), false);
    assert.equal((await states(agentId))['a.txt']?.split(' ')[0], 'accepted');
  });

  it('writes nothing into a file in conflict, says so, and leaves it in review with its worktree', async () => {
    const agentId = await child([...begun(edits('a.txt', ['a2', 'A2'])), ...edits('b.txt', ['b1', 'B1'])]);
    await fixture.review.save('a.txt', 'a1\nmine\na3\na4\na5\n');
    const report = await fixture.review.agent.reviews.accept(agentId);
    assert.deepEqual(report.accepted, [fixture.review.path('b.txt')]);
    assert.deepEqual(report.conflicts.map(({ path }) => path), [fixture.review.path('a.txt')]);
    assert.match(report.conflicts[0]?.why ?? '', /changed these lines in the workspace/);
    assert.equal(await fixture.review.text('a.txt'), 'a1\nmine\na3\na4\na5\n');
    assert.equal(fixture.review.child(agentId).taskStatus, 'review');
    const [hunk] = (await fixture.review.file(agentId, 'a.txt')).hunks;
    assert.match(hunk?.conflict ?? '', /changed these lines/);
    assert.match((await fixture.review.recorder.until('worktree.kept', ({ why }) => why.includes('1 file'))).why, /a\.txt/);
    // Settled by hand: what is left of the child's version is discarded.
    await fixture.review.agent.reviews.undo(agentId, { path: fixture.review.path('a.txt') });
    assert.equal(fixture.review.child(agentId).taskStatus, 'completed');
    await fixture.removed(agentId);
    assert.equal(await fixture.review.text('a.txt'), 'a1\nmine\na3\na4\na5\n');
  });

  it('refuses to complete a task over a conflict', async () => {
    const agentId = await child(edits('a.txt', ['a2', 'A2']));
    await fixture.review.save('a.txt', 'other\n');
    await assert.rejects(fixture.review.agent.tasks.accept(fixture.review.child(agentId).taskId ?? ''), { reason: 'conflict' });
    assert.equal(fixture.review.child(agentId).taskStatus, 'review');
  });

  it('accepts and discards single hunks, the rest staying open', async () => {
    const agentId = await child(edits('a.txt', ['a1', 'A1'], ['a3', 'A3'], ['a5', 'A5']));
    const path = fixture.review.path('a.txt');
    const [first, , third] = (await fixture.review.file(agentId, 'a.txt')).hunks;
    await fixture.review.agent.reviews.accept(agentId, { path, hunks: [first?.id ?? ''] });
    assert.equal(await fixture.review.text('a.txt'), 'A1\na2\na3\na4\na5\n');
    await fixture.review.agent.reviews.undo(agentId, { path, hunks: [third?.id ?? ''] });
    assert.equal(await readFile(join(fixture.tree(agentId), 'a.txt'), 'utf8'), 'A1\na2\nA3\na4\na5\n');
    const left = await fixture.review.file(agentId, 'a.txt');
    assert.deepEqual([left.state, left.hunks.map(({ now }) => now)], ['open', [['A3']]]);
    await assert.rejects(fixture.review.agent.reviews.accept(agentId, { path, hunks: [third?.id ?? ''] }), { reason: 'conflict' });
    await fixture.review.agent.reviews.accept(agentId, { path });
    assert.equal(await fixture.review.text('a.txt'), 'A1\na2\nA3\na4\na5\n');
    assert.equal((await fixture.review.file(agentId, 'a.txt')).state, 'mixed');
  });

  it('accepts pieces of one file in two windows at once, and each counts', async () => {
    fixture = await startInWorktrees({ A: edits('a.txt', ['a1', 'A1'], ['a3', 'A3'], ['a5', 'A5']) }, { files: { 'a.txt': 'a1\na2\na3\na4\na5\n' } });
    const agentId = (await fixture.run('A'))[0]?.agentId ?? '';
    const other = await reopenInWorktrees(fixture);
    try {
      const { path, hunks } = await fixture.review.file(agentId, 'a.txt');
      const reports = await Promise.all([fixture, other].map(({ review }, index) => review.agent.reviews.accept(agentId, { path, hunks: [hunks[index]?.id ?? ''] })));
      assert.deepEqual(reports.map(({ accepted }) => accepted), [[path], [path]]);
      assert.equal(await fixture.review.text('a.txt'), 'A1\na2\nA3\na4\na5\n');
      assert.deepEqual((await other.review.file(agentId, 'a.txt')).hunks.map(({ now }) => now), [['A5']]);
    } finally {
      await other.end();
    }
  });

  it('takes back all in the worktree, and keeps what was there', async () => {
    const agentId = await child([...begun(edits('a.txt', ['a2', 'A2'])), ...begun(changes(write('made.txt', 'made\n'))), ...bash('rm gone.txt')]);
    const report = await fixture.review.agent.reviews.undo(agentId);
    assert.equal(report.undone.length, 3);
    await fixture.removed(agentId);
    assert.equal(await fixture.review.text('a.txt'), LINES['a.txt']);
    assert.deepEqual(new Set(Object.values(await states(agentId)).map((line) => line.split(' ')[0])), new Set(['undone']));
    const { after } = await fixture.review.agent.reviews.diff(agentId, fixture.review.path('made.txt'));
    assert.equal(String(Buffer.from(after ?? [])), 'made\n');
  });

  it('takes a conflict for what it is where a file was made or deleted on both sides', async () => {
    const agentId = await child([...begun(changes(write('made.txt', 'theirs\n'))), ...bash('rm gone.txt', 'echo B >> b.txt')]);
    await fixture.review.save('made.txt', 'mine\n');
    await fixture.review.save('gone.txt', 'changed\n');
    await unlink(fixture.review.path('b.txt'));
    const { conflicts, accepted } = await fixture.review.agent.reviews.accept(agentId);
    assert.deepEqual([conflicts.map(({ path }) => path.split('/').at(-1)).sort(), accepted], [['b.txt', 'gone.txt', 'made.txt'], []]);
    assert.deepEqual([await fixture.review.text('made.txt'), await fixture.review.text('gone.txt'), existsSync(fixture.review.path('b.txt'))], ['mine\n', 'changed\n', false]);
  });

  it('merges a file that was moved as one that goes and one that comes', async () => {
    const agentId = await child(bash('git mv a.txt moved.txt'));
    assert.deepEqual(await states(agentId), { 'a.txt': 'open deleted +0 -5', 'moved.txt': 'open created +5 -0' });
    await fixture.review.agent.reviews.accept(agentId);
    assert.deepEqual([existsSync(fixture.review.path('a.txt')), await fixture.review.text('moved.txt')], [false, LINES['a.txt']]);
  });

  describe('a file in the place of a folder, and a folder in the place of a file', () => {
    const FILES = { 'a.txt': 'a\n', 'dir/x.txt': 'x\n', 'dir/deep/y.txt': 'y\n' };
    const swap = bash('rm a.txt && mkdir -p a.txt/in && echo 1 > a.txt/in/1.txt && echo 2 > a.txt/2.txt', 'rm -r dir && echo file > dir');

    it('are merged as a whole, by either half', async () => {
      const agentId = await child(swap, { files: FILES });
      const report = await fixture.review.agent.reviews.accept(agentId, { path: fixture.review.path('a.txt/2.txt') });
      assert.deepEqual([report.accepted.length, report.conflicts], [3, []]);
      assert.deepEqual([await fixture.review.text('a.txt/in/1.txt'), await fixture.review.text('a.txt/2.txt'), await fixture.review.text('dir/x.txt')], ['1\n', '2\n', 'x\n']);
      assert.deepEqual((await fixture.review.agent.reviews.accept(agentId)).conflicts, []);
      assert.equal(await fixture.review.text('dir'), 'file\n');
      await fixture.removed(agentId);
    });

    it('are taken back as a whole', async () => {
      const agentId = await child(swap, { files: FILES });
      assert.deepEqual((await fixture.review.agent.reviews.undo(agentId, { path: fixture.review.path('dir') })).conflicts, []);
      assert.deepEqual((await fixture.review.agent.reviews.undo(agentId)).conflicts, []);
      assert.deepEqual(new Set(Object.values(await states(agentId)).map((line) => line.split(' ')[0])), new Set(['undone']));
      await fixture.removed(agentId);
    });

    it('are left alone as a whole where a file in the folder was changed in the workspace, or made there', async () => {
      const agentId = await child(swap, { files: FILES });
      await fixture.review.save('dir/deep/y.txt', 'mine\n');
      await fixture.review.save('a.txt', 'mine\n');
      const report = await fixture.review.agent.reviews.accept(agentId);
      assert.deepEqual([report.accepted, report.conflicts.length], [[], 6]);
      await fixture.review.save('dir/deep/y.txt', 'y\n');
      await fixture.review.save('dir/mine.txt', 'mine\n');
      const { conflicts } = await fixture.review.agent.reviews.accept(agentId, { path: fixture.review.path('dir') });
      assert.deepEqual(conflicts.map(({ why }) => why.includes('with other files in it')), [true, true, true]);
      assert.deepEqual([await fixture.review.text('dir/x.txt'), await fixture.review.text('dir/deep/y.txt')], ['x\n', 'y\n']);
    });
  });

  it('takes over whether a file may be run', async () => {
    const agentId = await child(bash('chmod +x b.txt'));
    assert.match((await fixture.review.file(agentId, 'b.txt')).unknown ?? '', /may be run/);
    await fixture.review.agent.reviews.accept(agentId);
    assert.ok(statSync(fixture.review.path('b.txt')).mode & 0o100);
    await fixture.removed(agentId);
  });

  it('leaves it as it is when a second round is accepted', async () => {
    const agentId = await child([...edits('run.sh', ['one', 'two']), ...edits('run.sh', ['two', 'three'])], {
      files: { 'run.sh': 'one\n' },
      prepare: async (repository) => {
        await chmod(join(repository.path, 'run.sh'), 0o755);
        repository.git('commit', '-q', '-a', '-m', 'may be run');
      },
    });
    const { agent } = fixture.review;
    await agent.reviews.accept(agentId);
    await fixture.removed(agentId);
    await fixture.review.delivered((await agent.resumeChild(agentId, { prompt: 'More.' })).groupId);
    await agent.reviews.accept(agentId);
    assert.equal(await fixture.review.text('run.sh'), 'three\n');
    assert.ok(statSync(fixture.review.path('run.sh')).mode & 0o100);
  });

  it('takes it over again where a second round changes it back', async () => {
    const agentId = await child([...bash('chmod +x b.txt'), ...bash('chmod -x b.txt')]);
    const { agent } = fixture.review;
    await agent.reviews.accept(agentId);
    await fixture.removed(agentId);
    await fixture.review.delivered((await agent.resumeChild(agentId, { prompt: 'More.' })).groupId);
    assert.equal((await fixture.review.file(agentId, 'b.txt')).state, 'open');
    await agent.reviews.accept(agentId);
    assert.equal(statSync(fixture.review.path('b.txt')).mode & 0o100, 0);
  });

  it('keeps that the child changed it when a single hunk is taken back', async () => {
    const agentId = await child(bash('sed -i "s/a1/A1/;s/a5/A5/" a.txt; chmod +x a.txt'));
    const { hunks } = await fixture.review.file(agentId, 'a.txt');
    await fixture.review.agent.reviews.undo(agentId, { path: fixture.review.path('a.txt'), hunks: [hunks[0]?.id ?? ''] });
    assert.ok(statSync(join(fixture.tree(agentId), 'a.txt')).mode & 0o100);
    await fixture.review.agent.reviews.accept(agentId);
    assert.equal(await fixture.review.text('a.txt'), 'a1\na2\na3\na4\nA5\n');
    assert.ok(statSync(fixture.review.path('a.txt')).mode & 0o100);
  });

  it('goes on in the same worktree when changes are requested, and the accepted part stays so', async () => {
    const agentId = await child([...edits('a.txt', ['a1', 'A1']), ...edits('a.txt', ['a5', 'A5'])]);
    await fixture.review.agent.reviews.accept(agentId, { path: fixture.review.path('a.txt') });
    await fixture.removed(agentId);
    const group = await fixture.review.agent.reviews.requestChanges(agentId, { text: 'More.' });
    await fixture.review.delivered(group.groupId);
    const left = await fixture.review.file(agentId, 'a.txt');
    assert.deepEqual([left.state, left.hunks.map(({ before, now }) => [before, now])], ['open', [[['a5'], ['A5']]]]);
    await fixture.review.agent.reviews.accept(agentId);
    assert.equal(await fixture.review.text('a.txt'), 'A1\na2\na3\na4\nA5\n');
  });

  it('counts as accepted what stands in the file already, as after a crash before that could be kept', async () => {
    const agentId = await child(edits('a.txt', ['a1', 'A1'], ['a5', 'A5']));
    await fixture.review.save('a.txt', 'A1\na2\nmine\na4\na5\n');
    const { conflicts } = await fixture.review.agent.reviews.accept(agentId);
    assert.deepEqual([conflicts, await fixture.review.text('a.txt')], [[], 'A1\na2\nmine\na4\nA5\n']);
  });

  it('does not merge a link, and keeps its worktree', async () => {
    const agentId = await child(bash('ln -s b.txt link.txt'));
    const { conflicts } = await fixture.review.agent.reviews.accept(agentId);
    assert.match(conflicts[0]?.why ?? '', /symbolic link/);
    assert.match(await fixture.kept(agentId), /link\.txt/);
  });

  it('leaves children without a worktree alone, whose changes are in the same file', async () => {
    fixture = await startInWorktrees({ A: edits('a.txt', ['a1', 'A1']), B: edits('a.txt', ['a5', 'B5']) }, { files: LINES });
    const [first] = await fixture.run('A');
    const [second] = await fixture.review.run('B');
    await fixture.review.agent.reviews.accept(first?.agentId ?? '');
    assert.equal(await fixture.review.text('a.txt'), 'A1\na2\na3\na4\nB5\n');
    const { hunks } = await fixture.review.file(second?.agentId ?? '', 'a.txt');
    assert.deepEqual(hunks.map(({ now, conflict }) => [now, conflict]), [[['B5'], undefined]]);
    await fixture.review.agent.reviews.undo(second?.agentId ?? '');
    assert.equal(await fixture.review.text('a.txt'), 'A1\na2\na3\na4\na5\n');
  });

  it('is part of what a group changed, and of what is undone for it', async () => {
    fixture = await startInWorktrees({ A: edits('a.txt', ['a1', 'A1']), B: [...begun(edits('a.txt', ['a5', 'B5'])), ...edits('b.txt', ['b1', 'B1'])] }, { files: LINES });
    const [first, second] = await fixture.run('A', 'B');
    const groupId = first?.groupId ?? '';
    const { reviews } = fixture.review.agent;
    const files = await reviews.groupChanges(groupId);
    assert.deepEqual(files.map(({ path, hunks }) => [path.split('/').at(-1), hunks.map(({ now }) => now)]), [['a.txt', [['A1']]], ['b.txt', [['B1']]]]);
    assert.equal(String(Buffer.from((await reviews.groupDiff(groupId, fixture.review.path('b.txt'))).after ?? [])), 'B1\nb2\nb3\n');
    assert.equal((await reviews.undoGroup(groupId)).undone.length, 3);
    for (const each of [first, second]) await fixture.removed(each?.agentId ?? '');
    assert.equal(await fixture.review.text('a.txt'), LINES['a.txt']);
  });

  it('knows no file that the child left alone', async () => {
    const agentId = await child(edits('a.txt', ['a1', 'A1']));
    await assert.rejects(fixture.review.agent.reviews.file(agentId, fixture.review.path('b.txt')), { reason: 'not_found' });
  });
});
