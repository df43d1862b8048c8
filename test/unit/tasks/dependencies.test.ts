import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAppError } from '../../../src/runtime/base/errors.ts';
import type { RuntimeEventBody } from '../../../src/runtime/domain/events.ts';
import type { TrackedTask, TrackedTaskStatus } from '../../../src/runtime/domain/trackedTasks.ts';
import { blockedTasks, findCircle, openBlockers } from '../../../src/runtime/tasks/dependencies.ts';
import { TrackedTasks } from '../../../src/runtime/tasks/trackedTasks.ts';

describe('tasks that wait for others', () => {
  let dir: string;
  let events: RuntimeEventBody[];
  let tasks: TrackedTasks;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'tasks-'));
    events = [];
    tasks = new TrackedTasks({ dir, publish: (event) => void events.push(event), now: () => 1_000 });
    await tasks.load();
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  const make = async (subject: string, more: { readonly blockedBy?: readonly string[]; readonly blocks?: readonly string[] } = {}): Promise<string> => (await tasks.create({ subject, description: '', ...more }, 'agent')).id;
  const blockers = (id: string): readonly string[] => tasks.get(id)?.blockedBy ?? [];
  const conflict = (...words: readonly string[]) => (error: unknown) => isAppError(error, 'conflict') && words.every((word) => error.message.includes(word));
  const bring = async (id: string, ...path: readonly TrackedTaskStatus[]): Promise<void> => {
    for (const to of path) await tasks.transition(id, to, 'runtime');
  };

  it('are made with their dependencies in both directions, stored, and told', async () => {
    const [a, c] = [await make('a'), await make('c')];
    events.length = 0;
    const b = await make('b', { blockedBy: [a], blocks: [c] });
    assert.deepEqual([blockers(b), blockers(c), blockedTasks(b, tasks.list()).map(({ id }) => id)], [[a], [b], [c]]);
    assert.deepEqual(events.map((event) => event.type === 'task.changed' && event.task.id).sort(), [b, c].sort());
    const again = new TrackedTasks({ dir, publish: () => assert.fail() });
    await again.load();
    assert.deepEqual(again.list(), tasks.list());
  });

  it('are edited all or nothing, and each edit is told although the clock stands still', async () => {
    const [a, b, c] = [await make('a'), await make('b'), await make('c')];
    events.length = 0;
    await tasks.update(a, { subject: ' new\nname ', description: 'more', owner: 'Ada', addBlockedBy: [b], addBlocks: [c] }, 'user');
    assert.deepEqual([tasks.get(a)?.subject, tasks.get(a)?.description, tasks.get(a)?.owner, blockers(a), blockers(c)], ['new name', 'more', 'Ada', [b], [a]]);
    assert.equal(events.length, 2);
    await tasks.update(a, { owner: '', removeBlockedBy: [b], removeBlocks: [c] }, 'user');
    assert.deepEqual([tasks.get(a)?.owner, blockers(a), blockers(c)], [undefined, [], []]);
    assert.equal(events.length, 4);
    const before = await readFile(join(dir, 'tasks.json'), 'utf8');
    await assert.rejects(tasks.update(a, { subject: 'x', addBlockedBy: [b, 'task-none'] }, 'user'), (error) => isAppError(error, 'not_found') && error.message.includes('task-none'));
    await assert.rejects(tasks.update(a, { description: 'x', removeBlocks: ['task-none'] }, 'user'), (error) => isAppError(error, 'not_found'));
    await assert.rejects(tasks.update(a, { description: 'x', subject: '\u200b ' }, 'user'), (error) => isAppError(error, 'invalid_input'));
    await assert.rejects(tasks.update(a, { description: 'x', status: 'completed' }, 'user'), (error) => isAppError(error, 'conflict'));
    await assert.rejects(tasks.update(a, { description: 'x' }, 'user', () => { throw new Error('not that one'); }), /not that one/);
    await assert.rejects(tasks.create({ subject: 'd', description: '', blockedBy: ['task-none'] }, 'user'), (error) => isAppError(error, 'not_found'));
    await tasks.update(a, { description: 'more' }, 'user');
    assert.equal(await readFile(join(dir, 'tasks.json'), 'utf8'), before);
    assert.equal(events.length, 4);
  });

  it('never wait for each other: the circle is named', async () => {
    const a = await make('a');
    const b = await make('b', { blockedBy: [a] });
    const c = await make('c', { blockedBy: [b] });
    await assert.rejects(tasks.update(a, { addBlockedBy: [c] }, 'agent'), conflict(`${a} → ${c} → ${b} → ${a}`));
    await assert.rejects(tasks.update(c, { addBlocks: [a] }, 'agent'), conflict('→'));
    await assert.rejects(tasks.update(a, { addBlockedBy: [a] }, 'agent'), conflict(`${a} → ${a}`));
    await assert.rejects(tasks.update(a, { addBlocks: [a] }, 'agent'), conflict(`${a} → ${a}`));
    await assert.rejects(tasks.create({ subject: 'd', description: '', blockedBy: [c], blocks: [a] }, 'agent'), conflict('→'));
    await tasks.update(c, { removeBlockedBy: [b] }, 'agent');
    await tasks.update(a, { addBlockedBy: [c] }, 'agent');
    assert.deepEqual(blockers(a), [c]);
  });

  it('can not be started or taken before those are completed', async () => {
    const [first, second] = [await make('first'), await make('second')];
    const waiting = await make('waiting', { blockedBy: [first, second] });
    const link = { groupId: 'bg_1', agentId: 'agent-1' };
    for (const start of [() => tasks.update(waiting, { status: 'in_progress' }, 'agent'), () => tasks.claim(waiting, link), () => tasks.createForChildren([{ subject: 'x', description: '', ...link, taskId: waiting }])]) {
      await assert.rejects(start(), conflict(`${first} (pending)`, `${second} (pending)`));
    }
    await bring(first, 'in_progress', 'review');
    await bring(second, 'in_progress', 'failed');
    await assert.rejects(tasks.claim(waiting, link), conflict(`${first} (review)`, `${second} (failed; retry it, or remove the dependency)`));
    await bring(first, 'completed');
    await tasks.update(waiting, { removeBlockedBy: [second], status: 'in_progress' }, 'agent');
    assert.equal(tasks.get(waiting)?.status, 'in_progress');
    await tasks.transition(first, 'in_progress', 'user', 'not done after all');
    assert.deepEqual(openBlockers(tasks.get(waiting) ?? assert.fail(), (id) => tasks.get(id)).map(({ id }) => id), [first]);
  });

  it('are none that have a subagent already: from then on nothing makes them wait', async () => {
    const [a, b] = [await make('a'), await make('b')];
    await tasks.claim(b, { groupId: 'bg_1', agentId: 'agent-b' });
    await assert.rejects(tasks.update(b, { addBlockedBy: [a], subject: 'new' }, 'agent'), conflict(b, 'agent-b', a));
    await assert.rejects(tasks.update(a, { addBlocks: [b], subject: 'new' }, 'agent'), conflict(b, 'agent-b', a));
    await assert.rejects(make('c', { blocks: [b] }), conflict(b, 'agent-b'));
    assert.deepEqual(tasks.list().map(({ subject, blockedBy = [] }) => [subject, blockedBy.length]), [['a', 0], ['b', 0]]);
    await tasks.update(a, { addBlockedBy: [b] }, 'agent');
    await tasks.update(b, { addBlocks: [a] }, 'agent');
    assert.deepEqual(blockers(a), [b], 'others may wait for it');
  });

  it('are searched for circles in time in proportion to the list', () => {
    const task = (id: number, blockedBy: readonly number[]): TrackedTask => ({ id: String(id), subject: '', description: '', status: 'pending', createdAt: 1, updatedAt: 1, history: [], blockedBy: blockedBy.map(String) });
    const size = 20_000;
    // Each waits for the two before it: as many ways through as there are numbers, for whoever walks them all.
    const ladder = Array.from({ length: size }, (_, id) => task(id, [id - 1, id - 2].filter((other) => other >= 0)));
    assert.equal(findCircle(ladder), undefined);
    assert.equal(findCircle([...ladder.slice(1), task(0, [size - 1])])?.at(0), findCircle([...ladder.slice(1), task(0, [size - 1])])?.at(-1));
  });

  it('hold a circle exactly where a search of all ways finds one', () => {
    let seed = 7;
    const random = (below: number): number => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % below;
    for (let round = 0; round < 500; round += 1) {
      const size = 1 + random(6);
      const list = Array.from({ length: size }, (_, id) => ({ id: String(id), blockedBy: Array.from({ length: random(3) }, () => String(random(size))) }));
      const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
        list.filter(({ id }) => id === from).some(({ blockedBy }) => blockedBy.some((next) => next === to || (!seen.has(next) && reaches(next, to, seen.add(next)))));
      const found = findCircle(list.map((each) => ({ ...each, subject: '', description: '', status: 'pending', createdAt: 1, updatedAt: 1, history: [] })));
      assert.equal(found !== undefined, list.some(({ id }) => reaches(id, id)), JSON.stringify(list));
      for (const [index, id] of (found ?? []).slice(0, -1).entries()) assert.ok(list.find((each) => each.id === id)?.blockedBy.includes(found?.[index + 1] ?? ''));
    }
  });
});
