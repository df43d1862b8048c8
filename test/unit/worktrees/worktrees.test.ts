import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { WorktreeSpec } from '../../../src/runtime/domain/agents.ts';
import { WorktreeRecords, type WorktreeRecord } from '../../../src/runtime/worktrees/records.ts';
import { Worktrees } from '../../../src/runtime/worktrees/worktrees.ts';
import { temporaryFolder } from '../../support/toolContext.ts';
import { GitRepository } from '../../support/worktrees.ts';

const NEVER = new AbortController().signal;
const none = async (): Promise<ReadonlyMap<string, never>> => new Map<string, never>();

describe('worktrees on the disk', function () {
  this.timeout(20_000);
  let base: { readonly path: string; remove(): Promise<void> };
  let repository: GitRepository;
  let folder: string;
  let worktrees: Worktrees;
  let spec: WorktreeSpec;
  beforeEach(async () => {
    base = await temporaryFolder();
    repository = new GitRepository(join(base.path, 'main'));
    await repository.init({ 'a.txt': 'a1\n', 'dir/b.txt': 'b1\n' });
    folder = join(base.path, 'storage', 'worktrees');
    worktrees = again();
    spec = await worktrees.specify('agent-1', await worktrees.plan(repository.path));
  });
  afterEach(() => base.remove());

  const again = (): Worktrees => new Worktrees({ folder, env: { PATH: process.env['PATH'], HOME: base.path } });
  const open = (isNew: boolean, signal = NEVER): Promise<boolean> => worktrees.open('agent-1', spec, repository.path, isNew, none, signal);
  const record = async (change: Partial<WorktreeRecord>): Promise<void> => {
    const records = new WorktreeRecords(folder);
    const known = await records.read('agent-1');
    assert.ok(known);
    await records.write({ ...known, ...change });
  };

  it('are made once and found again, by another process too', async () => {
    assert.equal(await open(true), true);
    await writeFile(join(spec.path, 'a.txt'), 'mine\n');
    worktrees = again();
    assert.equal(await open(false), false);
    assert.deepEqual((await worktrees.changes('agent-1')).map(({ path, kind }) => [path, kind]), [[join(repository.path, 'a.txt'), 'edited']]);
  });

  it('are made anew where the host died while one was made', async () => {
    await open(true);
    for (const leave of [async () => rm(join(spec.path, 'a.txt')), async () => rm(`${spec.path}.index`), async () => rm(spec.path, { recursive: true }), async () => rm(join(repository.path, '.git/worktrees'), { recursive: true })]) {
      await record({ state: 'creating' });
      await leave();
      assert.equal(await open(true), true);
      assert.deepEqual(await worktrees.changes('agent-1'), []);
      assert.deepEqual(await readdir(join(repository.path, '.git/worktrees')), ['agent-1']);
    }
  });

  it('go for good where the host died while one was removed, and what is gone of them is nobody\'s change', async () => {
    await open(true);
    await record({ state: 'removed' });
    await rm(join(spec.path, 'a.txt'));
    await assert.rejects(worktrees.changes('agent-1'), { reason: 'not_found' });
    assert.equal(await worktrees.endRemoval('agent-1'), true);
    assert.deepEqual([existsSync(spec.path), existsSync(join(repository.path, '.git/worktrees'))], [false, false]);
  });

  it('leave nothing behind where they can\'t be made', async () => {
    await assert.rejects(worktrees.open('agent-1', { ...spec, base: '0'.repeat(40) }, repository.path, true, none, NEVER), { reason: 'unavailable' });
    assert.deepEqual([existsSync(spec.path), existsSync(join(repository.path, '.git/worktrees'))], [false, false]);
  });

  it('are said to be gone where somebody removed one, and not made again', async () => {
    await open(true);
    await rm(spec.path, { recursive: true });
    await assert.rejects(open(false), /is gone, and with it what was not merged/);
    await assert.rejects(worktrees.changes('agent-1'), { reason: 'not_found' });
  });

  it('of others stay as they are when one goes, also those whose folder is not there', async () => {
    repository.git('worktree', 'add', '-q', '-b', 'side', '../users');
    await rm(join(base.path, 'users'), { recursive: true });
    await open(true);
    await worktrees.remove('agent-1');
    assert.deepEqual(await readdir(join(repository.path, '.git/worktrees')), ['users']);
  });

  it('are looked at by what git keeps, not by what the child put in the place of that', async () => {
    await open(true);
    const evil = new GitRepository(join(base.path, 'evil'));
    await evil.init({ 'a.txt': 'other\n' });
    evil.git('config', 'core.fsmonitor', `touch ${join(base.path, 'marker')}`);
    await writeFile(join(spec.path, '.git'), `gitdir: ${join(evil.path, '.git')}\n`);
    await writeFile(join(spec.path, 'new.txt'), 'new\n');
    assert.deepEqual((await worktrees.changes('agent-1')).map(({ path }) => path), [join(repository.path, 'new.txt')]);
    assert.equal(existsSync(join(base.path, 'marker')), false);
  });

  it('are written through no link that leads out of them', async () => {
    await open(true);
    const outside = join(base.path, 'outside');
    await mkdir(outside);
    await rm(join(spec.path, 'dir'), { recursive: true });
    await symlink(outside, join(spec.path, 'dir'));
    const deleted = (await worktrees.changes('agent-1')).find(({ kind }) => kind === 'deleted');
    assert.ok(deleted);
    await assert.rejects(worktrees.put('agent-1', deleted, Buffer.from('b1\n'), false), { reason: 'conflict' });
    await worktrees.put('agent-1', deleted, undefined, false);
    assert.deepEqual(await readdir(outside), []);
  });

  it('are made one at a time, all of them', async () => {
    const ids = ['agent-2', 'agent-3', 'agent-4'];
    const others = [worktrees, again(), again()];
    await Promise.all(ids.map(async (id, index) => {
      const own = others[index] ?? worktrees;
      const other = await own.specify(id, await own.plan(repository.path));
      await own.open(id, other, repository.path, true, none, NEVER);
    }));
    for (const id of ids) assert.equal(await readFile(join(folder, id, 'a.txt'), 'utf8'), 'a1\n');
    assert.equal(dirname(spec.path), folder);
  });

  it('protect the other worktrees of the repository, as they are by now, and know the home folder of their commands', async () => {
    await open(true);
    const guard = await worktrees.guard('agent-1', spec);
    repository.git('worktree', 'add', '-q', '-b', 'side', '../users');
    const { protects, home } = await guard.limits();
    assert.deepEqual([protects.includes(join(base.path, 'users')), protects.includes(spec.path), home], [true, false, base.path]);
  });

  it('leave a branch that they are on at the same commit, and nothing else changes', async () => {
    await open(true);
    const guard = await worktrees.guard('agent-1', spec);
    const own = new GitRepository(spec.path);
    assert.equal(await guard.leaveBranch(), undefined);
    own.git('switch', '-q', '-c', 'other');
    own.git('commit', '-q', '--allow-empty', '-m', 'on it');
    await writeFile(join(spec.path, 'a.txt'), 'staged\n');
    own.git('add', '-A');
    const [head, status] = [own.head, own.git('status', '--porcelain')];
    assert.equal(await guard.leaveBranch(), 'other');
    assert.throws(() => own.git('symbolic-ref', '-q', 'HEAD'));
    assert.deepEqual([own.head, own.git('status', '--porcelain'), repository.git('rev-parse', 'other')], [head, status, head]);
    own.git('checkout', '-q', '--orphan', 'empty');
    assert.equal(await guard.leaveBranch(), 'empty');
    assert.equal(own.head, spec.base);
  });

  it('count what git ignores as changed where it was added all the same', async () => {
    await open(true);
    const own = new GitRepository(spec.path);
    await writeFile(join(spec.path, '.gitignore'), '*.log\n');
    for (const name of ['added.log', 'left.log']) await writeFile(join(spec.path, name), 'x\n');
    own.git('add', '-f', 'added.log');
    assert.deepEqual((await worktrees.changes('agent-1')).map(({ path, kind }) => [path, kind]), [[repository.path, '.gitignore'], [repository.path, 'added.log']].map(([folder = '', name = '']) => [join(folder, name), 'created']));
  });

  it('bring contents back that were accepted, when one is made again', async () => {
    await open(true);
    await worktrees.remove('agent-1');
    await worktrees.open('agent-1', spec, repository.path, false, async () => new Map([[join(repository.path, 'a.txt'), { bytes: Buffer.from('a2\n') }], [join(repository.path, 'dir/b.txt'), { bytes: undefined }]]), NEVER);
    assert.deepEqual((await worktrees.changes('agent-1')).map(({ kind }) => kind), ['edited', 'deleted']);
  });

  it('bring them back also after a time when one could not be made again', async () => {
    const accepted = async (): Promise<ReadonlyMap<string, { readonly bytes: Buffer }>> => new Map([[join(repository.path, 'a.txt'), { bytes: Buffer.from('a2\n') }]]);
    await open(true);
    await worktrees.remove('agent-1');
    const blocker = join(repository.path, '.git/worktrees');
    await writeFile(blocker, '');
    await assert.rejects(worktrees.open('agent-1', spec, repository.path, false, accepted, NEVER), { reason: 'unavailable' });
    await rm(blocker);
    await assert.rejects(worktrees.open('agent-1', spec, repository.path, false, accepted, AbortSignal.abort()));
    await assert.rejects(worktrees.open('agent-1', spec, repository.path, false, () => Promise.reject(new Error('lost')), NEVER), /lost/);
    assert.equal(await worktrees.open('agent-1', spec, repository.path, false, accepted, NEVER), true);
    assert.equal(await readFile(join(spec.path, 'a.txt'), 'utf8'), 'a2\n');
  });

  describe('in which something is staged', () => {
    let tree: GitRepository;
    beforeEach(async () => {
      await repository.write('.gitignore', 'dist/\n');
      repository.git('add', '-A');
      repository.git('commit', '-q', '-m', 'ignore');
      spec = await worktrees.specify('agent-1', await worktrees.plan(repository.path));
      await open(true);
      tree = new GitRepository(spec.path);
    });
    const seen = async (): Promise<readonly unknown[]> => (await worktrees.changes('agent-1')).map(({ path, kind, problem }) => [path.slice(repository.path.length + 1), kind, problem?.includes('is staged') ?? false]);

    it('tell of a file that git ignores, but that was added all the same', async () => {
      await tree.write('dist/out.js', 'work\n');
      await tree.write('dist/other.js', 'left out\n');
      tree.git('add', '-f', 'dist/out.js');
      assert.deepEqual(await seen(), [['dist/out.js', 'created', false]]);
    });

    it('tell of what stands in no file, as what can\'t be merged', async () => {
      await tree.write('new.txt', 'work\n');
      await tree.write('a.txt', 'work on a\n');
      await tree.write('dir/b.txt', 'work on b\n');
      tree.git('add', '-A');
      await rm(join(spec.path, 'new.txt'));
      await rm(join(spec.path, 'dir/b.txt'));
      await tree.write('a.txt', 'a1\n');
      assert.deepEqual(await seen(), [['a.txt', 'edited', true], ['dir/b.txt', 'deleted', true], ['new.txt', 'created', true]]);
    });

    it('hold nothing more of what is taken back', async () => {
      await tree.write('dist/out.js', 'work\n');
      await tree.write('a.txt', 'work on a\n');
      tree.git('add', '-f', 'dist/out.js', 'a.txt');
      for (const change of await worktrees.changes('agent-1')) await worktrees.put('agent-1', change, await worktrees.before('agent-1', change), false);
      assert.deepEqual(await seen(), []);
      assert.equal(tree.git('status', '--porcelain'), '');
    });

    it('tell of no problem where the child went on with the file, moved it or committed it', async () => {
      await tree.write('a.txt', 'draft\n');
      await tree.write('new.txt', 'work\n');
      await tree.write('dir/b.txt', 'committed\n');
      tree.git('add', '-A');
      tree.git('commit', '-q', '-m', 'work', 'dir/b.txt');
      await tree.write('a.txt', 'final\n');
      await rename(join(spec.path, 'new.txt'), join(spec.path, 'moved.txt'));
      await tree.write('dir/b.txt', 'b1\n');
      assert.deepEqual(await seen(), [['a.txt', 'edited', false], ['moved.txt', 'created', false]]);
    });
  });

  describe('in which commits were undone', () => {
    const undo = (tree: GitRepository): void => {
      tree.git('commit', '-q', '--allow-empty', '-m', 'work');
      tree.git('reset', '-q', '--hard', 'HEAD~1');
    };

    it('tell how many, also where git is set to keep no record of them', async () => {
      repository.git('config', 'core.logAllRefUpdates', 'false');
      await open(true);
      assert.deepEqual(await worktrees.commits('agent-1'), { count: 0, isKnown: true });
      undo(new GitRepository(spec.path));
      assert.deepEqual(await worktrees.commits('agent-1'), { count: 1, isKnown: true });
    });

    it('say that there may be more where the record of them is gone', async () => {
      await open(true);
      const tree = new GitRepository(spec.path);
      undo(tree);
      tree.git('reflog', 'expire', '--expire=now', '--all');
      assert.deepEqual(await worktrees.commits('agent-1'), { count: 1, isKnown: false });
      for (const name of ['logs', 'ORIG_HEAD']) await rm(join(repository.path, '.git/worktrees/agent-1', name), { recursive: true });
      assert.deepEqual(await worktrees.commits('agent-1'), { count: 0, isKnown: false });
    });

    it('find them however much was done since', async () => {
      await open(true);
      undo(new GitRepository(spec.path));
      const log = join(repository.path, '.git/worktrees/agent-1/logs/HEAD');
      const moved = `${spec.base} ${spec.base} a <a@example.org> 1700000000 +0000\treset: moving to HEAD\n`;
      await appendFile(log, moved.repeat(2_000));
      assert.deepEqual(await worktrees.commits('agent-1'), { count: 1, isKnown: true });
    });

    it('find the one that a branch was moved away from', async () => {
      await open(true);
      const tree = new GitRepository(spec.path);
      const lost = tree.git('commit-tree', '-p', 'HEAD', '-m', 'work', 'HEAD^{tree}');
      await writeFile(join(repository.path, '.git/worktrees/agent-1/ORIG_HEAD'), `${lost}\n`);
      assert.deepEqual(await worktrees.commits('agent-1'), { count: 1, isKnown: true });
    });
  });

  describe('whose commit has a submodule', () => {
    beforeEach(async () => {
      const other = new GitRepository(join(base.path, 'other'));
      await other.init({ 'inner.txt': 'inner\n' });
      repository.git('submodule', '--quiet', 'add', other.path, 'sub');
      repository.git('commit', '-q', '-m', 'sub');
      spec = await worktrees.specify('agent-1', await worktrees.plan(repository.path));
      await open(true);
    });
    const seen = async (): Promise<readonly unknown[]> => (await worktrees.changes('agent-1')).map(({ path, kind, problem }) => [path, kind, problem !== undefined]);

    it('have no change where its folder stayed empty', async () => {
      assert.deepEqual(await seen(), []);
    });

    it('tell of a file that was made in its folder, as what can\'t be merged', async () => {
      await writeFile(join(spec.path, 'sub/new.txt'), 'work\n');
      assert.deepEqual(await seen(), [[join(repository.path, 'sub'), 'edited', true]]);
    });

    it('tell of a submodule that was checked out and worked in', async () => {
      new GitRepository(spec.path).git('submodule', '--quiet', 'update', '--init');
      await writeFile(join(spec.path, 'sub/inner.txt'), 'work\n');
      assert.deepEqual(await seen(), [[join(repository.path, 'sub'), 'edited', true]]);
    });
  });
});
