import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAppError } from '../../../src/runtime/base/errors.ts';
import type { RuntimeEventBody } from '../../../src/runtime/domain/events.ts';
import type { TrackedTask } from '../../../src/runtime/domain/trackedTasks.ts';
import { TrackedTasks } from '../../../src/runtime/tasks/trackedTasks.ts';

describe('the task list', () => {
  let dir: string;
  let events: RuntimeEventBody[];

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'tasks-'));
    events = [];
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  const open = async (folder = dir): Promise<TrackedTasks> => {
    const tasks = new TrackedTasks({ dir: folder, publish: (event) => events.push(event), now: () => 1_000 });
    await tasks.load();
    return tasks;
  };
  const stored = async (): Promise<TrackedTask[]> => (JSON.parse(await readFile(join(dir, 'tasks.json'), 'utf8')) as { tasks: TrackedTask[] }).tasks;
  const child = (name: string, taskId?: string) => ({ subject: name, description: `do ${name}`, groupId: 'bg_1', agentId: `agent-${name}`, ...(taskId !== undefined && { taskId }) });
  const problems = (): RuntimeEventBody[] => events.filter((event) => event.type === 'problem');

  it('makes one pending task for each child, in order, and survives a restart', async () => {
    const made = await (await open()).createForChildren([child('a'), child('b')]);
    assert.deepEqual(made.map(({ subject, status, agentId }) => [subject, status, agentId]), [['a', 'pending', 'agent-a'], ['b', 'pending', 'agent-b']]);
    assert.deepEqual((await open()).list(), made);
  });

  it('tells of a change only once it is on disk', async () => {
    const onDisk: Promise<TrackedTask[]>[] = [];
    const tasks = new TrackedTasks({ dir, publish: (event) => void (event.type === 'task.changed' && onDisk.push(stored())) });
    await tasks.load();
    const [task] = await tasks.createForChildren([child('a')]);
    await tasks.transition(task?.id ?? '', 'in_progress', 'runtime');
    assert.deepEqual((await Promise.all(onDisk)).map(([first]) => first?.status), ['pending', 'in_progress']);
  });

  it('is one array until something changes', async () => {
    const tasks = await open();
    await tasks.createForChildren([child('a')]);
    const before = tasks.list();
    await tasks.load();
    assert.equal(tasks.list(), before);
    await tasks.createForChildren([child('b')]);
    assert.notEqual(tasks.list(), before);
  });

  it('is quiet about what was there before it was opened', async () => {
    await (await open()).createForChildren([child('a')]);
    events.length = 0;
    await open();
    assert.deepEqual(events, []);
  });

  it('goes from review to completed only when the user accepts', async () => {
    const tasks = await open();
    const [{ id } = { id: '' }] = await tasks.createForChildren([child('a')]);
    await assert.rejects(tasks.accept(id), (error) => isAppError(error, 'conflict'));
    await tasks.transition(id, 'in_progress', 'runtime');
    await tasks.transition(id, 'review', 'runtime');
    assert.equal((await tasks.accept(id)).status, 'completed');
    assert.deepEqual(tasks.get(id)?.history.at(-1), { from: 'review', to: 'completed', by: 'user', at: 1_000 });
    await assert.rejects(tasks.accept('task-none'), (error) => isAppError(error, 'not_found'));
  });

  it('gives a waiting task to one child only', async () => {
    const [one, other] = [await open(), await open()];
    const { id } = await one.create({ subject: 'a', description: 'do a' }, 'user');
    const claims = await Promise.allSettled([one.claim(id, { groupId: 'bg_1', agentId: 'agent-1' }), other.claim(id, { groupId: 'bg_2', agentId: 'agent-2' })]);
    assert.deepEqual(claims.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  });

  it('links all children of a call or none', async () => {
    const tasks = await open();
    const { id } = await tasks.create({ subject: 'a', description: 'do a' }, 'user');
    await assert.rejects(tasks.createForChildren([child('x'), child('a', id), child('gone', 'task-none')]), (error) => isAppError(error, 'not_found'));
    assert.deepEqual((await stored()).map(({ subject, agentId }) => [subject, agentId]), [['a', undefined]]);
    const linked = await tasks.createForChildren([child('x'), child('a', id)]);
    assert.deepEqual(linked.map((task) => task.id === id), [false, true]);
    assert.equal(tasks.get(id)?.agentId, 'agent-a');
  });

  it('refuses to claim a task that is finished or under review', async () => {
    const tasks = await open();
    const [{ id } = { id: '' }] = await tasks.createForChildren([child('a')]);
    for (const status of ['in_progress', 'review', 'completed'] as const) {
      await tasks.transition(id, status, 'runtime');
      await assert.rejects(tasks.claim(id, { groupId: 'bg_2', agentId: 'agent-2' }), (error) => isAppError(error, 'conflict'));
    }
  });

  it('runs simultaneous operations one after the other', async () => {
    const tasks = await open();
    const made = await Promise.all(Array.from({ length: 10 }, (_, index) => tasks.createForChildren([child(`c${index}`)])));
    assert.deepEqual(tasks.list().map(({ subject }) => subject), made.flat().map(({ subject }) => subject));
  });

  it('tells what another window changed as soon as it sees it', async () => {
    const [one, other] = [await open(), await open()];
    const [{ id } = { id: '' }] = await one.createForChildren([child('a')]);
    events.length = 0;
    await other.load();
    assert.deepEqual(events.map((event) => event.type === 'task.changed' && event.task.id), [id]);
  });

  it('reports a failed write, rejects, and keeps showing what is stored', async () => {
    const tasks = await open();
    const [{ id } = { id: '' }] = await tasks.createForChildren([child('a')]);
    await rm(dir, { recursive: true });
    await writeFile(dir, 'a file where the folder was');
    events.length = 0;
    await assert.rejects(tasks.transition(id, 'in_progress', 'runtime'), (error) => isAppError(error, 'unavailable'));
    assert.deepEqual(events.map(({ type }) => type), ['problem']);
    assert.equal(tasks.get(id)?.status, 'pending');
  });

  it('sets a torn file aside, says so, and starts over', async () => {
    await writeFile(join(dir, 'tasks.json'), '{"version":1,"tasks":[{"id":');
    const tasks = await open();
    assert.deepEqual(tasks.list(), []);
    assert.equal(problems().length, 1);
    const [copy = ''] = (await readdir(dir)).filter((name) => /^tasks\.corrupt-.*\.json$/.test(name));
    assert.equal(await readFile(join(dir, copy), 'utf8'), '{"version":1,"tasks":[{"id":');
    await tasks.load();
    assert.equal(problems().length, 1, 'reported once');
  });

  it('loads the rest where single records are damaged', async () => {
    const [task] = await (await open()).createForChildren([child('a')]);
    const bad = [null, { id: 'x' }, { ...task, id: 'task-y', status: 'done' }, { ...task, id: 'task-z', history: [{ to: 'nowhere' }] }, task];
    await writeFile(join(dir, 'tasks.json'), JSON.stringify({ version: 1, tasks: [...bad.slice(0, 2), task, ...bad.slice(2)] }));
    assert.deepEqual((await open()).list(), [task]);
    assert.equal(problems().length, 1);
    assert.deepEqual(await stored(), [task]);
  });

  it('leaves the file of a newer version alone', async () => {
    const text = '{"version":2,"tasks":[]}';
    await writeFile(join(dir, 'tasks.json'), text);
    await assert.rejects(open(), (error) => isAppError(error, 'unavailable'));
    assert.equal(await readFile(join(dir, 'tasks.json'), 'utf8'), text);
  });

  it('takes over the lock of a process that died', async () => {
    const lock = join(dir, 'tasks.json.lock');
    await mkdir(lock);
    await utimes(lock, new Date(Date.now() - 10_000), new Date(Date.now() - 10_000));
    const [task] = await (await open()).createForChildren([child('a')]);
    assert.ok(task);
    assert.deepEqual(await readdir(dir), ['tasks.json']);
  });

  it('takes over a lock from before the clock was set back, without waiting for its time', async () => {
    const lock = join(dir, 'tasks.json.lock');
    await mkdir(lock);
    await utimes(lock, new Date(Date.now() + 3_600_000), new Date(Date.now() + 3_600_000));
    const [task] = await (await open()).createForChildren([child('a')]);
    assert.ok(task);
    assert.deepEqual(await readdir(dir), ['tasks.json']);
  });

  it('waits for no lock to show what is stored', async () => {
    const made = await (await open()).createForChildren([child('a')]);
    await mkdir(join(dir, 'tasks.json.lock'));
    assert.deepEqual((await open()).list(), made);
    assert.deepEqual(await readdir(dir), ['tasks.json', 'tasks.json.lock']);
  });

  it('gives up soon on a held lock when its host ends, and at once from then on', async () => {
    const tasks = await open();
    await mkdir(join(dir, 'tasks.json.lock'));
    const waiting = tasks.createForChildren([child('a')]);
    tasks.hurry();
    await assert.rejects(waiting, (error) => isAppError(error, 'unavailable'));
    // If each of these waited again, the lock would get stale, and be taken over.
    for (const name of 'bcdefg') await assert.rejects(tasks.createForChildren([child(name)]), (error) => isAppError(error, 'unavailable'));
  });

  it('tells what is in a list that could not be read at first', async () => {
    const newer = '{"version":2,"tasks":[]}';
    await writeFile(join(dir, 'tasks.json'), newer);
    const tasks = new TrackedTasks({ dir, publish: (event) => void events.push(event) });
    await assert.rejects(tasks.load(), (error) => isAppError(error, 'unavailable'));
    await assert.rejects(tasks.createForChildren([child('a')]), (error) => isAppError(error, 'unavailable'));
    await rm(join(dir, 'tasks.json'));
    const made = await tasks.createForChildren([child('b')]);
    assert.deepEqual(events.flatMap((event) => (event.type === 'task.changed' ? [event.task] : [])), made);
  });
});
