import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { deferred } from '../../src/runtime/base/async.ts';
import { textOf } from '../../src/runtime/domain/messages.ts';
import type { HttpServer, McpConnection } from '../../src/runtime/domain/mcp.ts';
import { openLink } from '../../src/runtime/mcp/openLink.ts';
import { ConnectionPool } from '../../src/runtime/mcp/pool.ts';
import { ManualClock } from '../support/manualClock.ts';
import { McpHttpServer } from '../support/mcpHttpServer.ts';
import { toolOf } from '../support/mcpServers.ts';
import { eventually, execute, toolContext } from '../support/toolContext.ts';

const EVERYTHING = fileURLToPath(new URL('../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url));

describe('an MCP server over HTTP', function () {
  this.timeout(20_000);
  let clock: ManualClock;
  let pool: ConnectionPool;
  let held: McpConnection[];
  beforeEach(() => {
    clock = new ManualClock();
    pool = new ConnectionPool({ clock, open: openLink });
    held = [];
  });
  afterEach(async () => {
    await Promise.all(held.map((connection) => connection.release({ immediately: true })));
    assert.equal(pool.size, 0);
  });

  async function acquire(config: HttpServer): Promise<McpConnection> {
    const connection = await pool.acquire('s', config);
    held.push(connection);
    return connection;
  }
  const call = async (connection: McpConnection, tool = 'look', input: object = {}, signal = new AbortController().signal): Promise<string> => textOf((await execute(toolOf(connection, tool), input, toolContext('/', { signal }))).content);

  describe('the reference server', () => {
    let server: ChildProcess;
    let port: number;
    async function start(mode: 'streamableHttp' | 'sse'): Promise<void> {
      server = spawn(process.execPath, [EVERYTHING, mode], { env: { PATH: process.env['PATH'], PORT: String(port) }, stdio: ['ignore', 'ignore', 'pipe'] });
      const ready = deferred<void>();
      // Read on to the end: it would die of a closed pipe.
      server.stderr?.on('data', (chunk) => / on port /.test(String(chunk)) && ready.resolve());
      await ready.promise;
    }
    async function stop(): Promise<void> {
      server.kill('SIGKILL');
      await once(server, 'exit');
    }
    beforeEach(async () => {
      const probe = createServer().listen(0, '127.0.0.1');
      await once(probe, 'listening');
      ({ port } = probe.address() as AddressInfo);
      probe.close();
      await once(probe, 'close');
    });
    afterEach(stop);

    it('streamable: is called, says how far it is, and is called again after it was started anew', async () => {
      await start('streamableHttp');
      const connection = await acquire({ url: `http://127.0.0.1:${port}/mcp` });
      assert.equal(connection.error, undefined);
      assert.equal(await call(connection, 'echo', { message: 'hello' }), 'Echo: hello');
      const context = toolContext('/');
      await execute(toolOf(connection, 'trigger-long-running-operation'), { duration: 0.1, steps: 2 }, context);
      assert.match(context.reported(), /1 of 2/);
      const cut = call(connection, 'trigger-long-running-operation', { duration: 600, steps: 600 });
      await call(connection, 'echo', { message: 'on its way' });
      const failing = assert.rejects(cut, { reason: 'unavailable' });
      await stop();
      await failing;
      await start('streamableHttp');
      assert.equal(await call(connection, 'echo', { message: 'again' }), 'Echo: again');
    });

    for (const config of [{ type: 'sse' }, {}] as const) {
      it(`SSE: is called, ${config.type ? 'where that is set' : 'also where it has to find out'}, and is called again after it was started anew`, async () => {
        await start('sse');
        const connection = await acquire({ ...config, url: `http://127.0.0.1:${port}/sse` });
        assert.equal(connection.error, undefined);
        assert.equal(await call(connection, 'echo', { message: 'hello' }), 'Echo: hello');
        const cut = call(connection, 'trigger-long-running-operation', { duration: 600, steps: 600 });
        await call(connection, 'echo', { message: 'on its way' });
        const failing = assert.rejects(cut, { reason: 'unavailable' });
        await stop();
        await failing;
        await start('sse');
        assert.equal(await call(connection, 'echo', { message: 'again' }), 'Echo: again');
      });
    }
  });

  describe('as a server sees it', () => {
    let server: McpHttpServer;
    beforeEach(async () => (server = await McpHttpServer.start()));
    afterEach(() => server.stop());

    it('gets the headers with every request, and a good-bye', async () => {
      const connection = await acquire({ url: `${server.origin}/mcp?key=hush-hush`, headers: { Authorization: 'Bearer hush' } });
      assert.equal(await call(connection), 'seen');
      await connection.release({ immediately: true });
      assert.deepEqual([...new Set(server.heard)], ['initialize', 'notifications/initialized', 'GET', 'tools/list', 'tools/call', 'DELETE']);
      for (const { headers, path } of server.requests) assert.deepEqual([headers.authorization, path], ['Bearer hush', '/mcp?key=hush-hush']);
    });

    it('gets name and password of the address as a header', async () => {
      await acquire({ url: server.origin.replace('//', '//me:pass@') });
      assert.equal(server.requests[0]?.headers.authorization, `Basic ${Buffer.from('me:pass').toString('base64')}`);
    });

    it('is asked again, once, in a new session where it has forgotten the old one', async () => {
      const connection = await acquire({ url: server.origin });
      server.forgetSessions();
      assert.deepEqual(await Promise.all([call(connection), call(connection)]), ['seen', 'seen']);
      assert.equal(server.heard.filter((method) => method === 'initialize').length, 2);
    });

    for (const [status, answer] of [[400, 'for this session'], [404, 'as the protocol has it']] as const) {
      it(`is asked again where it says that it has forgotten the session by ${status}, ${answer}`, async () => {
        const connection = await acquire({ url: server.origin });
        let isForgotten = true;
        server.before = ({ message: { method } }, response) => {
          if (method === 'initialize') isForgotten = false;
          if (isForgotten) response.writeHead(status).end();
          return isForgotten;
        };
        assert.deepEqual(await Promise.all([call(connection), call(connection)]), ['seen', 'seen']);
      });
    }

    it('refuses one call with 400: it comes once, is told why, and costs no other call anything', async () => {
      const connection = await acquire({ url: server.origin });
      const finish = deferred<void>();
      server.before = ({ message: { method, params } }, response) => {
        const isSlow = JSON.stringify(params ?? {}).includes('slow');
        if (method === 'tools/call' && isSlow) {
          const message = server.requests.at(-1)?.message;
          void finish.promise.then(() => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id: message?.id, result: { content: [{ type: 'text', text: 'slow' }] } })));
        } else if (method === 'tools/call') response.writeHead(400).end('argument k is wrong');
        return method === 'tools/call';
      };
      const slow = call(connection, 'look', { k: 'slow' });
      await eventually(() => server.heard.includes('tools/call'), 'the slow call');
      await assert.rejects(call(connection, 'look', { k: 'bad' }), { reason: 'invalid_input', message: /argument k is wrong/ });
      finish.resolve();
      assert.equal(await slow, 'slow');
      assert.equal(server.heard.filter((method) => method === 'tools/call').length, 2);
    });

    it('is not called again where the answer broke off', async () => {
      const connection = await acquire({ url: server.origin });
      server.before = ({ message }, response) => {
        if (message.method !== 'tools/call') return false;
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': soon\n\n', () => response.destroy());
        return true;
      };
      await assert.rejects(call(connection), { reason: 'unavailable' });
      assert.equal(server.heard.filter((method) => method === 'tools/call').length, 1);
    });

    /** Answers each call so, in the given way. */
    const answering = (type: string, answer: (id: number | undefined, response: ServerResponse) => void, status = 200): void => {
      server.before = ({ message: { id, method } }, response) => {
        if (method === 'tools/call') answer(id, response.writeHead(status, { 'content-type': type }));
        return method === 'tools/call';
      };
    };
    const unreadable: readonly (readonly [string, () => void])[] = [
      ['a result that is none', () => answering('application/json', (id, response) => response.end(JSON.stringify({ jsonrpc: '2.0', id, result: null })))],
      ['an answer to nobody', () => answering('application/json', (_id, response) => response.end(JSON.stringify({ jsonrpc: '2.0', id: 999, result: {} })))],
      ['no messages', () => answering('application/json', (_id, response) => response.end('[]'))],
      ['a word that it was accepted', () => answering('application/json', (_id, response) => response.end(), 202)],
      ['such an event in a stream that stays open', () => answering('text/event-stream', (id, response) => response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: 7 })}\n\n`))],
    ];
    for (const [what, answer] of unreadable) {
      it(`answers with ${what}: the call fails, and the next one is answered`, async () => {
        const connection = await acquire({ url: server.origin });
        answer();
        await assert.rejects(call(connection), { reason: 'unavailable', message: /no answer that can be read/ });
        server.before = () => false;
        assert.equal(await call(connection), 'seen');
      });
    }

    for (const type of ['application/json', 'text/event-stream']) {
      it(`sends an answer without an end: it is given up, and the next one is taken (${type})`, async () => {
        const connection = await acquire({ url: server.origin });
        let sent = 0;
        answering(type, (_id, response) => {
          const write = (): void => {
            while (sent < 200 && !response.destroyed && response.write(' '.repeat(1024 * 1024))) sent += 1;
          };
          response.on('drain', write).on('error', () => undefined);
          if (type !== 'application/json') response.write('data:');
          write();
        });
        await assert.rejects(call(connection), { reason: 'unavailable', message: /more than 10 MB/ });
        assert.ok(sent < 100, `${sent} MB were taken`);
        server.before = () => false;
        assert.equal(await call(connection), 'seen');
      });
    }

    it('is told of a cancelled call', async () => {
      const connection = await acquire({ url: server.origin });
      server.before = ({ message }) => message.method === 'tools/call';
      const stop = new AbortController();
      const calling = call(connection, 'look', {}, stop.signal);
      await eventually(() => server.heard.includes('tools/call'), 'the call');
      stop.abort();
      await assert.rejects(calling, { reason: 'aborted' });
      await eventually(() => server.heard.includes('notifications/cancelled'), 'the word of it');
    });

    it('is called again once it is back', async () => {
      const connection = await acquire({ url: server.origin });
      const { port } = server;
      await server.stop();
      // The first may have been on its way when the connection broke.
      for (let calls = 0; calls < 2; calls += 1) await assert.rejects(call(connection), { reason: 'unavailable' });
      assert.equal(connection.status, 'failed');
      server = await McpHttpServer.start(port);
      assert.equal(await call(connection), 'seen');
    });

    it('may send its list in pages, but not for ever', async () => {
      let pages = 0;
      let cursor = (page: number): string | undefined => (page < 3 ? `page ${page}` : undefined);
      server.before = ({ message: { id, method } }, response) => {
        if (method !== 'tools/list') return false;
        pages += 1;
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { tools: [{ name: `t${pages}` }], nextCursor: cursor(pages) } }));
        return true;
      };
      const three = await acquire({ url: server.origin });
      assert.deepEqual([three.tools.map(({ name }) => name), three.error], [['mcp__s__t1', 'mcp__s__t2', 'mcp__s__t3'], undefined]);
      for (const [what, next, most] of [['the same', () => 'again', 3], ['always another', (page: number) => `page ${page}`, 200]] as const) {
        pages = 0;
        cursor = next;
        const endless = await acquire({ url: `${server.origin}/${what.length}` });
        assert.equal(endless.status, 'ready');
        assert.ok(pages <= most, `${pages} pages of ${what}`);
        assert.match(endless.error ?? '', /more tools/);
      }
    });

    const refusals: readonly (readonly [string, number, RegExp])[] = [
      ['a key that is missing', 401, /HTTP 401.*`headers`.*OAuth/],
      ['a key that is not enough', 403, /HTTP 403.*`headers`/],
      ['a path that is wrong', 404, /HTTP 404/],
      ['a defect', 500, /HTTP 500 \(bad \*\*\* key\)/],
    ];
    for (const [what, status, words] of refusals) {
      it(`refuses ${what}: that is said, without secrets`, async () => {
        server.before = (_request, response) => {
          response.writeHead(status, { 'www-authenticate': 'Bearer resource_metadata="http://127.0.0.1:1/oauth"' }).end('bad hush-hush key');
          return true;
        };
        const connection = await acquire({ url: `${server.origin}/?key=hush-hush`, headers: { 'X-Key': 'hush-hush' } });
        assert.equal(connection.status, 'failed');
        assert.match(connection.error ?? '', words);
        assert.equal(connection.error?.includes('hush'), false);
      });
    }

    for (const type of ['http', 'sse'] as const) {
      it(`leads to another address: nothing is sent there (${type})`, async () => {
        const other = await McpHttpServer.start();
        try {
          for (const status of [301, 302, 307, 308]) {
            server.before = (_request, response) => {
              response.writeHead(status, { location: `${other.origin}/mcp?hush` }).end();
              return true;
            };
            const connection = await acquire({ type, url: `${server.origin}/${status}`, headers: { 'X-Key': 'hush-hush' } });
            assert.equal(connection.status, 'failed');
            assert.match(connection.error ?? '', /redirect/);
            assert.equal(connection.error?.includes('hush'), false);
          }
          assert.deepEqual(other.requests, []);
        } finally {
          await other.stop();
        }
      });
    }

    it('does not answer: that is said', async () => {
      server.before = () => true;
      const acquiring = acquire({ url: server.origin });
      await eventually(() => server.requests.length > 0, 'the first request');
      clock.advance(30_000);
      assert.match((await acquiring).error ?? '', /30 seconds/);
    });
  });
});
