import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { lstat, readdir } from 'node:fs/promises';
import { afterEach, describe, it } from 'mocha';
import { startReviewing, type ReviewFixture } from '../../support/reviewFixture.ts';

describe('the undo of a command that put a file and a folder in place of each other', function () {
  this.timeout(20_000);
  let fixture: ReviewFixture;
  let agentId: string;
  afterEach(() => fixture.end());

  async function ran(command: string, workspace: Readonly<Record<string, string>>): Promise<void> {
    fixture = await startReviewing({ A: [{ calls: [{ name: 'Bash', input: { command } }] }, { text: 'Done.' }] }, { workspace });
    execFileSync('git', ['init', '-q'], { cwd: fixture.cwd });
    const [a] = await fixture.run('A');
    agentId = a?.agentId ?? '';
  }

  it('brings a file back where its folders are, which hold nothing else', async () => {
    await ran('rm f; mkdir -p f/a/b f/c; echo x > f/a/b/x; echo y > f/y', { f: 'F\n' });
    assert.deepEqual((await fixture.agent.reviews.undo(agentId)).conflicts, []);
    assert.deepEqual([await fixture.text('f'), fixture.child(agentId).taskStatus], ['F\n', 'completed']);
  });

  it('brings a folder back where its file is', async () => {
    await ran('rm -r d; echo x > d', { 'd/x': 'X\n', 'd/sub/y': 'Y\n' });
    assert.deepEqual((await fixture.agent.reviews.undo(agentId)).conflicts, []);
    assert.deepEqual([await fixture.text('d/x'), await fixture.text('d/sub/y'), fixture.child(agentId).taskStatus], ['X\n', 'Y\n', 'completed']);
  });

  it('leaves a folder in which somebody has put a file since, and says so', async () => {
    await ran('rm f; mkdir f; echo x > f/x', { f: 'F\n' });
    await fixture.save('f/mine', 'mine\n');
    const { undone, conflicts } = await fixture.agent.reviews.undo(agentId);
    assert.deepEqual([undone, conflicts.map(({ path }) => path)], [[fixture.path('f/x')], [fixture.path('f')]]);
    assert.match(conflicts[0]?.why ?? '', /folder with files in it/);
    assert.deepEqual([(await lstat(fixture.path('f'))).isDirectory(), await readdir(fixture.path('f')), fixture.child(agentId).taskStatus], [true, ['mine'], 'review']);
  });
});
