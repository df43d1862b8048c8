import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** What is sent to a request, given as the bytes that came until its end. It may be sent piece by piece, for ever. */
export type SendAnswer = (socket: Socket, request: string) => void | Promise<void>;

/** A server of raw bytes, for answers that no HTTP server gives. */
export class WebServer {
  /** What was asked for: the paths, in order. */
  readonly paths: string[] = [];
  connections = 0;
  /** Sends the answer to a request. */
  answer: SendAnswer = (socket) => void socket.end();
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #whenIdle: (() => void) | undefined;

  private constructor() {
    this.#server = createServer((socket) => this.#serve(socket));
  }

  static async start(): Promise<WebServer> {
    const server = new WebServer();
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Without a slash at its end. */
  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Answers each path by its own response, and with 404 where there is none. */
  pages(pages: Readonly<Record<string, string | Uint8Array>>): void {
    this.answer = (socket, request) => void socket.end(pages[/^GET (\S+)/.exec(request)?.[1] ?? ''] ?? response({ status: 404, body: 'nothing' }));
  }

  /** Resolves when no connection is open any more. A test that never sees it fails by its time limit. */
  async idle(): Promise<void> {
    if (this.#open.size > 0) await new Promise<void>((resolve) => (this.#whenIdle = resolve));
  }

  /** Sends something to whoever is connected, and closes. */
  endAll(text: string): void {
    for (const socket of this.#open) socket.end(text);
  }

  async stop(): Promise<void> {
    this.#server.close();
    for (const socket of this.#open) socket.destroy();
    await once(this.#server, 'close');
  }

  #serve(socket: Socket): void {
    this.connections += 1;
    this.#open.add(socket);
    socket.once('close', () => {
      this.#open.delete(socket);
      if (this.#open.size === 0) this.#whenIdle?.();
    });
    // Whoever is tested closes connections in the middle.
    socket.on('error', () => undefined);
    let received = '';
    socket.on('data', (piece) => {
      received += piece.toString('latin1');
      if (!received.includes('\r\n\r\n')) return;
      this.paths.push(/^GET (\S+)/.exec(received)?.[1] ?? '');
      const request = received;
      received = '';
      void this.answer(socket, request);
    });
  }
}

/** A whole response with its right length, unless headers say another. */
export function response({ status = 200, headers = {}, body = '' }: { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string | Uint8Array }): Buffer {
  const bytes = Buffer.from(body as Uint8Array);
  const all = { 'content-type': 'text/plain', 'content-length': String(bytes.length), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Said\r\n${lines}\r\n`, 'latin1'), bytes]);
}

export function redirect(to: string, status = 302): Buffer {
  return response({ status, headers: { location: to } });
}

/** Writes a piece again and again, as fast as the other side reads, until the connection closes. */
export async function writeEndlessly(socket: Socket, piece: Uint8Array): Promise<void> {
  while (!socket.destroyed) {
    if (!socket.write(piece)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => undefined);
    else await new Promise((resolve) => setImmediate(resolve));
  }
}
