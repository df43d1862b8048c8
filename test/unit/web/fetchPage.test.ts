import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { createServer } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import zlib from 'node:zlib';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { isAbort } from '../../../src/runtime/base/abort.ts';
import { isAppError, type ErrorReason } from '../../../src/runtime/base/errors.ts';
import type { WebFetch, WebPage } from '../../../src/runtime/domain/services.ts';
import { pageFetcher } from '../../../src/runtime/web/fetchPage.ts';
import { createWebFetch, type WebFetchOptions } from '../../../src/runtime/web/webFetch.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { SELF_SIGNED } from '../../support/selfSigned.ts';
import { redirect, response, WebServer, writeEndlessly } from '../../support/webServer.ts';

const never = new AbortController().signal;
const to = (...addresses: readonly string[]) => async (): Promise<LookupAddress[]> => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

/** Fetches also from this computer, which the server is on. */
const localFetcher = (options: WebFetchOptions = {}): WebFetch => pageFetcher({ allowPrivate: ['127.0.0.1', 'localhost'], ...options }, { resolve: to('127.0.0.1'), clock: new ManualClock() });

async function pageOf(fetching: ReturnType<WebFetch>): Promise<WebPage> {
  const answer = await fetching;
  return answer.kind === 'page' ? answer.page : assert.fail(`it leads to ${answer.url}`);
}

function says(reason: ErrorReason, ...words: readonly RegExp[]): (error: unknown) => boolean {
  return (error) => {
    assert.ok(isAppError(error, reason), String(error));
    for (const each of words) assert.match(error.message, each);
    return true;
  };
}

describe('fetching a page', () => {
  let server: WebServer;
  beforeEach(async () => {
    server = await WebServer.start();
  });
  afterEach(async () => {
    // Whatever came of the page, the connection is closed.
    await server.idle();
    await server.stop();
  });

  const page = (path = '/', options?: WebFetchOptions): Promise<WebPage> => pageOf(localFetcher(options)(`${server.url}${path}`, never));

  it('gives HTML as Markdown, with where it was found', async () => {
    server.pages({ '/a?b=c': response({ headers: { 'content-type': 'text/html; charset=utf-8' }, body: '<title>T</title><h1>Hi</h1><p>Grüße <a href="/x">there</a></p>' }) });
    assert.deepEqual(await page('/a?b=c#part'), { url: `${server.url}/a?b=c`, status: 200, mediaType: 'text/html', title: 'T', text: `# Hi\n\nGrüße [there](${server.url}/x)`, isCut: false });
  });

  it('loads what it needs with the first page', async () => {
    server.pages({ '/': response({ body: 'words' }) });
    const fetchPage = createWebFetch({ allowPrivate: [`127.0.0.1:${server.port}`] });
    assert.equal((await pageOf(fetchPage(server.url, never))).text, 'words');
  });

  it('gives text, JSON and XML as they are', async () => {
    server.pages({ '/t': response({ body: ' a <b>\n' }), '/j': response({ headers: { 'content-type': 'application/json' }, body: '{"a": 1}' }), '/x': response({ headers: { 'content-type': 'application/xml' }, body: '<a><b/></a>' }) });
    assert.deepEqual([(await page('/t')).text, (await page('/j')).text, (await page('/x')).text], [' a <b>\n', '{"a": 1}', '<a><b/></a>']);
  });

  it('gives an empty page as empty', async () => {
    server.pages({ '/': response({ body: '' }), '/none': response({ status: 204, headers: {} }) });
    assert.deepEqual([(await page()).text, (await page('/none')).text], ['', '']);
  });

  it('says of a failure its status and the beginning of what the server says', async () => {
    server.pages({ '/': response({ status: 503, body: `down ${'x'.repeat(50_000)}` }), '/bare': response({ status: 404, headers: { 'content-type': 'image/png' }, body: 'x\0' }) });
    const { status, text, isCut } = await page();
    assert.deepEqual([status, text.length, text.startsWith('down '), isCut], [503, 2000, true, true]);
    assert.deepEqual([(await page('/bare')).status, (await page('/bare')).text], [404, '']);
  });

  it('takes the encoding that server or page name', async () => {
    server.pages({ '/': response({ headers: { 'content-type': 'text/plain; charset=iso-8859-1' }, body: Buffer.from('Gr\xfc\xdfe', 'latin1') }), '/wrong': response({ headers: { 'content-type': 'text/plain; charset=nonsense' }, body: 'Grüße' }) });
    assert.deepEqual([(await page()).text, (await page('/wrong')).text], ['Grüße', 'Grüße']);
  });

  for (const [name, headers, body, words] of [
    ['an image', { 'content-type': 'image/png' }, 'x'.repeat(2_000), [/image\/png/, /2\.0 kB/]],
    ['what is called text and isn’t', { 'content-type': 'text/plain' }, 'a\0b', [/text\/plain/, /3 bytes/]],
    ['what isn’t called anything', { 'content-type': '' }, '\0\0', [/no stated type/, /2 bytes/]],
  ] as const) {
    it(`says what it is of ${name}`, async () => {
      server.pages({ '/': response({ headers, body }) });
      await assert.rejects(page(), says('unavailable', ...words));
    });
  }

  it('doesn’t load what can’t be used', async () => {
    server.answer = async (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: video/mp4\r\ncontent-length: 123456789\r\n\r\n');
      await writeEndlessly(socket, Buffer.alloc(10_000));
    };
    await assert.rejects(page(), says('unavailable', /video\/mp4, 123\.5 MB/));
  });

  describe('that is too long', () => {
    it('takes as many bytes as it may, and no more', async () => {
      server.answer = async (socket) => {
        // What a server says of the length isn't believed.
        socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n');
        await writeEndlessly(socket, Buffer.alloc(10_000, 'x'));
      };
      const { text, isCut } = await page('/', { maxBytes: 100_000 });
      assert.deepEqual([text.length, isCut], [100_000, true]);
    });

    it('takes a page that is just as long as it may be whole', async () => {
      server.pages({ '/': response({ body: 'x'.repeat(1_000) }) });
      const { text, isCut } = await page('/', { maxBytes: 1_000 });
      assert.deepEqual([text.length, isCut], [1_000, false]);
    });

    it('takes five million bytes by default', async () => {
      server.pages({ '/': response({ body: Buffer.alloc(5_000_001, 'x') }) });
      const { text, isCut } = await page();
      assert.deepEqual([text.length, isCut], [5_000_000, true]);
    });

    it('doesn’t take headers without end', async () => {
      server.answer = async (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        await writeEndlessly(socket, Buffer.from(`x-a: ${'y'.repeat(1_000)}\r\n`));
      };
      await assert.rejects(page(), says('unavailable', /HPE_HEADER_OVERFLOW/));
    });
  });

  describe('that is packed', () => {
    const words = 'Words. '.repeat(1_000);
    const packings: readonly (readonly [string, Uint8Array])[] = [
      ['gzip', zlib.gzipSync(words)], ['x-gzip', zlib.gzipSync(words)], ['GZIP', zlib.gzipSync(words)], ['deflate', zlib.deflateSync(words)], ['deflate', zlib.deflateRawSync(words)], ['br', zlib.brotliCompressSync(words)],
      ['zstd', zlib.zstdCompressSync(words)], ['identity', Buffer.from(words)], ['gzip, br', zlib.brotliCompressSync(zlib.gzipSync(words))], ['gzip, deflate', zlib.deflateRawSync(zlib.gzipSync(words))],
    ];
    for (const [encoding, body] of packings) {
      it(`is unpacked: ${encoding} of ${body.length} bytes`, async () => {
        server.pages({ '/': response({ headers: { 'content-encoding': encoding }, body }) });
        assert.equal((await page()).text, words);
      });
    }

    for (const body of [zlib.deflateSync(words), zlib.deflateRawSync(words)]) {
      it(`is unpacked where its first byte comes alone: deflate of ${body.length} bytes`, async () => {
        server.answer = async (socket) => {
          const send = (piece: Uint8Array): Promise<void> => new Promise((resolve) => void socket.write(Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]), () => resolve()));
          socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-encoding: deflate\r\ntransfer-encoding: chunked\r\n\r\n');
          await send(body.subarray(0, 1));
          await send(body.subarray(1));
          socket.end('0\r\n\r\n');
        };
        assert.equal((await page()).text, words);
      });
    }

    for (const encoding of ['gzip', 'deflate', 'br', 'gzip, br']) {
      it(`is empty where there is no body: ${encoding}`, async () => {
        server.pages({ '/': response({ headers: { 'content-encoding': encoding }, body: '' }), '/none': response({ status: 204, headers: { 'content-encoding': encoding } }) });
        assert.deepEqual([(await page()).text, (await page('/none')).text], ['', '']);
      });
    }

    const letters = Buffer.alloc(20_000_000, 'x');
    const bombs: readonly (readonly [string, () => Uint8Array])[] = [
      ['gzip', () => zlib.gzipSync(letters)],
      ['deflate', () => zlib.deflateSync(letters)],
      ['br', () => zlib.brotliCompressSync(letters, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } })],
      ['zstd', () => zlib.zstdCompressSync(letters)],
      ['gzip, gzip', () => zlib.gzipSync(zlib.gzipSync(letters).subarray(0, -20))],
    ];
    for (const [encoding, bomb] of bombs) {
      it(`as a bomb is unpacked only as far as it is taken: ${encoding}`, async () => {
        // Its end is missing, which whoever unpacks all of it finds.
        const body = encoding === 'gzip, gzip' ? bomb() : bomb().subarray(0, -8);
        assert.ok(body.length < 200_000);
        server.pages({ '/': response({ headers: { 'content-encoding': encoding, 'content-type': 'text/plain; charset=utf-16le' }, body }) });
        const { text, isCut } = await page('/', { maxBytes: 1_000_000 });
        assert.deepEqual([text.length, isCut], [500_000, true]);
        await assert.rejects(page('/', { maxBytes: 50_000_000 }), says('unavailable', /packed/));
      });
    }

    for (const [encoding, body] of [['gzip', Buffer.from('no gzip at all')], ['br', Buffer.alloc(50, 0xff)], ['zstd', Buffer.from('no zstd at all')], ['deflate', Buffer.alloc(50, 0xff)], ['compress', Buffer.from('x')], ['gzip, gzip, gzip', zlib.gzipSync('x')], ['gzip', zlib.gzipSync(words).subarray(0, 40)]] as const) {
      it(`wrongly is said to be so: ${encoding}, ${body.length} bytes`, async () => {
        server.pages({ '/': response({ headers: { 'content-encoding': encoding }, body }) });
        await assert.rejects(page(), says('unavailable', /packed/));
      });
    }
  });

  describe('that is elsewhere', () => {
    for (const status of [301, 302, 303, 307, 308]) {
      it(`follows to another path of the host: ${status}`, async () => {
        server.pages({ '/a': redirect('../b?c', status), '/b?c': response({ body: 'there' }) });
        assert.deepEqual([(await page('/a')).url, (await page('/a')).text], [`${server.url}/b?c`, 'there']);
      });
    }

    it('fetches nothing from another host, and says which', async () => {
      server.pages({ '/': redirect(`http://other.example:${server.port}/x#y`) });
      assert.deepEqual(await localFetcher()(server.url, never), { kind: 'elsewhere', url: `http://other.example:${server.port}/x` });
      assert.deepEqual(server.paths, ['/']);
    });

    it('names a circle', async () => {
      server.pages({ '/a': redirect('/b'), '/b': redirect('/c'), '/c': redirect('/b') });
      await assert.rejects(page('/a'), says('unavailable', /circle: \S+\/b → \S+\/c → \S+\/b\./));
      assert.deepEqual(server.paths, ['/a', '/b', '/c']);
    });

    it('follows five times and no more', async () => {
      server.answer = (socket, request) => void socket.end(redirect(`/${Number(/^GET \/(\d*)/.exec(request)?.[1] ?? 0) + 1}`));
      await assert.rejects(page(), says('unavailable', /more than 5 times/));
      assert.equal(server.paths.length, 6);
    });

    it('takes redirects that say nothing as pages', async () => {
      server.pages({ '/': response({ status: 302, body: 'moved' }), '/not': response({ status: 304, headers: { location: '/x' } }) });
      assert.deepEqual([(await page()).text, (await page('/not')).status], ['moved', 304]);
    });

    for (const location of ['file:///etc/passwd', 'javascript:alert(1)', 'http://user:secret@127.0.0.1/', 'http://']) {
      it(`goes nowhere that can’t be fetched: ${location}`, async () => {
        server.pages({ '/': redirect(location) });
        await assert.rejects(page(), (error) => says('unavailable', /redirects to/)(error) && !String(error).includes('secret'));
      });
    }

    it('reads addresses that are written as UTF-8', async () => {
      server.answer = (socket, request) => void socket.end(request.startsWith('GET / ') ? Buffer.from('HTTP/1.1 302 Found\r\nlocation: /grüße\r\ncontent-length: 0\r\n\r\n') : response({ body: 'there' }));
      assert.equal((await page()).text, 'there');
      assert.deepEqual(server.paths, ['/', '/gr%C3%BC%C3%9Fe']);
    });
  });

  describe('of a private host', () => {
    const strict = (addresses: readonly string[], options: WebFetchOptions = {}): { readonly fetchPage: WebFetch; readonly asked: string[] } => {
      const asked: string[] = [];
      const resolve = (name: string): Promise<LookupAddress[]> => {
        asked.push(name);
        return to(...addresses)();
      };
      return { fetchPage: pageFetcher(options, { resolve, clock: new ManualClock() }), asked };
    };

    for (const host of ['127.0.0.1', '127.1', '0x7f.1', '2130706433', '[::ffff:127.0.0.1]', 'localhost', 'LOCALHOST.', '127.0.0.1.']) {
      it(`connects to nothing: ${host}`, async () => {
        const { fetchPage } = strict(['127.0.0.1']);
        await assert.rejects(fetchPage(`http://${host}:${server.port}/`, never), says('denied', /allowPrivateHosts/));
        assert.equal(server.connections, 0);
      });
    }

    it('connects to nothing where its name leads there', async () => {
      for (const addresses of [['127.0.0.1'], ['8.8.8.8', '127.0.0.1'], ['::ffff:127.0.0.1']]) {
        await assert.rejects(strict(addresses).fetchPage(`http://rebound.example:${server.port}/`, never), says('denied', /rebound\.example has the address/));
      }
      assert.equal(server.connections, 0);
    });

    it('asks for the addresses of its host once', async () => {
      const { fetchPage, asked } = strict(['127.0.0.1']);
      await assert.rejects(fetchPage(`http://some.example:${server.port}/`, never), says('denied'));
      assert.deepEqual(asked, ['some.example']);
    });

    it('fetches it where the user lists it, with its port', async () => {
      server.pages({ '/': response({ body: 'mine' }) });
      const fetchPage = pageFetcher({ allowPrivate: [`127.0.0.1:${server.port}`] });
      assert.equal((await pageOf(fetchPage(server.url, never))).text, 'mine');
      await assert.rejects(fetchPage(`http://127.0.0.1:${server.port === 1 ? 2 : 1}/`, never), says('denied'));
    });

    it('checks each step of the way again', async () => {
      const other = await WebServer.start();
      try {
        server.pages({ '/': redirect(`http://127.0.0.1:${other.port}/`) });
        await assert.rejects(pageFetcher({ allowPrivate: [`127.0.0.1:${server.port}`] })(server.url, never), says('denied'));
        assert.equal(other.connections, 0);
      } finally {
        await other.stop();
      }
    });
  });

  describe('that goes wrong', () => {
    it('says that nothing listens', async () => {
      const gone = await WebServer.start();
      const { url } = gone;
      await gone.stop();
      await assert.rejects(localFetcher()(url, never), says('unavailable', /Nothing listens/));
    });

    it('says that there is no such host', async () => {
      const missing = async (): Promise<never> => {
        throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
      };
      await assert.rejects(pageFetcher({}, { resolve: missing })('http://missing.example/', never), says('not_found', /no host missing\.example/));
    });

    const broken: readonly (readonly [string, string, RegExp])[] = [
      ['at once', '', /closed the connection/], ['in its head', 'HTTP/1.1 200 OK\r\ncontent-', /closed the connection/], ['in its body', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc', /closed the connection/],
      ['in a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n64\r\nabc', /closed the connection/], ['with a bad chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nabc', /closed the connection|isn't HTTP/],
      ['without HTTP', '220 mail.example ESMTP\r\n', /isn't HTTP/], ['with two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab', /isn't HTTP/],
    ];
    for (const headers of ['upgrade: websocket\r\nconnection: upgrade\r\n', 'connection: upgrade\r\n', '']) {
      it(`says that another protocol is spoken: ${JSON.stringify(headers)}`, async () => {
        // It stays open.
        server.answer = (socket) => void socket.write(`HTTP/1.1 101 Switching Protocols\r\n${headers}\r\n`);
        await assert.rejects(page(), says('unavailable', /another protocol/));
      });
    }

    for (const [name, bytes, words] of broken) {
      it(`says so: ${name}`, async () => {
        server.answer = (socket) => void socket.end(bytes);
        await assert.rejects(page(), says('unavailable', words));
      });
    }

    it('says why a certificate isn’t trusted, and fetches nothing', async () => {
      let requests = 0;
      const secure = createServer(SELF_SIGNED, (_request, answer) => {
        requests += 1;
        answer.end('secret');
      }).listen(0, '127.0.0.1');
      await once(secure, 'listening');
      const { port } = secure.address() as AddressInfo;
      await assert.rejects(localFetcher()(`https://127.0.0.1:${port}/`, never), says('unavailable', /isn't safe: it signed its certificate itself/));
      assert.equal(requests, 0);
      secure.close();
      await once(secure, 'close');
    });

    it('says where no https is spoken', async () => {
      server.answer = (socket) => void socket.end(response({ body: 'plain' }));
      const secure = await WebServer.start();
      try {
        secure.answer = () => undefined;
        const failing = localFetcher()(`https://127.0.0.1:${secure.port}/`, never);
        await assert.rejects(Promise.all([failing, closeFirst(secure)]), says('unavailable'));
      } finally {
        await secure.stop();
      }
    });
  });
});

/** A TLS handshake holds no end of a request: what connects is answered by nothing. */
async function closeFirst(server: WebServer): Promise<void> {
  while (server.connections === 0) await new Promise((resolve) => setImmediate(resolve));
  server.endAll('220 hello\r\n');
}

describe('a page that doesn’t come to its end', () => {
  let server: WebServer;
  beforeEach(async () => {
    server = await WebServer.start();
  });
  afterEach(() => server.stop());

  const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n';
  /** How far the answer comes before nothing follows. */
  const stalls: Readonly<Record<string, string>> = {
    'before its status': '',
    'in its head': HEAD,
    'before its body': `${HEAD}\r\n`,
    'in its body': `${HEAD}content-length: 1000\r\n\r\n<p>Begin`,
    'in a packed body': `${HEAD}content-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\n3\r\n\x1f\x8b\x08\r\n`,
    'before the first byte of a packed body': `${HEAD}content-encoding: deflate\r\n\r\n`,
    'after a redirect': 'redirect',
    'after an early hint': 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n',
  };

  /** Resolves when the answer has come as far as it comes. */
  function stall(part: string): Promise<void> {
    return new Promise((resolve) => {
      server.answer = (socket, request) => {
        if (part === 'redirect' && request.startsWith('GET / ')) socket.end(redirect('/b'));
        else socket.write(Buffer.from(part === 'redirect' ? HEAD : part, 'latin1'), () => resolve());
        if (part === '') resolve();
      };
    });
  }

  for (const [where, part] of Object.entries(stalls)) {
    it(`ends with its time where it stalls ${where}`, async () => {
      const clock = new ManualClock();
      const stalled = stall(part);
      const fetching = pageFetcher({ allowPrivate: ['127.0.0.1'] }, { clock })(server.url, never);
      await Promise.race([stalled, fetching]);
      clock.advance(29_999);
      clock.advance(1);
      await assert.rejects(fetching, says('timeout', /30 seconds/));
      await server.idle();
      assert.equal(clock.pending, 0);
    });

    it(`is given up by an abort where it stalls ${where}`, async () => {
      const clock = new ManualClock();
      const stop = new AbortController();
      const stalled = stall(part);
      const fetching = pageFetcher({ allowPrivate: ['127.0.0.1'] }, { clock })(server.url, stop.signal);
      await Promise.race([stalled, fetching]);
      stop.abort();
      await assert.rejects(fetching, isAbort);
      await server.idle();
      assert.equal(clock.pending, 0);
    });
  }

  it('is given up by an abort while its body runs on and on', async () => {
    const stop = new AbortController();
    server.answer = async (socket) => {
      socket.write(`${HEAD}\r\n`);
      setImmediate(() => stop.abort());
      await writeEndlessly(socket, Buffer.alloc(1_000, 'x'));
    };
    await assert.rejects(pageFetcher({ allowPrivate: ['127.0.0.1'], maxBytes: 1e12 }, { clock: new ManualClock() })(server.url, stop.signal), isAbort);
    await server.idle();
  });

  it('is given up by an abort while its host is looked up', async () => {
    const stop = new AbortController();
    const resolve = (): Promise<LookupAddress[]> => {
      stop.abort();
      return to('127.0.0.1')();
    };
    await assert.rejects(pageFetcher({}, { resolve })('http://slow.example/', stop.signal), isAbort);
  });

  it('isn’t begun after an abort', async () => {
    await assert.rejects(pageFetcher({ allowPrivate: ['127.0.0.1'] })(server.url, AbortSignal.abort()), isAbort);
    assert.equal(server.connections, 0);
  });
});
