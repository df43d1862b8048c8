import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { reopenReviewing, startReviewing, type ReviewFixture } from '../../support/reviewFixture.ts';

describe('the undo of a command that removed a file', function () {
  this.timeout(20_000);
  const open: ReviewFixture[] = [];
  afterEach(async () => {
    for (const fixture of open.splice(0).reverse()) await fixture.end();
  });

  async function removed(): Promise<{ fixture: ReviewFixture; agentId: string }> {
    const fixture = await startReviewing({ A: [{ calls: [{ name: 'Bash', input: { command: 'rm f' } }] }, { text: 'Done.' }] }, { workspace: { f: '#!/bin/sh\n' } });
    open.push(fixture);
    await chmod(fixture.path('f'), 0o755);
    for (const args of [['init', '-q'], ['add', '-A']]) execFileSync('git', args, { cwd: fixture.cwd });
    const [a] = await fixture.run('A');
    return { fixture, agentId: a?.agentId ?? '' };
  }

  const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

  it('brings an executable one that git knows back as such', async () => {
    const { fixture, agentId } = await removed();
    await fixture.agent.reviews.undo(agentId);
    assert.equal(await modeOf(fixture.path('f')), 0o755);
  });

  it('brings one back with the permissions that were recorded', async () => {
    const { fixture, agentId } = await removed();
    await fixture.agent.close();
    const log = join(fixture.storageDir, 'changes', `${agentId}.jsonl`);
    await writeFile(log, (await readFile(log, 'utf8')).replace('"mode":493', '"mode":384'));
    const next = await reopenReviewing(fixture);
    open.push(next);
    await next.agent.reviews.undo(agentId);
    assert.equal(await modeOf(next.path('f')), 0o600);
  });
});
