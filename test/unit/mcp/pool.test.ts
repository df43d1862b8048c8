import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { deferred } from '../../../src/runtime/base/async.ts';
import { AppError } from '../../../src/runtime/base/errors.ts';
import type { McpConnection } from '../../../src/runtime/domain/mcp.ts';
import { textOf } from '../../../src/runtime/domain/messages.ts';
import { ConnectionPool } from '../../../src/runtime/mcp/pool.ts';
import { FakeLinks, listOf } from '../../support/fakeLinks.ts';
import { ManualClock, quiet } from '../../support/manualClock.ts';
import { toolOf } from '../../support/mcpServers.ts';
import { execute, toolContext } from '../../support/toolContext.ts';

const CONFIG = { command: 'serve' };
const GRACE = 3_000;

describe('the pool of MCP servers', () => {
  let clock: ManualClock;
  let links: FakeLinks;
  let pool: ConnectionPool;
  beforeEach(() => {
    clock = new ManualClock();
    links = new FakeLinks();
    pool = new ConnectionPool({ clock, open: links.open });
  });
  afterEach(() => assert.equal(clock.pending, 0, 'a timer is left'));

  /** Holders of one server that is ready. */
  async function holders(count: number, name = 'a'): Promise<McpConnection[]> {
    const acquiring = Promise.all(Array.from({ length: count }, () => pool.acquire(name, CONFIG)));
    await quiet();
    links.last.ready();
    return acquiring;
  }
  async function first(): Promise<McpConnection> {
    const [connection] = await holders(1);
    assert.ok(connection);
    return connection;
  }
  const call = async (connection: McpConnection, tool = 'look', signal = new AbortController().signal): Promise<string> =>
    textOf((await execute(toolOf(connection, tool), {}, toolContext('/', { signal }))).content);
  async function end(...connections: readonly McpConnection[]): Promise<void> {
    await Promise.all(connections.map((connection) => connection.release({ immediately: true })));
    assert.equal(pool.size, 0);
    assert.ok(links.opened.every(({ isClosed, signal }) => isClosed || signal.aborted));
  }

  it('starts one server for all who ask for the same, also at the same moment and under other names', async () => {
    const all = await holders(20);
    all.push(await pool.acquire('b', { ...CONFIG, type: 'stdio', args: [], env: {} }));
    assert.equal(links.opened.length, 1);
    assert.deepEqual([...new Set(all.map(({ status }) => status))], ['ready']);
    assert.deepEqual(all.at(-1)?.tools.map(({ name }) => name), ['mcp__b__look']);
    assert.equal(all[0]?.tools[0], all[1]?.tools[0]);
    await end(...all);
  });

  for (const [what, other] of [['arguments', { ...CONFIG, args: ['x'] }], ['environment', { ...CONFIG, env: { A: 'x' } }], ['folder', { ...CONFIG, cwd: '/' }], ['way', { url: 'https://serve.example' }]] as const) {
    it(`starts another server for another ${what}`, async () => {
      const acquiring = [pool.acquire('a', CONFIG), pool.acquire('a', other)];
      await quiet();
      links.opened.forEach((link) => link.ready());
      assert.equal(links.opened.length, 2);
      await end(...(await Promise.all(acquiring)));
    });
  }

  it('ends a server once nobody has held it for the grace period', async () => {
    const [one, two] = await holders(2);
    assert.ok(one && two);
    await one.release();
    await one.release();
    clock.advance(GRACE);
    assert.deepEqual([links.last.isClosed, two.status, one.status, one.tools.length], [false, 'ready', 'closed', 0]);
    await two.release();
    clock.advance(GRACE - 1);
    assert.equal(links.last.isClosed, false);
    clock.advance(1);
    await quiet();
    assert.deepEqual([links.last.isClosed, pool.size], [true, 0]);
  });

  it('goes on with the server that somebody takes within the grace period', async () => {
    await (await first()).release();
    clock.advance(GRACE - 1);
    const again = await pool.acquire('a', CONFIG);
    clock.advance(GRACE);
    assert.deepEqual([again.status, links.opened.length, links.last.isClosed], ['ready', 1, false]);
    await end(again);
  });

  it('waits at an immediate release until the server is gone, also when it was given back before', async () => {
    const connection = await first();
    const gone = deferred<void>();
    links.last.ending = gone.promise;
    await connection.release();
    let isOver = false;
    const ending = connection.release({ immediately: true }).then(() => (isOver = true));
    await quiet();
    assert.deepEqual([links.last.isClosed, isOver], [true, false]);
    gone.resolve();
    await ending;
    assert.equal(pool.size, 0);
  });

  it('never ends at an immediate release what others hold', async () => {
    const [one, two] = await holders(2);
    assert.ok(one && two);
    await one.release({ immediately: true });
    assert.deepEqual([links.last.isClosed, await call(two)], [false, 'look']);
    await end(two);
  });

  it('starts a server anew for who asks while it ends, once the old one is gone', async () => {
    const connection = await first();
    const gone = deferred<void>();
    links.last.ending = gone.promise;
    const ending = connection.release({ immediately: true });
    const acquiring = pool.acquire('a', CONFIG);
    await quiet();
    assert.equal(links.opened.length, 1);
    gone.resolve();
    await ending;
    await quiet();
    assert.equal(links.opened.length, 2);
    links.last.ready();
    const again = await acquiring;
    assert.equal(again.status, 'ready');
    // The old share, once more, must not end the new server.
    await connection.release({ immediately: true });
    assert.equal((await pool.acquire('a', CONFIG)).status, 'ready');
    assert.equal(links.opened.length, 2);
    const left = await pool.acquire('a', CONFIG);
    await left.release({ immediately: true });
    assert.equal(links.last.isClosed, false);
    await again.release();
  });

  it('tells a failure to all who wait, remembers it for nobody, and lets those who still hold it profit', async () => {
    const acquiring = Promise.all([pool.acquire('a', CONFIG), pool.acquire('a', CONFIG)]);
    await quiet();
    links.last.fail(new AppError('unavailable', 'It broke.'));
    const [one, two] = await acquiring;
    assert.ok(one && two);
    for (const { status, error } of [one, two]) assert.deepEqual([status, error], ['failed', "The MCP server a isn't available. It broke."]);
    const statuses: string[] = [];
    one.onDidChange(() => statuses.push(one.status));
    const again = pool.acquire('a', CONFIG);
    await quiet();
    links.last.ready();
    assert.equal((await again).status, 'ready');
    assert.deepEqual([statuses, one.error, one.tools.length], [['connecting', 'ready'], undefined, 1]);
    await end(one, two, await again);
  });

  it('forgets a server that failed as soon as nobody holds it', async () => {
    const acquiring = pool.acquire('a', CONFIG);
    await quiet();
    links.last.fail(new AppError('unavailable', 'It broke.'));
    await (await acquiring).release();
    assert.equal(pool.size, 0);
  });

  it('gives up a server that is not ready in 30 seconds', async () => {
    const acquiring = pool.acquire('a', CONFIG);
    await quiet();
    clock.advance(29_999);
    assert.equal(links.last.signal.aborted, false);
    clock.advance(1);
    const connection = await acquiring;
    assert.equal(connection.status, 'failed');
    assert.match(connection.error ?? '', /30 seconds/);
    await connection.release();
  });

  it('goes on connecting for the others when one stops waiting', async () => {
    const stop = new AbortController();
    const stopped = pool.acquire('a', CONFIG, { signal: stop.signal });
    const staying = pool.acquire('a', CONFIG);
    await quiet();
    stop.abort();
    await assert.rejects(stopped, { reason: 'aborted' });
    links.last.ready();
    assert.equal((await staying).status, 'ready');
    await end(await staying);
  });

  it('stops connecting with the last one who waits, and then nothing is left', async () => {
    const stop = new AbortController();
    const stopped = pool.acquire('a', CONFIG, { signal: stop.signal });
    await quiet();
    stop.abort();
    await assert.rejects(stopped, { reason: 'aborted' });
    assert.deepEqual([links.last.signal.aborted, pool.size], [true, 0]);
  });

  it('ends a session that opens although the attempt was stopped', async () => {
    const stop = new AbortController();
    const open = deferred<void>();
    const late = new ConnectionPool({ clock, open: async (target, events) => (await open.promise, links.open(target, events, new AbortController().signal)) });
    const stopped = assert.rejects(late.acquire('a', CONFIG, { signal: stop.signal }), { reason: 'aborted' });
    await quiet();
    stop.abort();
    open.resolve();
    await quiet();
    links.last.ready();
    await stopped;
    assert.deepEqual([links.last.isClosed, late.size], [true, 0]);
  });

  it('refuses a configuration that makes no sense, and a signal that has aborted, without starting anything', async () => {
    await assert.rejects(pool.acquire('a', { command: ' ' }), { reason: 'invalid_input' });
    await assert.rejects(pool.acquire('a', CONFIG, { signal: AbortSignal.abort() }), { reason: 'aborted' });
    assert.deepEqual([links.opened.length, pool.size], [0, 0]);
  });

  it('starts a server that has ended on the next call, once for all who call', async () => {
    const connection = await first();
    links.last.crash();
    assert.deepEqual([connection.status, connection.tools.length], ['closed', 1]);
    assert.equal(links.opened.length, 1);
    const calls = Promise.all([call(connection), call(connection), call(connection)]);
    await quiet();
    assert.equal(links.opened.length, 2);
    links.last.list = listOf('look', 'listen');
    links.last.ready();
    assert.deepEqual(await calls, ['look', 'look', 'look']);
    assert.deepEqual([connection.status, connection.tools.map(({ name }) => name)], ['ready', ['mcp__a__look', 'mcp__a__listen']]);
    await end(connection);
  });

  it('fails each call with the error of a server that does not start any more, one start for each', async () => {
    const connection = await first();
    links.last.crash();
    for (const starts of [2, 3]) {
      const calling = call(connection);
      await quiet();
      links.last.fail(new AppError('unavailable', 'It broke.'));
      await assert.rejects(calling, { reason: 'unavailable', message: "The MCP server a isn't available. It broke." });
      assert.equal(links.opened.length, starts);
    }
    assert.equal(connection.status, 'failed');
    await end(connection);
  });

  it('makes a call again, once, that did not run because the session was over', async () => {
    const connection = await first();
    links.last.answer = async () => Promise.reject(new AppError('closed', 'Over.'));
    const calls = Promise.all([call(connection), call(connection)]);
    await quiet();
    assert.equal(links.opened.length, 2);
    links.last.ready();
    assert.deepEqual(await calls, ['look', 'look']);
    links.last.answer = async () => Promise.reject(new AppError('closed', 'Over.'));
    const calling = call(connection);
    await quiet();
    links.last.answer = async () => Promise.reject(new AppError('closed', 'Over again.'));
    links.last.ready();
    await assert.rejects(calling, { reason: 'closed', message: 'Over again.' });
    assert.equal(links.opened.length, 3);
    await end(connection);
  });

  it('never makes a call again that may have run', async () => {
    const connection = await first();
    links.last.answer = async () => Promise.reject(new AppError('unavailable', 'It ended.'));
    await assert.rejects(call(connection), { message: 'It ended.' });
    assert.deepEqual([links.opened.length, links.last.calls], [1, ['look']]);
    await end(connection);
  });

  it('lets a call stop waiting for a start that others wait for', async () => {
    const connection = await first();
    links.last.crash();
    const stop = new AbortController();
    const [stopped, going] = [call(connection, 'look', stop.signal), call(connection)];
    await quiet();
    stop.abort();
    await assert.rejects(stopped, { reason: 'aborted' });
    links.last.ready();
    assert.equal(await going, 'look');
    await end(connection);
  });

  it('starts nothing for a tool that nobody holds any more', async () => {
    const connection = await first();
    const tool = toolOf(connection, 'look');
    await end(connection);
    await assert.rejects(execute(tool, {}, toolContext('/')), { reason: 'closed' });
    assert.equal(links.opened.length, 1);
  });

  it('tells of new tools, and of what is wrong with them', async () => {
    const connection = await first();
    let changes = 0;
    const listening = connection.onDidChange(() => (changes += 1));
    const before = connection.tools;
    links.last.events.onList({ ...listOf('listen'), problem: '3 tools are missing.' });
    assert.deepEqual([changes, connection.tools.map(({ name }) => name), connection.status], [1, ['mcp__a__listen'], 'ready']);
    assert.match(connection.error ?? '', /server a\. 3 tools are missing\.$/);
    assert.notEqual(connection.tools, before);
    listening.dispose();
    links.last.events.onList(listOf('look'));
    assert.deepEqual([changes, connection.error], [1, undefined]);
    await end(connection);
  });

  it('takes no list from a session that is over', async () => {
    const connection = await first();
    const old = links.last;
    old.crash();
    old.events.onList(listOf('stale'));
    assert.deepEqual(connection.tools.map(({ name }) => name), ['mcp__a__look']);
    await end(connection);
  });

  it('restarts a server for all who hold it', async () => {
    const [one, two] = await holders(2);
    assert.ok(one && two);
    const restarting = one.restart();
    await quiet();
    assert.deepEqual([links.opened.map(({ isClosed }) => isClosed), two.status], [[true, false], 'connecting']);
    links.last.ready();
    await restarting;
    assert.deepEqual([one.status, two.status], ['ready', 'ready']);
    await end(one, two);
  });

  it('gives who waits for a start that is started anew the second one', async () => {
    const waiting = await holders(1);
    links.last.crash();
    const acquiring = pool.acquire('a', CONFIG);
    await quiet();
    const restarting = waiting[0]?.restart();
    await quiet();
    links.last.ready();
    await restarting;
    const connection = await acquiring;
    assert.deepEqual([connection.status, links.opened.length], ['ready', 3]);
    await end(connection, ...waiting);
  });

  describe('who is told of processes', () => {
    const notes = new Map<string, number[]>();
    const noted = (who: string) => (pid: number) => {
      const own = notes.get(who) ?? [];
      notes.set(who, own);
      own.push(pid);
      return { dispose: () => void own.splice(own.indexOf(pid), 1) };
    };
    beforeEach(() => notes.clear());

    it('is each host, once, from the start to the end of the process, also in the grace period', async () => {
      const onProcess = noted('host');
      const acquiring = Promise.all([pool.acquire('a', CONFIG, { onProcess }), pool.acquire('a', CONFIG, { onProcess })]);
      await quiet();
      links.last.ready(7);
      const connections = await acquiring;
      assert.deepEqual(notes.get('host'), [7]);
      for (const connection of connections) await connection.release();
      assert.deepEqual(notes.get('host'), [7]);
      clock.advance(GRACE);
      await quiet();
      assert.deepEqual(notes.get('host'), []);
    });

    it('is a host that comes later, and no longer one whose share others have taken over', async () => {
      const acquiring = pool.acquire('a', CONFIG, { onProcess: noted('one') });
      await quiet();
      links.last.ready(7);
      const one = await acquiring;
      const two = await pool.acquire('a', CONFIG, { onProcess: noted('two') });
      await one.release();
      assert.deepEqual([notes.get('one'), notes.get('two')], [[], [7]]);
      await two.release();
      const three = await pool.acquire('a', CONFIG, { onProcess: noted('three') });
      assert.deepEqual([notes.get('two'), notes.get('three')], [[], [7]]);
      links.last.crash();
      assert.deepEqual(notes.get('three'), []);
      await end(three);
    });
  });
});
