import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deferred } from '../../src/runtime/base/async.ts';

/** A request as it came over the wire. */
export interface RecordedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as JSON. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Resolves when the connection of the answer has closed, true where it was whole by then. */
  readonly closed: Promise<boolean>;
}

/**
 * What the server does. `chunks` are written one after the other, byte for byte; then `end`: the body's proper end, a
 * connection closed in the middle of it, one reset, or nothing. `silent`: not even a status is sent.
 */
export interface RawAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly chunks?: readonly (string | Uint8Array)[];
  readonly end?: 'proper' | 'cut' | 'reset' | 'hang' | 'silent';
}

/** An HTTP server that answers exactly what a test says, for what a mock of an API can't produce. Records every request. */
export class RawServer {
  readonly requests: RecordedRequest[] = [];
  /** Gives the answer to a request. */
  answer: (request: RecordedRequest) => RawAnswer = () => ({ status: 500, chunks: ['no answer set'] });
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(): Promise<RawServer> {
    const server = new RawServer();
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  /** Without a slash at its end. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The newest request. */
  get lastRequest(): RecordedRequest {
    const last = this.requests.at(-1);
    if (!last) throw new Error('The server got no request.');
    return last;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const closed = deferred<boolean>();
    response.once('close', () => closed.resolve(response.writableFinished));
    const text = Buffer.concat(pieces).toString('utf8');
    const recorded: RecordedRequest = { path: request.url ?? '', headers: request.headers, body: (text ? JSON.parse(text) : {}) as RecordedRequest['body'], closed: closed.promise };
    this.requests.push(recorded);
    const { status = 200, headers = { 'content-type': 'text/event-stream' }, chunks = [], end = 'proper' } = this.answer(recorded);
    if (end === 'silent') return;
    response.socket?.setNoDelay(true);
    response.writeHead(status, headers);
    response.flushHeaders();
    for (const chunk of chunks) {
      if (response.destroyed) return;
      await written(response, chunk);
    }
    finish(response, end);
  }
}

/** Resolves when the chunk is with the system, so that each is a piece of its own as far as a server can see to it. */
function written(response: ServerResponse, chunk: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => void response.write(chunk, () => setImmediate(resolve)));
}

function finish(response: ServerResponse, end: NonNullable<RawAnswer['end']>): void {
  switch (end) {
    case 'proper':
      response.end();
      return;
    case 'cut':
      response.socket?.destroy();
      return;
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'hang':
    case 'silent':
      return;
  }
}

/** The bytes of a text, one to a chunk. */
export function byteByByte(text: string): Uint8Array[] {
  const bytes = new TextEncoder().encode(text);
  return Array.from(bytes, (_, index) => bytes.subarray(index, index + 1));
}
