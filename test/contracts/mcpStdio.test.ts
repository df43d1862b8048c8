import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { processTable } from '../../src/runtime/base/processes.ts';
import { textOf } from '../../src/runtime/domain/messages.ts';
import type { McpConnection, McpServerConfig } from '../../src/runtime/domain/mcp.ts';
import { openLink } from '../../src/runtime/mcp/openLink.ts';
import { ConnectionPool } from '../../src/runtime/mcp/pool.ts';
import { validateInput } from '../../src/runtime/tools/schema.ts';
import { ManualClock } from '../support/manualClock.ts';
import { fixtureServer, installedServer, living, startsIn, toolOf } from '../support/mcpServers.ts';
import { eventually, execute, toolContext, type TestContext } from '../support/toolContext.ts';

describe('an MCP server over its standard streams', function () {
  this.timeout(20_000);
  let folder: string;
  let starts: string;
  let clock: ManualClock;
  let pool: ConnectionPool;
  let held: McpConnection[];
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'mcp-')));
    starts = join(folder, 'starts');
    clock = new ManualClock();
    pool = new ConnectionPool({ clock, open: openLink });
    held = [];
  });
  afterEach(async () => {
    await Promise.all(held.map((connection) => connection.release({ immediately: true })));
    assert.deepEqual(await living(await startsIn(starts)), []);
    await rm(folder, { recursive: true, force: true });
  });

  async function acquire(config: McpServerConfig, name = 's'): Promise<McpConnection> {
    const connection = await pool.acquire(name, config);
    held.push(connection);
    return connection;
  }
  const contextWith = (signal = new AbortController().signal): TestContext => toolContext(folder, { signal });
  const call = async (connection: McpConnection, tool: string, input: object = {}, context = contextWith()): Promise<string> => textOf((await execute(toolOf(connection, tool), input, context)).content);
  const fixture = (options: Parameters<typeof fixtureServer>[0] = {}): ReturnType<typeof fixtureServer> => fixtureServer({ starts, ...options });

  describe('the reference servers', () => {
    it('everything: lists its tools, with which only read, and gives text, images, links, structure and progress', async () => {
      const server = await acquire(installedServer('everything', 'stdio'));
      assert.equal(server.error, undefined);
      assert.deepEqual([toolOf(server, 'echo').isReadOnly, toolOf(server, 'simulate-research-query').isReadOnly], [true, false]);
      assert.equal(await call(server, 'echo', { message: 'hello' }), 'Echo: hello');
      const { content } = await execute(toolOf(server, 'get-tiny-image'), {}, contextWith());
      assert.deepEqual(content.map((part) => (part.type === 'image' ? part.mimeType : part.type)), ['text', 'image/png', 'text']);
      assert.match(await call(server, 'get-resource-links', { count: 2 }), /\[Resource demo:/);
      assert.match(await call(server, 'get-structured-content', { location: 'Chicago' }), /temperature/);
      const context = contextWith();
      await call(server, 'trigger-long-running-operation', { duration: 0.1, steps: 2 }, context);
      assert.match(context.reported(), /1 of 2/);
      assert.equal((await validateInput(toolOf(server, 'echo').inputSchema, '{}')).ok, false);
      assert.equal((await validateInput(toolOf(server, 'echo').inputSchema, '{"message":"a"}')).ok, true);
    });

    it('filesystem: reads a file of its folder, and says what it refuses', async () => {
      await writeFile(join(folder, 'note.txt'), 'hello');
      const server = await acquire(installedServer('filesystem', folder));
      assert.match(await call(server, 'read_text_file', { path: join(folder, 'note.txt') }), /hello/);
      const refused = await execute(toolOf(server, 'read_text_file'), { path: '/etc/hostname' }, contextWith());
      assert.equal(refused.isError, true);
      assert.deepEqual([toolOf(server, 'read_text_file').isReadOnly, toolOf(server, 'write_file').isReadOnly], [true, false]);
    });
  });

  it('gets a few harmless variables, its own, and nothing else of the host (case 33)', async () => {
    const markers = { OPENAI_API_KEY: 'marker-1', GITHUB_TOKEN: 'marker-2', SOMETHING: 'marker-3' };
    const before = { ...process.env };
    Object.assign(process.env, markers);
    try {
      const env = JSON.parse(await call(await acquire({ ...fixture(), env: { OWN: 'own' } }), 'env')) as Record<string, string>;
      assert.equal(env['OWN'], 'own');
      assert.equal(JSON.stringify(env).includes('marker-'), false);
      const known = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'OWN'];
      assert.deepEqual(Object.keys(env).filter((name) => !known.includes(name)), []);
    } finally {
      for (const name of Object.keys(markers)) delete process.env[name];
      Object.assign(process.env, before);
    }
  });

  it('starts in its folder', async () => assert.equal(await call(await acquire({ ...fixture(), cwd: folder }), 'cwd'), folder));

  it('is refused what the client does not offer, without anything hanging', async () => {
    assert.equal(await call(await acquire(fixture()), 'ask'), JSON.stringify([{ code: -32601 }, { code: -32601 }, { code: -32601 }, {}]));
  });

  it('may write to its error output as much as it likes', async () => assert.equal(await call(await acquire(fixture()), 'noisy'), 'said'));

  it('is told of a cancelled call, and goes on', async () => {
    const server = await acquire(fixture());
    const stop = new AbortController();
    const calling = call(server, 'hang', {}, contextWith(stop.signal));
    await call(server, 'look');
    stop.abort();
    await assert.rejects(calling, { reason: 'aborted' });
    assert.match(await call(server, 'cancelled'), /^\[\d+\]$/);
    assert.equal((await startsIn(starts)).length, 1);
  });

  it('says how far a call is', async () => {
    const context = contextWith();
    await call(await acquire(fixture()), 'steps', {}, context);
    assert.equal(context.reported(), 'step 1 (1 of 3)\nstep 2 (2 of 3)\nstep 3 (3 of 3)\n');
  });

  it('tells the model what it refused', async () => {
    const server = await acquire(fixture({ tools: [{ name: 'gone', inputSchema: { type: 'object' }, refuses: true }] }));
    await assert.rejects(call(server, 'gone'), { reason: 'invalid_input', message: /Unknown tool gone/ });
  });

  it('has the tools that it lists later, with what they say of themselves', async () => {
    const server = await acquire(fixture());
    await call(server, 'add', { name: 'late' });
    await call(server, 'add', { name: 'later', readOnly: true });
    await eventually(() => server.tools.some(({ name }) => name === 'mcp__s__later'), 'the new tools');
    assert.deepEqual([toolOf(server, 'late').isReadOnly, toolOf(server, 'later').isReadOnly], [false, true]);
    assert.equal(await call(server, 'late'), 'late ran');
  });

  it('fails the calls in flight when it is killed, and is started again by the next ones, once', async () => {
    const server = await acquire(fixture());
    const hanging = [call(server, 'hang'), call(server, 'hang')];
    const results = Promise.allSettled(hanging);
    const [pid = 0] = await startsIn(starts);
    assert.equal(await call(server, 'whoami'), String(pid));
    process.kill(pid, 'SIGKILL');
    assert.deepEqual((await results).map((result) => (result.status === 'rejected' ? (result.reason as { reason: string }).reason : 'ran')), ['unavailable', 'unavailable']);
    assert.equal(server.status, 'closed');
    const pids = await Promise.all([call(server, 'whoami'), call(server, 'whoami'), call(server, 'whoami')]);
    assert.equal(new Set(pids).size, 1);
    assert.deepEqual((await startsIn(starts)).map(String), [String(pid), pids[0]]);
    assert.equal(server.status, 'ready');
  });

  it('may say what is no message', async () => assert.equal(await call(await acquire(fixture()), 'babble'), 'said'));

  it('may answer with what is no answer: that call fails, and the next one is answered', async () => {
    const server = await acquire(fixture());
    for (const answer of [{}, { result: null }, { result: 7 }, { result: [] }, { error: { code: 'x', message: 5 } }]) await assert.rejects(call(server, 'answer', answer), { reason: 'unavailable', message: /no answer that can be read/ });
    assert.equal(await call(server, 'look'), 'seen');
    assert.equal((await startsIn(starts)).length, 1);
  });

  it('is ended where it sends a message without an end, and started again', async () => {
    const server = await acquire(fixture());
    await assert.rejects(call(server, 'flood'), { reason: 'unavailable' });
    assert.equal(await call(server, 'look'), 'seen');
    assert.equal((await startsIn(starts)).length, 2);
  });

  it('loses the call with which it ends itself', async () => {
    const server = await acquire(fixture());
    await assert.rejects(call(server, 'die'), { reason: 'unavailable' });
    assert.equal(await call(server, 'look'), 'seen');
  });

  it('costs nobody else anything by one tool that is broken', async () => {
    const server = await acquire(fixture({ tools: [{ name: 3 }, { name: 'shapeless', inputSchema: 'x' }, { name: 'uncompilable', inputSchema: { type: 'object', properties: { a: { type: 'nonsense' } } } }, { name: 'odd (name)', inputSchema: { type: 'object' } }] }));
    assert.equal(server.status, 'ready');
    assert.match(server.error ?? '', /2 tools can't be used/);
    assert.equal(await call(server, 'look'), 'seen');
    const checked = await validateInput(toolOf(server, 'uncompilable').inputSchema, '{"a":1}');
    assert.match(checked.ok ? '' : checked.message, /schema is broken/);
    const odd = server.tools.find(({ name }) => name.startsWith('mcp__s__odd'));
    assert.ok(odd);
    assert.equal(textOf((await execute(odd, {}, contextWith())).content), 'ok');
  });

  describe('the end', () => {
    it('takes with it what a wrapper started, and what ends neither with its input nor when asked to', async () => {
      const { command, args = [] } = fixture({ stubborn: true });
      const quoted = [command, ...args].map((word) => `'${word}'`).join(' ');
      const server = await acquire({ command: '/bin/sh', args: ['-c', `sleep 600 & ${quoted}; true`] });
      const [pid = 0] = await startsIn(starts);
      const session = (await processTable()).find((entry) => entry.pid === pid)?.session;
      const members = async (): Promise<number> => (await processTable()).filter((entry) => entry.session === session).length;
      assert.ok((await members()) >= 3);
      await server.release({ immediately: true });
      assert.equal(await members(), 0);
    });

    it('comes with the end of the grace period', async () => {
      const server = await acquire(fixture());
      await server.release();
      assert.equal((await living(await startsIn(starts))).length, 1);
      clock.advance(3_000);
      await eventually(async () => (await living(await startsIn(starts))).length === 0, 'the end of the server');
      await eventually(() => pool.size === 0, 'the end of the pool');
    });

    it('also comes for one that is stopped while it starts', async () => {
      const stop = new AbortController();
      const acquiring = pool.acquire('s', fixture({ mute: true }), { signal: stop.signal });
      await eventually(async () => (await startsIn(starts)).length === 1, 'the start');
      stop.abort();
      await assert.rejects(acquiring, { reason: 'aborted' });
      assert.deepEqual([await living(await startsIn(starts)), pool.size], [[], 0]);
    });
  });

  describe('a start that fails says why, with what the server said and without secrets:', () => {
    const script = (text: string): McpServerConfig => ({ command: process.execPath, args: ['-e', text], env: { KEY: 'hush-hush' } });
    const cases: readonly (readonly [string, McpServerConfig, RegExp])[] = [
      ['a command that is not there', { command: 'no-such-command' }, /server s isn't available\. Its command no-such-command was not found/],
      ['a folder that is not there', { command: process.execPath, cwd: '/no/such/folder' }, /`cwd`/],
      ['a process that ends', script('console.error("first\\nNo access with hush-hush.\\nBye"); process.exit(3)'), /ended before it was ready\..* It said: No access with \*\*\*\. \/ Bye$/],
      ['a process that says something else', script('process.stdin.once("data", () => { console.log("Hello!"); console.error("not me"); process.exit() })'), /ended before.*not me/],
      ['a refused handshake', script('process.stdin.once("data", () => console.log(JSON.stringify({ jsonrpc: "2.0", id: 0, error: { code: -1, message: "bad key hush-hush" } })))'), /bad key \*\*\*/],
    ];
    for (const [what, config, words] of cases) {
      it(what, async () => {
        const server = await acquire(config);
        assert.equal(server.status, 'failed');
        assert.match(server.error ?? '', words);
        assert.equal(server.error?.includes('hush'), false);
      });
    }
  });
});
