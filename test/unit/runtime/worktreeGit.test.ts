import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { toolResults } from '../../support/agentFixture.ts';
import { bash, GitRepository, startInWorktrees, type WorktreeFixture, type WorktreeFixtureOptions } from '../../support/worktrees.ts';

describe('git of a child in a worktree', function () {
  this.timeout(60_000);
  let fixture: WorktreeFixture;
  afterEach(() => fixture.end());

  /** Runs a child to its end while somebody allows whatever is asked. Gives its id. */
  const run = async (commands: readonly string[], options: WorktreeFixtureOptions = {}): Promise<string> => {
    fixture = await startInWorktrees({ A: bash(...commands) }, options);
    fixture.allowAll();
    const [child] = await fixture.run('A');
    assert.ok(child);
    return child.agentId;
  };
  const lastResult = (): string => fixture.review.model.requests.flatMap(toolResults).at(-1)?.text ?? '';
  const notes = (): readonly string[] => fixture.review.recorder.events.flatMap((event) => (event.type === 'child.noted' ? [event.text] : []));

  it('stays off branches, also where a program puts the worktree on one, and that is noted', async () => {
    const agentId = await run(['sh on.sh', 'git commit -q --allow-empty -m mine && git status | head -1'], {
      files: { 'on.sh': 'git switch -q other && git commit -q --allow-empty -m moved\n' },
      prepare: (repository) => { repository.git('branch', 'other'); },
    });
    assert.match(lastResult(), /^HEAD detached/);
    assert.ok(notes().some((text) => /was on the branch other/.test(text)));
    const own = new GitRepository(fixture.tree(agentId));
    assert.equal(own.git('log', '--format=%s', 'other..HEAD'), 'mine');
    assert.match(await fixture.kept(agentId), /1 commit that no branch holds/);
  });

  it('is off the branch at its end, also when what put it there ran in the background', async () => {
    fixture = await startInWorktrees({
      A: [{ calls: [{ name: 'Bash', input: { command: 'sh on.sh', run_in_background: true } }] }, { calls: [{ name: 'Bash', input: { command: 'until [ -e on ]; do :; done' } }] }, { text: 'Done.' }],
    }, { files: { 'on.sh': 'git switch -q other && touch on\n' }, prepare: (repository) => { repository.git('branch', 'other'); } });
    fixture.allowAll();
    await fixture.run('A');
    assert.ok(notes().some((text) => /was on the branch other/.test(text)));
  });

  it('moves no branches along, and records all commits, whatever the user has set', async () => {
    const agentId = await run(['echo p >> a.txt && git commit -qam p && git reset -q --hard HEAD~1', 'git rebase -q --force-rebase HEAD~2 && echo made'], {
      prepare: (repository) => {
        repository.git('config', 'rebase.updateRefs', 'true');
        repository.git('config', 'core.logAllRefUpdates', 'false');
        for (const name of ['one', 'two']) {
          repository.git('commit', '-q', '--allow-empty', '-m', name);
          repository.git('branch', name);
        }
      },
    });
    assert.match(lastResult(), /^made/);
    assert.deepEqual([fixture.repository.git('rev-parse', 'two'), fixture.repository.git('rev-parse', 'one')], [fixture.repository.head, fixture.repository.git('rev-parse', 'HEAD~1')]);
    assert.match(await fixture.kept(agentId), /commits? that no branch holds/);
  });

  it('loses nothing that was added although git ignores it', async () => {
    const agentId = await run(['echo p > x.log && git add -f x.log && echo made'], { files: { 'a.txt': 'a\n', '.gitignore': '*.log\n' } });
    assert.match(lastResult(), /^made/);
    assert.match(await fixture.kept(agentId), /x\.log/);
  });

  it('leaves other worktrees of the user alone', async () => {
    await run(['git -C ../../../feature commit -q --allow-empty -m evil', 'touch ../../../feature/evil', 'cd ../../../feature && git commit -q --allow-empty -m evil'], {
      prepare: (repository) => { repository.git('worktree', 'add', '-q', '-b', 'feature', '../feature'); },
    });
    const feature = new GitRepository(`${fixture.repository.path}/../feature`);
    assert.deepEqual([feature.head, feature.git('status', '--porcelain')], [fixture.repository.head, '']);
  });
});
