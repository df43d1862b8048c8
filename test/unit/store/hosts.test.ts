import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { deferred } from '../../../src/runtime/base/async.ts';
import { processStart } from '../../../src/runtime/base/processes.ts';
import { Claims } from '../../../src/runtime/store/claims.ts';
import { Hosts, type HostsOptions } from '../../../src/runtime/store/hosts.ts';

describe('hosts on one storage folder', () => {
  let folder: string;
  const joined: Hosts[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hosts-'));
  });
  afterEach(async () => {
    for (const hosts of joined.splice(0)) await hosts.leave();
    await rm(folder, { recursive: true, force: true });
  });

  async function host(hostId: string, more: Partial<HostsOptions> = {}): Promise<Hosts> {
    const hosts = new Hosts({ folder, hostId, onBeat: async () => undefined, isWatchful: () => false, report: (message) => assert.fail(message), ...more });
    joined.push(hosts);
    await hosts.join();
    return hosts;
  }

  async function change(hostId: string, change: object): Promise<void> {
    const path = join(folder, `${hostId}.json`);
    await writeFile(path, JSON.stringify({ ...(JSON.parse(await readFile(path, 'utf8')) as object), ...change }));
  }

  it('are alive from joining to leaving, and leave only that they have left, until the next start', async () => {
    const [a, b] = [await host('a'), await host('b')];
    assert.deepEqual([await a.isAlive('b'), await b.isAlive('a'), await a.isAlive('a'), await a.isAlive('c')], [true, true, true, false]);
    await b.leave();
    await b.leave();
    assert.equal(await a.isAlive('b'), false);
    assert.deepEqual((await a.dead()).map(({ hostId }) => hostId), ['b']);
    await a.forget('b');
    assert.deepEqual(await readdir(folder), ['a.json']);
    assert.equal(await a.isAlive('b'), false);
  });

  it('are given the time to write their file anew where somebody has removed it, unless their process is gone', async () => {
    const [a, impatient] = [await host('a'), await host('c', { absenceMs: 0 })];
    await host('b');
    for (const hosts of [a, impatient]) assert.equal(await hosts.isAlive('b'), true);
    const file = await readFile(join(folder, 'b.json'), 'utf8');
    await rm(join(folder, 'b.json'));
    assert.deepEqual([await a.isAlive('b'), await a.isAlive('b'), await impatient.isAlive('b')], [true, true, false]);

    await writeFile(join(folder, 'b.json'), JSON.stringify({ ...(JSON.parse(file) as object), machine: 'other' }));
    assert.equal(await a.isAlive('b'), true);
    await rm(join(folder, 'b.json'));
    assert.equal(await a.isAlive('b'), true);
  });

  it('are dead at once without a file where their process is gone, or nobody has seen them', async () => {
    const a = await host('a');
    const gone = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
    await once(gone, 'spawn');
    await host('b');
    await change('b', { pid: gone.pid, startedAt: await processStart(gone.pid ?? 0) });
    assert.equal(await a.isAlive('b'), true);
    await rm(join(folder, 'b.json'));
    gone.kill();
    await once(gone, 'exit');
    assert.deepEqual([await a.isAlive('b'), await a.isAlive('stranger')], [false, false]);
  });

  const old = Date.now() - 121_000;
  const stories: readonly { readonly name: string; readonly change: object; readonly alive: boolean }[] = [
    { name: 'silent, but its process lives', change: { heartbeat: old }, alive: true },
    { name: 'whose process is gone', change: { pid: 2 ** 22 + 1 }, alive: false },
    { name: 'whose process id is another process by now', change: { startedAt: '1' }, alive: false },
    { name: 'on another machine that gave a sign of life', change: { machine: 'other', pid: 1 }, alive: true },
    { name: 'on another machine, silent for two minutes', change: { machine: 'other', heartbeat: old }, alive: false },
    { name: 'of which the system tells no start, gone', change: { startedAt: '', pid: 2 ** 22 + 1 }, alive: false },
    { name: 'of which the system tells no start, silent', change: { startedAt: '', heartbeat: old }, alive: false },
    { name: 'whose file says nothing', change: { pid: 'x' }, alive: false },
  ];
  for (const { name, change: changed, alive } of stories) {
    it(`tell ${alive ? 'a living' : 'a dead'} one: ${name}`, async () => {
      const a = await host('a');
      await host('b');
      await change('b', changed);
      assert.equal(await a.isAlive('b'), alive);
      assert.deepEqual((await a.dead()).map(({ hostId }) => hostId), alive ? [] : ['b']);
    });
  }

  it('give signs of life, one after the other, until they rest', async () => {
    const beats = [deferred<void>(), deferred<void>()];
    let count = 0;
    const a = await host('a', {
      beatMs: 5,
      onBeat: async () => {
        beats[count]?.resolve();
        count += 1;
      },
    });
    const first = (JSON.parse(await readFile(join(folder, 'a.json'), 'utf8')) as { readonly heartbeat: number }).heartbeat;
    await Promise.all(beats.map(({ promise }) => promise));
    await a.rest();
    const last = (JSON.parse(await readFile(join(folder, 'a.json'), 'utf8')) as { readonly heartbeat: number }).heartbeat;
    assert.ok(last > first);
  });

  it('tell when they can not give one', async () => {
    const told = deferred<string>();
    // Between two of them nothing else is written there.
    const putInTheWay = async (): Promise<void> => {
      rmSync(folder, { recursive: true, force: true });
      writeFileSync(folder, 'in the way');
    };
    const a = await host('a', { beatMs: 5, onBeat: putInTheWay, report: (message) => told.resolve(message) });
    assert.match(await told.promise, /sign of life was not written/);
    await a.rest();
  });
});

describe('a claim', () => {
  let folder: string;
  let alive: Set<string>;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'claims-'));
    alive = new Set(['a', 'b', 'c']);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const claims = (hostId: string): Claims => new Claims(join(folder, 'claims'), hostId, async (other) => alive.has(other));

  it('is taken by exactly one of many, who may take it again', async () => {
    const all = Array.from({ length: 10 }, (_, index) => `h${index}`);
    for (const id of all) alive.add(id);
    const won = await Promise.all(all.map((id) => claims(id).take('bg_1', 'dead')));
    assert.equal(won.filter(Boolean).length, 1);
    assert.equal(await claims(all[won.indexOf(true)] ?? '').take('bg_1', 'dead'), true);
  });

  it('passes from a dead claimer to one living one, over any number of deaths', async () => {
    for (const id of ['a', 'b', 'c']) {
      assert.equal(await claims(id).take('bg_1', 'dead'), true);
      alive.delete(id);
    }
    alive.add('d').add('e');
    assert.deepEqual((await Promise.all([claims('d'), claims('e')].map((each) => each.take('bg_1', 'dead')))).filter(Boolean), [true]);
  });

  it('leaves nothing when it is released, also of those before it', async () => {
    await claims('a').take('bg_1', 'dead');
    alive.delete('a');
    await claims('b').take('bg_1', 'dead');
    await claims('b').release('bg_1', 'dead');
    assert.deepEqual(await readdir(join(folder, 'claims')), []);
  });

  it('that a crash left without a name goes to the next, but not while it may just be written', async () => {
    await claims('a').take('other', 'dead');
    const path = join(folder, 'claims', 'bg_1.dead');
    await writeFile(path, '');
    assert.equal(await claims('b').take('bg_1', 'dead'), false);
    await utimes(path, 1, 1);
    assert.equal(await claims('b').take('bg_1', 'dead'), true);
    await claims('b').release('bg_1', 'dead');
    assert.deepEqual(await readdir(join(folder, 'claims')), ['other.dead']);
  });

  const damages: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'itself': { dead: 'dead' },
    'one before it': { dead: 'x', x: 'y', y: 'x' },
    'itself, also where that was mended once': { dead: 'dead', 'again-1': 'again-1' },
    'no name': { dead: '../../x' },
  };
  for (const [what, files] of Object.entries(damages)) {
    it(`that names ${what} goes to exactly one of many all the same, and leaves nothing`, async () => {
      await mkdir(join(folder, 'claims'));
      for (const [from, holder] of Object.entries(files)) {
        await writeFile(join(folder, 'claims', `bg_1.${from}`), holder);
        await utimes(join(folder, 'claims', `bg_1.${from}`), 1, 1);
      }
      const won = await Promise.all(['a', 'b', 'c'].map(async (id) => ((await claims(id).take('bg_1', 'dead')) ? [id] : [])));
      assert.equal(won.flat().length, 1);
      await claims(won.flat()[0] ?? '').release('bg_1', 'dead');
      assert.deepEqual(await readdir(join(folder, 'claims')), []);
    });
  }
});
