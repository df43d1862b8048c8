import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { processStart } from '../../../src/runtime/base/processes.ts';
import { isRoot, reopenAgent, type AgentFixture } from '../../support/agentFixture.ts';
import { completionsIn } from '../../support/crash.ts';
import { processesWith } from '../../support/processes.ts';

const SCRIPT = fileURLToPath(new URL('../../support/crashingAgent.ts', import.meta.url));

/** Whether the command of that marker is running. */
function runs(marker: string): boolean {
  return processesWith(marker).some((line) => line.includes('sleep'));
}

describe('a process that is killed in the middle of a group', () => {
  let folder: string;
  let other: ChildProcess;
  let fixture: AgentFixture | undefined;
  const marker = `marker-${process.pid}`;

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'killed-')));
    other = spawn(process.execPath, [SCRIPT, folder, marker], { stdio: ['ignore', 'pipe', 'inherit'] });
    const said = new Set<string>();
    for await (const chunk of other.stdout ?? []) {
      for (const line of String(chunk).trim().split('\n')) said.add(line);
      if (said.has('working') && said.has('calling')) break;
    }
    // A call is told of before its command starts.
    while (!(runs(marker) && (await isNoted())) && other.exitCode === null && other.signalCode === null) await new Promise((next) => setImmediate(next));
  });
  afterEach(async () => {
    await fixture?.end();
    fixture = undefined;
    await kill();
    await rm(folder, { recursive: true, force: true });
  });

  async function isNoted(): Promise<boolean> {
    return (await readdir(join(folder, 'storage', 'hosts'))).some((name) => name.endsWith('.processes.jsonl'));
  }

  async function kill(): Promise<void> {
    if (other.exitCode !== null || other.signalCode !== null) return;
    other.kill('SIGKILL');
    await once(other, 'exit');
  }

  const open = async (beatMs?: number): Promise<AgentFixture> =>
    (fixture = await reopenAgent({ cwd: folder, storageDir: join(folder, 'storage') }, (request) => ({ text: isRoot(request) ? 'Understood.' : 'Went on.' }), beatMs === undefined ? {} : { beatMs }));

  it('leaves a group that comes back, goes on, and reports exactly once', async function () {
    this.timeout(20_000);
    await kill();
    const { agent, recorder, model } = await open();
    const [group] = agent.groups();
    assert.deepEqual(group?.children.map(({ displayName, status }) => `${displayName}: ${status}`), ['A: completed', 'B: interrupted', 'C: interrupted']);
    await agent.resumeGroup(group.groupId);
    await recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');
    assert.deepEqual(agent.groups()[0]?.children.map(({ status }) => status), ['completed', 'completed', 'completed']);
    assert.equal((await completionsIn(agent, group.sessionId)).length, 1);
    assert.deepEqual(agent.tasks.list().map(({ status }) => status), ['review', 'review', 'review']);
    model.assertClean();
    assert.deepEqual(recorder.of('problem'), []);
  });

  it('leaves no command running', async function () {
    this.timeout(20_000);
    await kill();
    await open();
    // By its guard, or by the next window, whichever comes first; without both it would run for ten minutes.
    while (runs(marker)) await new Promise((next) => setImmediate(next));
    await fixture?.end();
    const left = await readdir(join(folder, 'storage', 'hosts'));
    const goodbyes = await Promise.all(left.map(async (name) => JSON.parse(await readFile(join(folder, 'storage', 'hosts', name), 'utf8')) as { readonly hasLeft?: boolean }));
    assert.deepEqual(goodbyes.map(({ hasLeft }) => hasLeft), [true]);
  });

  it('leaves nothing behind that it needed to see what its command changes', async function () {
    this.timeout(20_000);
    await kill();
    assert.equal((await readdir(join(folder, 'storage', 'watch'))).length, 1);
    await open();
    await fixture?.end();
    assert.deepEqual(await readdir(join(folder, 'storage', 'watch')), []);
  });

  it('ends what its guard could not, and nothing that only has the same number', async function () {
    this.timeout(20_000);
    const hosts = join(folder, 'storage', 'hosts');
    await kill();
    const notes = (await readdir(hosts)).find((name) => name.endsWith('.processes.jsonl'));
    assert.ok(notes);
    const [leftover, bystander] = [0, 1].map(() => spawn('sleep', ['600'], { detached: true, stdio: 'ignore' }));
    assert.ok(leftover?.pid && bystander?.pid);
    try {
      const lines = [{ pid: leftover.pid, startedAt: await processStart(leftover.pid) }, { pid: bystander.pid, startedAt: 'another time' }];
      await writeFile(join(hosts, notes), `${await readFile(join(hosts, notes), 'utf8')}${lines.map((line) => `${JSON.stringify(line)}\n`).join('')}`);
      await open();
      await once(leftover, 'exit');
      await fixture?.end();
      assert.notEqual(await processStart(bystander.pid), undefined);
    } finally {
      leftover.kill('SIGKILL');
      bystander.kill('SIGKILL');
    }
  });

  it('is looked after by a living window as soon as it is gone; before that it can only be looked at', async function () {
    this.timeout(20_000);
    const { agent, recorder } = await open(20);
    const [group] = agent.groups();
    const [, b] = group?.children ?? [];
    assert.deepEqual([group?.isElsewhere, group?.status, b?.status], [true, 'running', 'running']);
    await assert.rejects(agent.cancelChild(b?.agentId ?? ''), { reason: 'conflict' });
    await assert.rejects(agent.cancelGroup(group?.groupId ?? ''), { reason: 'conflict' });
    await assert.rejects(agent.resumeChild(b?.agentId ?? ''), { reason: 'conflict' });
    await agent.cancelAll();
    assert.equal(agent.groups()[0]?.status, 'running');
    await kill();
    await recorder.until('group.interrupted');
    assert.deepEqual([agent.groups()[0]?.isElsewhere, agent.child(b?.agentId ?? '')?.status], [false, 'interrupted']);
    await agent.resumeGroup(group?.groupId ?? '');
    await recorder.until('group.delivered');
  });
});
