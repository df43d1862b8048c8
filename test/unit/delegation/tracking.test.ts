import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAppError } from '../../../src/runtime/base/errors.ts';
import type { RuntimeEventBody } from '../../../src/runtime/domain/events.ts';
import { TrackedTasks } from '../../../src/runtime/tasks/trackedTasks.ts';
import { completed, failed, Fixture, task } from './fixture.ts';

describe('delegation with tracked tasks', () => {
  let dir: string;
  let events: RuntimeEventBody[];
  let tasks: TrackedTasks;
  let f: Fixture;
  let arrived: Promise<void>;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'delegation-'));
    events = [];
    tasks = new TrackedTasks({ dir, publish: (event) => events.push(event) });
    await tasks.load();
    arrived = new Promise((resolve) => {
      f = new Fixture({ tasks, deliver: async (completion) => { f.delivered.push(completion); resolve(); return true; } });
    });
  });
  afterEach(async () => {
    await f.delegation.close();
    await rm(dir, { recursive: true, force: true });
  });

  const statuses = (): readonly string[] => tasks.list().map(({ subject, status }) => `${subject}: ${status}`);
  const path = (subject: string): string | undefined => tasks.list().find((one) => one.subject === subject)?.history.map(({ to }) => to).join();

  it('makes a task for each child and moves it as the child goes, before the completion is delivered', async () => {
    f.maxParallel = 3;
    const group = await f.dispatch(['A', 'B', 'C', 'D']);
    assert.deepEqual(group.children.map(({ taskId }) => taskId), tasks.list().map(({ id }) => id));
    f.end('B', failed('max_turns', 'It reached 9 turns.'));
    await f.delegation.cancelChild(group.children[2]?.agentId ?? '');
    assert.equal(path('C'), 'pending,in_progress,cancelled');
    f.end('D', completed('d'));
    f.end('A', completed('a'));
    await arrived;
    assert.deepEqual(statuses(), ['A: review', 'B: failed', 'C: cancelled', 'D: review']);
    assert.equal(tasks.list()[1]?.history.at(-1)?.reason, 'It reached 9 turns.');
    assert.deepEqual(f.all('problem'), []);
  });

  it('cancels the task of a child that never started', async () => {
    f.maxParallel = 1;
    const group = await f.dispatch(['A', 'B']);
    await f.delegation.cancelGroup(group.groupId);
    assert.deepEqual([path('A'), path('B')], ['pending,in_progress,cancelled', 'pending,cancelled']);
  });

  it('takes on the waiting task that is named, also one from another window', async () => {
    const { id } = await new TrackedTasks({ dir, publish: () => {} }).create({ subject: 'Audit', description: 'Audit all' }, 'user');
    const group = await f.dispatch(['A'], 's1', { task_id: id });
    assert.equal(group.children[0]?.taskId, id);
    assert.equal(tasks.get(id)?.agentId, group.children[0]?.agentId);
    assert.equal(tasks.list().length, 1);
  });

  it('starts nothing for a task that is unknown, finished, or being worked on', async () => {
    const waiting = await tasks.create({ subject: 'W', description: 'w' }, 'user');
    const done = await tasks.create({ subject: 'D', description: 'd' }, 'user');
    await tasks.transition(done.id, 'cancelled', 'user');
    const busy = await tasks.create({ subject: 'B', description: 'b' }, 'user');
    await tasks.claim(busy.id, { groupId: 'bg_1', agentId: 'agent-1' });
    const call = [waiting.id, done.id, busy.id, 'task-none'].map((task_id) => task(task_id, { task_id }));
    await assert.rejects(f.delegation.dispatch({ sessionId: 's1', cwd: '/project', tasks: call }), (error) => isAppError(error, 'invalid_input') && error.message.split('\n').length === 4);
    assert.deepEqual([f.children.size, tasks.get(waiting.id)?.agentId], [0, undefined]);
  });

  it('starts nothing for a task that waits for others, and names them, until they are completed', async () => {
    const first = await tasks.create({ subject: 'F', description: 'f' }, 'agent');
    const waiting = await tasks.create({ subject: 'W', description: 'w', blockedBy: [first.id] }, 'agent');
    await assert.rejects(f.dispatch(['A'], 's1', { task_id: waiting.id }), (error) => isAppError(error, 'invalid_input') && error.message.includes(`task_id: Task ${waiting.id} waits for ${first.id} (pending)`));
    for (const status of ['in_progress', 'review', 'completed'] as const) await tasks.transition(first.id, status, 'agent');
    const group = await f.dispatch(['A'], 's1', { task_id: waiting.id });
    assert.deepEqual([group.children[0]?.taskId, tasks.get(waiting.id)?.agentId], [waiting.id, group.children[0]?.agentId]);
  });

  it('starts nothing when the list cannot be stored', async () => {
    await rm(dir, { recursive: true });
    await writeFile(dir, 'in the way');
    await assert.rejects(f.dispatch(['A']), (error) => isAppError(error, 'unavailable'));
    assert.deepEqual([f.children.size, f.events], [0, []]);
    assert.equal(events.at(-1)?.type, 'problem');
  });

  it('delivers the results even when the list cannot follow', async () => {
    await f.dispatch(['A']);
    while (path('A') !== 'pending,in_progress') await tasks.load();
    await rm(dir, { recursive: true });
    await writeFile(dir, 'in the way');
    f.end('A', completed('a'));
    await arrived;
    assert.ok(f.delivered[0]?.text.includes('status: completed'));
    assert.ok(events.some(({ type }) => type === 'problem'));
  });

  it('reviews the result though somebody else moved the task meanwhile', async () => {
    const group = await f.dispatch(['A']);
    const id = group.children[0]?.taskId ?? '';
    while (path('A') !== 'pending,in_progress') await tasks.load();
    await tasks.transition(id, 'cancelled', 'user');
    f.end('A', completed('a'));
    await arrived;
    assert.equal(path('A'), 'pending,in_progress,cancelled,in_progress,review');
    assert.deepEqual(f.all('problem'), []);
  });

  it('leaves no task behind as pending when it is closed during a dispatch', async () => {
    const dispatch = f.dispatch(['A']);
    await new Promise((resolve) => setImmediate(resolve));
    await f.delegation.close();
    await assert.rejects(dispatch, (error) => isAppError(error, 'closed'));
    assert.deepEqual(statuses(), ['A: cancelled']);
  });
});
