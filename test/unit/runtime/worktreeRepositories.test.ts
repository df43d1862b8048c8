import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { changes, write } from '../../support/reviewFixture.ts';
import { toolResults } from '../../support/agentFixture.ts';
import { bash, GitRepository, reopenInWorktrees, startInWorktrees, type WorktreeFixture } from '../../support/worktrees.ts';

describe('worktrees of real repositories', function () {
  this.timeout(60_000);
  let fixture: WorktreeFixture;
  afterEach(() => fixture.end());

  const outputs = (): readonly string[] => fixture.review.model.requests.flatMap(toolResults).map(({ text }) => text);
  const dispatch = async (type = 'coder'): Promise<unknown> => (await fixture.review.agent.openSession()).delegate([{ display_name: 'A', subagent_type: type, prompt: 'A' }, { display_name: 'B', prompt: 'B' }]);

  it('are refused where there is no repository, no commit, no work tree and no git, and then nothing starts', async () => {
    fixture = await startInWorktrees({}, { cwd: 'elsewhere', prepare: (repository) => mkdir(join(repository.path, '../elsewhere')).then(() => undefined) });
    await assert.rejects(dispatch(), /Nothing was started[^]*Task 1 \("A"\), subagent_type: coder works in a git worktree of its own\. .*elsewhere is in no work tree of a git repository/);
    const { repository } = fixture;
    await rm(join(repository.path, '.git'), { recursive: true });
    const refused = async (why: RegExp, options: Parameters<typeof reopenInWorktrees>[2] = {}, cwd = repository.path): Promise<void> => {
      const other = await reopenInWorktrees({ repository, storageDir: fixture.storageDir, cwd }, {}, options);
      try {
        await assert.rejects((await other.review.agent.openSession()).delegate([{ display_name: 'A', subagent_type: 'coder', prompt: 'A' }]), why);
        assert.deepEqual(other.review.agent.groups(), []);
      } finally {
        await other.end();
      }
    };
    repository.git('init', '-q');
    await refused(/has no commit yet.*make a first commit/);
    repository.git('commit', '-q', '--allow-empty', '-m', 'x');
    await refused(/is in no work tree/, {}, join(repository.path, '.git'));
    await refused(/No git is found on the PATH/, { env: { PATH: '/nowhere' } });
    await refused(/need `tasks` or `checkpoints: true`/, { tasks: false });
  });

  it('run no hook, neither as they are made nor when their child commits', async () => {
    fixture = await startInWorktrees({ A: bash('echo x >> a.txt && git commit -q -a -m mine && git log --oneline | wc -l') }, {
      prepare: async (repository) => {
        for (const hook of ['post-checkout', 'pre-commit', 'post-commit', 'reference-transaction', 'post-index-change']) {
          const path = join(repository.path, '.git/hooks', hook);
          await mkdir(join(repository.path, '.git/hooks'), { recursive: true });
          await writeFile(path, `#!/bin/sh\necho ran >> '${join(repository.path, '../marker')}'\n`);
          await chmod(path, 0o755);
        }
      },
    });
    await fixture.run('A');
    assert.equal(outputs()[0]?.trim(), '2');
    assert.equal(existsSync(join(fixture.repository.path, '../marker')), false);
  });

  it('keep the commits of their children, also where no file is left different', async () => {
    fixture = await startInWorktrees({ A: bash('echo x >> a.txt && git commit -q -a -m mine && git reset -q --hard HEAD~1'), B: changes(write('made.txt', 'x')) });
    const refs = fixture.repository.state();
    const [child] = await fixture.run('A');
    assert.equal(await fixture.kept(child?.agentId ?? ''), 'It holds 1 commit that no branch holds.');
    assert.equal(fixture.repository.state(), refs);
    assert.deepEqual(await fixture.review.agent.worktrees.loss(child?.agentId ?? ''), { commits: 1, paths: [] });
    await fixture.review.agent.worktrees.remove(child?.agentId ?? '');
    assert.equal(existsSync(fixture.tree(child?.agentId ?? '')), false);
    await assert.rejects(fixture.review.agent.worktrees.remove(child?.agentId ?? ''), { reason: 'not_found' });
  });

  it('stay where nobody can know whether commits were undone in them', async () => {
    fixture = await startInWorktrees({ A: bash('echo work > new.txt') });
    const agentId = (await fixture.run('A'))[0]?.agentId ?? '';
    await rm(join(fixture.repository.path, '.git/worktrees', agentId, 'logs'), { recursive: true });
    await fixture.review.agent.reviews.accept(agentId);
    await fixture.review.recorder.until('worktree.kept', ({ why }) => why === 'It holds perhaps undone commits, of which git has no record.');
    assert.deepEqual(await fixture.review.agent.worktrees.loss(agentId), { commits: 0, mayHoldMoreCommits: true, paths: [] });
  });

  it('go when their children did nothing, and are made again when they go on', async () => {
    fixture = await startInWorktrees({ A: [...bash('ls'), ...bash('pwd; cat a.txt')] });
    const [child] = await fixture.run('A');
    const agentId = child?.agentId ?? '';
    await fixture.removed(agentId);
    assert.deepEqual(await readdir(join(fixture.storageDir, 'worktrees')), [`${agentId}.json`]);
    assert.deepEqual(fixture.repository.git('worktree', 'list').split('\n').length, 1);
    const group = await fixture.review.agent.resumeChild(agentId, { prompt: 'Again.' });
    await fixture.review.delivered(group.groupId);
    assert.match(outputs().at(-1) ?? '', new RegExp(`^${fixture.tree(agentId)}\na1`));
  });

  it('hold what was accepted also where making one again failed at first, so that nothing of it is taken back', async () => {
    fixture = await startInWorktrees({ A: [...bash('echo A2 >> a.txt'), ...bash('cat a.txt')] });
    const agentId = (await fixture.run('A'))[0]?.agentId ?? '';
    const { review } = fixture;
    await review.agent.reviews.accept(agentId);
    await fixture.removed(agentId);
    const accepted = await review.text('a.txt');
    const blocker = join(fixture.repository.path, '.git/worktrees');
    await writeFile(blocker, '');
    await review.delivered((await review.agent.resumeChild(agentId, { prompt: 'Again.' })).groupId);
    assert.equal(review.child(agentId).status, 'failed');
    await rm(blocker);
    await review.delivered((await review.agent.resumeChild(agentId, { prompt: 'Again.' })).groupId);
    assert.equal(outputs().at(-1), accepted.trimEnd());
    await review.agent.reviews.accept(agentId);
    assert.equal(await review.text('a.txt'), accepted);
  });

  it('leave submodules and what git ignores out', async () => {
    fixture = await startInWorktrees({ A: bash('ls sub; ls -A') }, {
      prepare: async (repository) => {
        const other = new GitRepository(join(repository.path, '../other'));
        await other.init({ 'inner.txt': 'inner' });
        repository.git('submodule', '--quiet', 'add', other.path, 'sub');
        await repository.write('.gitignore', 'node_modules\n');
        repository.git('add', '-A');
        repository.git('commit', '-q', '-m', 'sub');
        await repository.write('node_modules/x.js', '');
      },
    });
    const [child] = await fixture.run('A');
    assert.equal(outputs()[0], '.git\n.gitignore\n.gitmodules\na.txt\nb.txt\nsub');
    assert.equal(child?.worktree?.leavesOut, false);
    await fixture.removed(child?.agentId ?? '');
    assert.equal(await readFile(join(fixture.repository.path, 'sub/inner.txt'), 'utf8'), 'inner');
  });

  it('work in the folder that stands for a subfolder', async () => {
    fixture = await startInWorktrees({ A: bash('pwd; touch new.txt') }, { files: { 'packages/one/x.txt': 'x', 'root.txt': 'r' }, within: 'packages/one' });
    const [child] = await fixture.run('A');
    assert.equal(outputs()[0], join(fixture.tree(child?.agentId ?? ''), 'packages/one'));
    assert.deepEqual((await fixture.review.agent.reviews.changes(child?.agentId ?? '')).map(({ path }) => path), [join(fixture.repository.path, 'packages/one/new.txt')]);
  });

  it('are made of a linked work tree, whose own they leave alone', async () => {
    fixture = await startInWorktrees((root) => ({ A: bash('git rev-parse HEAD', `git -C ${root} branch x`, 'git -C ../../../linked commit --allow-empty -m x', 'echo x >> a.txt') }), {
      cwd: 'linked',
      prepare: async (repository) => {
        repository.git('worktree', 'add', '-q', '-b', 'side', '../linked');
        const linked = new GitRepository(join(repository.path, '../linked'));
        await linked.write('a.txt', 'side\n');
        linked.git('commit', '-q', '-a', '-m', 'side');
      },
    });
    const linked = new GitRepository(join(fixture.repository.path, '../linked'));
    const before = [fixture.repository.state(), linked.state()];
    fixture.allowAll();
    const [child] = await fixture.run('A');
    assert.equal(child?.worktree?.branch, 'side');
    assert.equal(outputs()[0], linked.head);
    assert.deepEqual([fixture.repository.state(), linked.state()], before);
    await fixture.review.agent.reviews.accept(child?.agentId ?? '');
    assert.equal(await linked.text('a.txt'), 'side\nx\n');
    await fixture.removed(child?.agentId ?? '');
    assert.equal(fixture.repository.git('worktree', 'list').split('\n').length, 2);
  });

  it('hold what a sparse checkout holds, and nothing else counts as deleted', async () => {
    fixture = await startInWorktrees({ A: bash('ls -A; echo x >> in/x.txt') }, { files: { 'in/x.txt': 'x\n', 'out/y.txt': 'y\n' }, prepare: (repository) => void repository.git('sparse-checkout', 'set', 'in') });
    const [child] = await fixture.run('A');
    assert.equal(outputs()[0], '.git\nin');
    assert.deepEqual((await fixture.review.agent.reviews.changes(child?.agentId ?? '')).map(({ path }) => path), [join(fixture.repository.path, 'in/x.txt')]);
  });

  it('have line ends as the checkout has them', async () => {
    fixture = await startInWorktrees({ A: bash('printf "a1\\r\\nA2\\r\\n" > a.txt') }, { files: { 'a.txt': 'a1\na2\n' }, prepare: async (repository) => {
      repository.git('config', 'core.autocrlf', 'true');
      await repository.write('a.txt', 'a1\r\na2\r\n');
    } });
    const [child] = await fixture.run('A');
    const [file] = await fixture.review.agent.reviews.changes(child?.agentId ?? '');
    assert.deepEqual([file?.added, file?.removed, file?.hunks[0]?.conflict], [1, 1, undefined]);
    await fixture.review.agent.reviews.accept(child?.agentId ?? '');
    assert.equal(await fixture.review.text('a.txt'), 'a1\r\nA2\r\n');
  });

  it('have the line ends of before in what is merged, also where the child changed how git checks out', async () => {
    fixture = await startInWorktrees({ A: bash(`echo '*.txt text eol=crlf' > .gitattributes && echo X >> a.txt`) }, { files: { 'a.txt': 'a1\na2\n', 'dir/b.txt': 'b1\n' } });
    const agentId = (await fixture.run('A'))[0]?.agentId ?? '';
    const { conflicts } = await fixture.review.agent.reviews.accept(agentId);
    assert.deepEqual([conflicts, await fixture.review.text('a.txt')], [[], 'a1\na2\nX\n']);
    await fixture.removed(agentId);
    assert.deepEqual(await readdir(join(fixture.storageDir, 'worktrees')), [`${agentId}.json`]);
  });

  it('have those that an attribute in their folder asks for, though the child deleted it', async () => {
    fixture = await startInWorktrees({ A: bash('rm dir/.gitattributes; printf "b1\\r\\nb2\\r\\n" > dir/b.txt') }, { files: { 'dir/.gitattributes': '*.txt text eol=crlf\n', 'dir/b.txt': 'b1\r\n' } });
    const agentId = (await fixture.run('A'))[0]?.agentId ?? '';
    const file = await fixture.review.file(agentId, 'dir/b.txt');
    assert.deepEqual([file.added, file.removed], [1, 0]);
  });

  it('are one for each of two children at once, who change the same file', async () => {
    fixture = await startInWorktrees({ A: bash('sed -i 1s/a1/A/ a.txt'), B: bash('sed -i 3s/a3/B/ a.txt') });
    const [a, b] = await fixture.run('A', 'B');
    await fixture.review.agent.reviews.accept(a?.agentId ?? '');
    await fixture.review.agent.reviews.accept(b?.agentId ?? '');
    assert.equal(await fixture.review.text('a.txt'), 'A\na2\nB\n');
  });

  it('tell of files outside that changed while a command ran, which nobody could see coming', async () => {
    fixture = await startInWorktrees({ A: bash('bash ./escape.sh') }, { prepare: async (repository) => {
      await repository.write('escape.sh', `echo escaped > "$(git rev-parse --path-format=absolute --git-common-dir)/../b.txt"\n`);
      repository.git('add', '-A');
      repository.git('commit', '-q', '-m', 'script');
    } });
    const [child] = await fixture.run('A');
    const notes = fixture.review.recorder.of('child.noted').filter(({ agentId }) => agentId === child?.agentId).map(({ text }) => text);
    assert.match(notes.join(' '), /files outside of its worktree changed: .*main\/b\.txt\. It may have been the command/);
    assert.equal(fixture.review.child(child?.agentId ?? '').unrecorded, true);
  });
});

describe('worktrees of children that did not end well', function () {
  this.timeout(60_000);
  let fixture: WorktreeFixture;
  afterEach(() => fixture.end());

  it('stay, with what is in them, and are looked at and merged like others', async () => {
    fixture = await startInWorktrees({ A: [...changes(write('made.txt', 'made\n')).slice(0, -1), { error: { failure: 'bad_request', message: 'No.' } } as never] });
    const [child] = await fixture.run('A');
    assert.equal(child?.status, 'failed');
    assert.match(await fixture.kept(child?.agentId ?? ''), /made\.txt/);
    await fixture.review.agent.reviews.accept(child?.agentId ?? '');
    assert.equal(await fixture.review.text('made.txt'), 'made\n');
    await fixture.removed(child?.agentId ?? '');
  });

  it('stay for an interrupted one, which goes on in it in another window', async () => {
    fixture = await startInWorktrees({ A: [...bash('echo one > made.txt', 'sleep 60')] });
    const session = await fixture.review.agent.openSession();
    const group = await session.delegate([{ display_name: 'A', subagent_type: 'coder', prompt: 'A' }]);
    const agentId = group.children[0]?.agentId ?? '';
    await fixture.review.recorder.until('tool.called', ({ activity }) => activity.includes('sleep'));
    await fixture.review.agent.suspend();
    const later = await reopenInWorktrees(fixture, { A: bash('cat made.txt') });
    try {
      assert.equal(later.review.child(agentId).status, 'interrupted');
      await later.review.agent.resumeChild(agentId);
      await later.review.delivered(group.groupId);
      assert.ok(later.review.model.requests.flatMap(toolResults).some(({ text }) => text === 'one'));
      assert.deepEqual(later.review.recorder.of('worktree.created'), []);
    } finally {
      await later.end();
    }
  });

  it('go with the next start where nothing is left in them', async () => {
    fixture = await startInWorktrees({ A: changes(write('made.txt', 'made\n')) });
    const [child] = await fixture.run('A');
    await fixture.review.agent.close();
    await rm(join(fixture.tree(child?.agentId ?? ''), 'made.txt'));
    const later = await reopenInWorktrees(fixture);
    try {
      await later.removed(child?.agentId ?? '');
      assert.equal(existsSync(fixture.tree(child?.agentId ?? '')), false);
    } finally {
      await later.end();
    }
  });
});
