import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { changes, edits, write } from '../../support/reviewFixture.ts';
import { toolResults } from '../../support/agentFixture.ts';
import type { ScriptedTurn } from '../../support/scriptedModel.ts';
import { bash, startInWorktrees, type WorktreeFixture } from '../../support/worktrees.ts';

const DENIED = /is not in your worktree|You work in a git worktree of your own/;

describe('a child in a worktree', function () {
  this.timeout(60_000);
  let fixture: WorktreeFixture;
  afterEach(() => fixture.end());

  /** What its calls came to, in order. */
  const results = (): readonly { readonly text: string; readonly isError: boolean }[] => fixture.review.model.requests.flatMap(toolResults);

  it('91: begins from the current HEAD of a feature branch without uncommitted work, and its row says so', async () => {
    fixture = await startInWorktrees({ A: bash('cat a.txt; ls; git status --short --branch') }, {
      prepare: async (repository) => {
        repository.git('switch', '-q', '-c', 'feature/login');
        await repository.write('a.txt', 'feature\n');
        repository.git('commit', '-q', '-a', '-m', 'feature');
        await repository.write('a.txt', 'uncommitted\n');
        await repository.write('new.txt', 'new\n');
      },
    });
    const { repository } = fixture;
    const [child] = await fixture.run('A');
    assert.deepEqual({ base: child?.worktree?.base, branch: child?.worktree?.branch, leavesOut: child?.worktree?.leavesOut }, { base: repository.head, branch: 'feature/login', leavesOut: true });
    assert.match(results()[0]?.text ?? '', /^feature\na\.txt\nb\.txt\n## HEAD \(no branch\)/);
    const system = fixture.review.model.requests.find(({ system }) => system.includes('# Your worktree'))?.system ?? '';
    assert.match(system, new RegExp(`detached at ${repository.head.slice(0, 7)} \\(the head of feature/login\\)`));
    assert.match(system, /not committed: they are not in your worktree/);
    assert.ok(system.includes(`Working directory: ${child?.worktree?.path ?? '-'}\n`));
    assert.equal(await repository.text('a.txt'), 'uncommitted\n');
  });

  it('writes and edits its own files, and the workspace stays as it is', async () => {
    fixture = await startInWorktrees({ A: [...changes(write('made.txt', 'made\n')).slice(0, -1), ...edits('a.txt', ['a2', 'A2'])] });
    const before = fixture.repository.state();
    const [child] = await fixture.run('A');
    assert.equal(fixture.repository.state(), before);
    assert.equal(await readFile(join(fixture.tree(child?.agentId ?? ''), 'a.txt'), 'utf8'), 'a1\nA2\na3\n');
    assert.deepEqual([...(child?.changedFiles ?? [])].sort(), [fixture.review.path('a.txt'), fixture.review.path('made.txt')]);
    assert.match(await fixture.kept(child?.agentId ?? ''), /changes of 2 files that nobody has decided on/);
  });

  it('changes nothing outside of it by absolute, relative and git -C paths', async () => {
    const commands = (root: string): readonly string[] => [
      `echo x > ${root}/a.txt`, `rm ${root}/a.txt`, `cp a.txt ${root}/c.txt`, `git -C ${root} commit -q --allow-empty -m x`, `git --git-dir=${root}/.git branch x`, `cd ${root} && touch d.txt`, `cd ${root} && git commit -q --allow-empty -m x`,
      `GIT_DIR=${root}/.git git commit -q --allow-empty -m x`, `GIT_DIR=../../../main/.git git branch x`, `sh -c 'cd ${root}; touch e.txt'`, 'touch ../../../main/f.txt', 'cd ../../../main && touch g.txt', 'cd .. && cd ../../main && touch g.txt', 'git -C ../../.. -C main branch x', 'echo x > ../../../main/a.txt',
      `tee ${root}/h.txt < a.txt`, `node -e "require('fs').writeFileSync('${root}/i.txt', '')"`, `ln -s ${root} link`, `dd if=a.txt of=${root}/j.txt`, `sed -i.bak s/a/b/ ${root}/a.txt`,
      'git branch x', 'git branch -f main HEAD', 'git tag x', 'git checkout main', 'git checkout -q -b x', 'git checkout -qb x --', 'git switch main', 'git stash', 'git config user.name x', 'git gc', 'git worktree prune', 'git push origin HEAD', 'git fetch', 'git update-ref refs/heads/main HEAD', 'git symbolic-ref HEAD refs/heads/main', 'git submodule update --init',
      'rm .git', `bash -c "git -C ${root} branch x"`, `env GIT_WORK_TREE=${root} git add a.txt`, `find ${root} -name a.txt -delete`, `xargs rm < a.txt ${root}/a.txt`,
    ];
    const calls = (root: string): readonly ScriptedTurn[] => [
      ...bash(...commands(root)).slice(0, -1),
      ...changes(write(join(root, 'k.txt'), 'x'), write('../../../main/l.txt', 'x'), write('.git', 'x')),
    ];
    fixture = await startInWorktrees((root) => ({ A: calls(root) }));
    const root = fixture.repository.path;
    fixture.allowAll();
    const before = fixture.repository.state();
    await fixture.run('A');
    const all = results();
    assert.equal(all.length, commands(root).length + 3);
    const names = [...commands(root), 'Write absolute', 'Write relative', 'Write .git'];
    assert.deepEqual(all.flatMap(({ text, isError }, index) => (isError && /Denied/.test(text) ? [] : [`${names[index]}: ${text}`])), []);
    assert.ok(all.some(({ text }) => DENIED.test(text)));
    assert.equal(fixture.repository.state(), before);
  });
});
