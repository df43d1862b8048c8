import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findCircle } from '../../../src/runtime/tasks/dependencies.ts';
import { parseTaskFile } from '../../../src/runtime/tasks/taskFile.ts';
import { TrackedTasks } from '../../../src/runtime/tasks/trackedTasks.ts';

const run = promisify(execFile);
const WORKER = join(import.meta.dirname, 'worker.ts');
const EACH = 12;

describe('a task list on which processes work at once', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'tasks-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  it('loses no update, tears no file, and never holds a circle', async function () {
    this.timeout(120_000);
    const own = new TrackedTasks({ dir, publish: (event) => assert.notEqual(event.type, 'problem') });
    const hub = await own.create({ subject: 'hub', description: 'the end of all' }, 'user');
    const names = ['p', 'q', 'r'];
    const all = Promise.all(names.map((name) => run(process.execPath, [WORKER, dir, name, String(EACH), hub.id])));
    let working = true;
    const watching = (async () => {
      while (working) {
        const { kind, items: tasks } = { items: [], ...parseTaskFile(await readFile(join(dir, 'tasks.json'), 'utf8')) };
        assert.equal(kind, 'read');
        assert.equal(findCircle(tasks), undefined);
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    for (let index = 0; index < 10; index++) await own.create({ subject: `own-${index}`, description: 'x', blocks: [hub.id] }, 'user');
    const refused = await all.finally(() => (working = false));
    await watching;
    await own.load();

    const made = own.list().filter(({ id }) => id !== hub.id);
    const byStatus = Object.groupBy(made, ({ status }) => status);
    assert.deepEqual([byStatus.review?.length, byStatus.pending?.length], [names.length * EACH, 10]);
    for (const { history, description, subject } of byStatus.review ?? []) {
      assert.equal(history.map(({ to }) => to).join(), 'pending,in_progress,review');
      assert.equal(description, `work of ${subject.slice(0, 1)}`);
    }
    assert.deepEqual([...(own.get(hub.id)?.blockedBy ?? [])].sort(), made.map(({ id }) => id).sort());
    assert.equal(findCircle(own.list()), undefined);
    assert.ok(made.some(({ blockedBy = [] }) => blockedBy.length > 0) && refused.every(({ stdout }) => /^\d+$/.test(stdout)));
    assert.deepEqual(await readdir(dir), ['tasks.json']);
  });

  it('loses nothing to one that stood still under the lock until others had taken it, and tells that one', async function () {
    this.timeout(60_000);
    const goOn = join(dir, 'go-on');
    const list = join(dir, 'list');
    const worker = spawn(process.execPath, [join(import.meta.dirname, 'stalledWorker.ts'), list, goOn], { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(worker, 'close');
    let said = '';
    await new Promise<void>((resolve) => worker.stdout.on('data', (data) => {
      said += String(data);
      resolve();
    }));
    const problems: string[] = [];
    const own = new TrackedTasks({ dir: list, publish: (event) => event.type === 'problem' && problems.push(event.message) });
    const { id } = await own.create({ subject: 'mine', description: '' }, 'user');
    await writeFile(goOn, '');
    await ended;
    assert.equal(said, 'still unavailable');
    await own.load();
    assert.deepEqual([own.list().map((task) => task.id), problems, await readdir(list)], [[id], [], ['tasks.json']]);
  });
});
