import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { deferred } from '../../../src/runtime/base/async.ts';
import { AppError } from '../../../src/runtime/base/errors.ts';
import type { McpServerConfig, ServerView } from '../../../src/runtime/domain/mcp.ts';
import { Connections } from '../../../src/runtime/mcp/connections.ts';
import { ConnectionPool } from '../../../src/runtime/mcp/pool.ts';
import { EventRecorder } from '../../support/events.ts';
import { FakeLinks, listOf } from '../../support/fakeLinks.ts';
import { ManualClock, quiet } from '../../support/manualClock.ts';

const A: McpServerConfig = { command: 'serve-a' };
const B: McpServerConfig = { url: 'https://b.example/' };
const NEVER = new AbortController().signal;

describe('the connections of a runtime', () => {
  let clock: ManualClock;
  let links: FakeLinks;
  let pool: ConnectionPool;
  let recorder: EventRecorder;
  let servers: Record<string, McpServerConfig>;
  let resolve: (name: string, config: McpServerConfig) => Promise<McpServerConfig>;
  let connections: Connections;
  const pids: number[] = [];
  beforeEach(() => {
    clock = new ManualClock();
    links = new FakeLinks();
    pool = new ConnectionPool({ clock, open: links.open });
    recorder = new EventRecorder();
    servers = { a: A };
    resolve = async (_name, config) => config;
    pids.length = 0;
    const onProcess = (pid: number): { dispose(): void } => {
      pids.push(pid);
      return { dispose: () => void pids.splice(pids.indexOf(pid), 1) };
    };
    connections = new Connections({ acquire: pool.acquire, servers: () => servers, resolve: (name, config) => resolve(name, config), cwd: '/home/me/a project', onProcess, publish: recorder.publish, clock });
  });
  afterEach(async () => {
    await connections.close();
    assert.deepEqual([pool.size, clock.pending, pids], [0, 0, []]);
  });

  const told = (): string[] => recorder.of('connection.changed').map(({ server: { name, status } }) => `${name} ${status}`);
  const listed = (): string[] => connections.list().map(({ name, status }) => `${name} ${status}`);
  const namesOf = (tools: readonly { readonly name: string }[]): string[] => tools.map(({ name }) => name);
  /** The root, connected to all of `servers`. */
  async function connected(pid?: number): Promise<void> {
    const connecting = connections.connectRoot(servers);
    await quiet();
    links.opened.forEach((link) => link.ready(pid));
    await connecting;
  }
  const broken = new AppError('unavailable', 'It broke.');

  describe('of the root', () => {
    it('give it the tools of its servers, and tell how they stand', async () => {
      servers = { a: A, b: B };
      assert.deepEqual(listed(), ['a closed', 'b closed']);
      await connected();
      assert.deepEqual(namesOf(connections.rootTools(servers)), ['mcp__a__look', 'mcp__b__look']);
      assert.deepEqual(listed(), ['a ready', 'b ready']);
      assert.deepEqual(told().sort(), ['a connecting', 'a ready', 'b connecting', 'b ready']);
      assert.deepEqual(connections.list()[1], { name: 'b', transport: 'http', status: 'ready', tools: ['look'] } satisfies ServerView);
    });

    it('stay open from turn to turn', async () => {
      await connected();
      await connections.connectRoot(servers);
      assert.deepEqual([links.opened.length, clock.pending], [1, 0]);
    });

    it('do not hold up a turn for long: what comes later is there from then on', async () => {
      const connecting = connections.connectRoot(servers);
      await quiet();
      clock.advance(4_999);
      assert.equal(await Promise.race([connecting.then(() => 'over'), quiet()]), undefined);
      clock.advance(1);
      await connecting;
      assert.deepEqual(connections.rootTools(servers), []);
      links.last.ready();
      await quiet();
      assert.deepEqual(namesOf(connections.rootTools(servers)), ['mcp__a__look']);
    });

    it('are tried again at each turn where they failed, which then waits but a moment', async () => {
      const failing = connections.connectRoot(servers);
      await quiet();
      links.last.fail(broken);
      await failing;
      assert.match(connections.list()[0]?.error ?? '', /^It broke\.$/);
      const again = connections.connectRoot(servers);
      await quiet();
      assert.equal(links.opened.length, 2);
      clock.advance(1_000);
      await again;
      links.last.ready();
      await quiet();
      assert.deepEqual(listed(), ['a ready']);
    });

    it('start in the folder of the runtime, unless the configuration says another', async () => {
      servers = { a: A, c: { command: 'serve-c', cwd: '/elsewhere' }, b: B };
      await connected();
      assert.deepEqual(links.opened.map(({ target }) => (target.kind === 'stdio' ? target.cwd : 'none')).sort(), ['/elsewhere', '/home/me/a project', 'none']);
    });

    it('are made with what the configuration resolves to, or tell why it does not', async () => {
      servers = { a: A, b: B };
      resolve = async (name, config) => {
        if (name === 'b') throw new Error('No key was given.');
        return { ...config, env: { KEY: 'typed' } };
      };
      await connected();
      assert.deepEqual(links.opened.map(({ target }) => target.kind === 'stdio' && target.env), [{ KEY: 'typed' }]);
      assert.deepEqual(connections.list().map(({ error }) => error), [undefined, 'No key was given.']);
    });

    it('say of a configuration that makes no sense what is wrong with it', async () => {
      servers = { a: { command: '' } };
      await connections.connectRoot(servers);
      assert.deepEqual(listed(), ['a failed']);
      assert.match(connections.list()[0]?.error ?? '', /^[^"]*`command` must be the program/);
    });

    it('follow what a server lists', async () => {
      await connected();
      links.last.events.onList(listOf('look', 'listen'));
      assert.deepEqual(connections.list()[0]?.tools, ['look', 'listen']);
      assert.deepEqual(recorder.of('connection.changed').at(-1)?.server.tools, ['look', 'listen']);
    });

    it('end with the configuration, and only those that it no longer names so', async () => {
      servers = { a: A, b: B };
      await connected();
      servers = { a: { command: 'serve-a', args: ['new'] }, b: B };
      connections.serversChanged();
      await quiet();
      clock.advance(3_000);
      await quiet();
      assert.deepEqual(links.opened.map(({ isClosed }) => isClosed), [true, false]);
      assert.deepEqual(listed(), ['a closed', 'b ready']);
      assert.deepEqual(told().at(-1), 'a closed');
    });
  });

  describe('that are restarted', () => {
    it('are new processes, for children too', async () => {
      await connected();
      const child = await connections.acquire('a', A, NEVER);
      const restarting = connections.restart('a');
      await quiet();
      assert.equal(links.opened[0]?.isClosed, true);
      links.last.list = listOf('listen');
      links.last.ready();
      assert.deepEqual((await restarting).tools, ['listen']);
      assert.deepEqual(namesOf(child.tools), ['mcp__a__listen']);
      await connections.release(child);
    });

    it('are those of children where only they use them', async () => {
      const acquiring = connections.acquire('a', A, NEVER);
      await quiet();
      links.last.ready();
      const child = await acquiring;
      const restarting = connections.restart('a');
      await quiet();
      links.last.ready();
      assert.deepEqual([(await restarting).status, links.opened.map(({ isClosed }) => isClosed)], ['ready', [true, false]]);
      await connections.release(child);
    });

    it('are connected where they were not, also after a failure', async () => {
      const restarting = connections.restart('a');
      await quiet();
      links.last.fail(broken);
      assert.equal((await restarting).status, 'failed');
      const again = connections.restart('a');
      await quiet();
      links.last.ready();
      assert.equal((await again).status, 'ready');
    });

    it('take what the configuration resolves to by now', async () => {
      let key = 'old';
      resolve = async (_name, config) => ({ ...config, env: { KEY: key } });
      await connected();
      key = 'new';
      const restarting = connections.restart('a');
      await quiet();
      links.last.ready();
      await restarting;
      assert.deepEqual(links.opened.map(({ target, isClosed }) => [target.kind === 'stdio' && target.env['KEY'], isClosed]), [['old', true], ['new', false]]);
    });

    it('must be configured', async () => assert.rejects(connections.restart('b'), { reason: 'not_found' }));
  });

  describe('of children', () => {
    it('are shared with the root, and are no server of their own in the list', async () => {
      await connected();
      const children = await Promise.all([connections.acquire('a', A, NEVER), connections.acquire('a', A, NEVER)]);
      assert.deepEqual([links.opened.length, listed()], [1, ['a ready']]);
      for (const child of children) await connections.release(child);
      assert.deepEqual(told(), ['a connecting', 'a ready']);
      assert.equal(links.last.isClosed, false);
    });

    it('are listed after those of the root while they are used', async () => {
      const acquiring = connections.acquire('own', B, NEVER);
      await quiet();
      links.last.ready();
      const child = await acquiring;
      assert.deepEqual(listed(), ['a closed', 'own ready']);
      await connections.release(child);
      await connections.release(child);
      assert.deepEqual(listed(), ['a closed']);
      assert.deepEqual(told(), ['own connecting', 'own ready', 'own closed']);
      assert.deepEqual(child.tools, []);
    });

    it('tell how a configured server stands that the root has not used yet', async () => {
      const acquiring = connections.acquire('a', A, NEVER);
      await quiet();
      links.last.ready();
      const child = await acquiring;
      assert.deepEqual(listed(), ['a ready']);
      await connections.release(child);
    });

    it('are given back by a child that stops waiting, at whatever it waits for', async () => {
      const resolving = deferred<McpServerConfig>();
      resolve = () => resolving.promise;
      const early = new AbortController();
      const waiting = connections.acquire('a', A, early.signal);
      await quiet();
      early.abort();
      await assert.rejects(waiting, { reason: 'aborted' });
      assert.equal(pool.size, 0);

      resolve = async (_name, config) => config;
      const late = new AbortController();
      const connecting = connections.acquire('a', A, late.signal);
      await quiet();
      late.abort();
      await assert.rejects(connecting, { reason: 'aborted' });
      assert.equal(pool.size, 0);
      await assert.rejects(connections.acquire('a', A, AbortSignal.abort()), { reason: 'aborted' });
      assert.equal(pool.size, 0);
    });
  });

  describe('at the end', () => {
    it('hold up no turn', async () => {
      const connecting = connections.connectRoot(servers);
      await quiet();
      connections.hurry();
      await connecting;
      await connections.connectRoot(servers);
      assert.deepEqual(listed(), ['a connecting']);
    });

    it('end at once, also those that were given back a moment ago', async () => {
      await connected(7);
      const acquiring = connections.acquire('own', B, NEVER);
      await quiet();
      links.last.ready(8);
      await connections.release(await acquiring);
      assert.deepEqual(pids, [7, 8]);
      await connections.close();
      assert.deepEqual([links.opened.map(({ isClosed }) => isClosed), pids], [[true, true], []]);
    });

    it('are not waited for where they are still being made, or wait for a person', async () => {
      servers = { a: A, b: B };
      resolve = (name, config) => (name === 'a' ? new Promise(() => undefined) : Promise.resolve(config));
      const connecting = connections.connectRoot(servers);
      const acquiring = connections.acquire('own', A, NEVER);
      await quiet();
      const refused = assert.rejects(acquiring, { reason: 'closed' });
      await connections.close();
      await connecting;
      await refused;
      assert.equal(links.last.signal.aborted, true);
    });

    it('are made no more', async () => {
      await connections.close();
      await connections.connectRoot(servers);
      await assert.rejects(connections.acquire('a', A, NEVER), { reason: 'closed' });
      await assert.rejects(connections.restart('a'), { reason: 'not_found' });
      assert.deepEqual([links.opened.length, listed()], [0, ['a closed']]);
    });

    it('leave alone what another runtime uses', async () => {
      await connected();
      const other = await pool.acquire('a', { ...A, cwd: '/home/me/a project' });
      await connections.close();
      assert.equal(other.status, 'ready');
      await other.release({ immediately: true });
    });
  });
});
