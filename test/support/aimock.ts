import { request as httpRequest, createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { LLMock } from '@copilotkit/aimock';
import type { WireRequest } from './wireFormat.ts';

/** An aimock server behind a recorder, since aimock keeps requests in a form of its own. Answers only what fixtures match; anything else fails. */
export class RecordedAimock {
  readonly mock: LLMock;
  /** Every request as it came over the wire. */
  readonly requests: WireRequest[] = [];
  readonly #recorder: Server;

  private constructor(mock: LLMock) {
    this.mock = mock;
    this.#recorder = createServer((incoming, outgoing) => {
      const pieces: Buffer[] = [];
      incoming.on('data', (piece: Buffer) => pieces.push(piece));
      incoming.on('end', () => {
        const body = Buffer.concat(pieces);
        if (body.length > 0) this.requests.push({ path: incoming.url ?? '', body: JSON.parse(body.toString('utf8')) as WireRequest['body'] });
        const forwarded = httpRequest(`${mock.url}${incoming.url}`, { method: incoming.method ?? 'POST', headers: incoming.headers }, (answer) => {
          outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(outgoing);
          answer.on('error', () => outgoing.destroy());
        });
        outgoing.on('close', () => forwarded.destroy());
        forwarded.on('error', () => outgoing.destroy());
        forwarded.end(body);
      });
    });
  }

  static async start(): Promise<RecordedAimock> {
    const mock = new LLMock({ port: 0, strict: true, journalMaxEntries: 100 });
    await mock.start();
    const recorded = new RecordedAimock(mock);
    recorded.#recorder.listen(0, '127.0.0.1');
    await once(recorded.#recorder, 'listening');
    return recorded;
  }

  /** Without a slash at its end. */
  get url(): string {
    return `http://127.0.0.1:${(this.#recorder.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#recorder.close();
    this.#recorder.closeAllConnections();
    await this.mock.stop();
  }
}
