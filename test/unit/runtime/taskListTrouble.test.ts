import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { deferred } from '../../../src/runtime/base/async.ts';
import { isRoot, reopenAgent, startAgent, type AgentFixture } from '../../support/agentFixture.ts';
import type { Script } from '../../support/scriptedModel.ts';

const script: Script = (request) => ({ text: isRoot(request) ? 'Noted.' : 'Done.' });

describe('an agent whose task list gives trouble', () => {
  const open: AgentFixture[] = [];
  afterEach(async () => {
    for (const fixture of open.splice(0).reverse()) await fixture.end();
  });
  const keep = (fixture: AgentFixture): AgentFixture => {
    open.push(fixture);
    return fixture;
  };

  it('starts on a list of a newer version and shows everything else', async () => {
    const first = keep(await startAgent(script));
    await (await first.agent.openSession()).delegate([{ display_name: 'A', prompt: 'a' }]);
    await first.recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');
    await first.agent.close();
    const path = join(first.storageDir, 'tasks', 'tasks.json');
    const taskId = first.agent.tasks.list()[0]?.id ?? '';
    const content = '{"version":2,"tasks":[]}';
    await writeFile(path, content);

    const next = keep(await reopenAgent(first, script));
    const { message } = await next.recorder.until('problem');
    assert.ok(message.includes(path), message);
    assert.equal(next.agent.groups()[0]?.status, 'completed');
    assert.deepEqual(next.agent.tasks.list(), []);
    await assert.rejects(next.agent.tasks.accept(taskId), { reason: 'unavailable' });
    await assert.rejects((await next.agent.openSession()).delegate([{ display_name: 'B', prompt: 'b' }]), { reason: 'unavailable' });
    assert.equal(await readFile(path, 'utf8'), content);
  });

  it('is not held by another that keeps the list to itself, and mends its task at the next start', async () => {
    const held = deferred<void>();
    const first = keep(await startAgent((request) => (isRoot(request) ? { text: 'Noted.' } : { text: 'Done.', wait: held.promise })));
    await (await first.agent.openSession()).delegate([{ display_name: 'A', prompt: 'a' }]);
    await first.recorder.until('task.changed', ({ task }) => task.status === 'in_progress');
    const lock = join(first.storageDir, 'tasks', 'tasks.json.lock');
    await rm(lock, { recursive: true, force: true });
    await mkdir(lock);
    held.resolve();
    await first.recorder.until('child.settled');
    await first.agent.suspend();
    // Had it waited for the lock to get stale, it would have taken it.
    assert.equal(first.agent.tasks.list()[0]?.status, 'in_progress');

    const next = keep(await reopenAgent(first, script));
    await rm(lock, { recursive: true, force: true });
    await next.recorder.until('task.changed', ({ task }) => task.status === 'review');
    await next.recorder.until('group.delivered');
  });
});
