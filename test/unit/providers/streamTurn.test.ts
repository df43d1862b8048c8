import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { ModelEvent, ModelRequest } from '../../../src/runtime/domain/models.ts';
import { streamTurn, type Wire } from '../../../src/runtime/providers/streamTurn.ts';

const END: ModelEvent = { type: 'end', stop: 'stop' };
/** Any event is text but `end`. */
const reader: Wire['reader'] = () => ({
  read: (data) => [data === 'end' ? END : { type: 'text', text: data }],
  close: () => [],
});

/** A body that a test feeds, and that tells when it was cancelled. Unlike one of `fetch` it doesn't follow any signal. */
class FakeBody {
  isCancelled = false;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  readonly #stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      this.#controller = controller;
    },
    cancel: () => {
      this.isCancelled = true;
    },
  });

  send(...events: string[]): void {
    this.#controller?.enqueue(new TextEncoder().encode(events.map((event) => `data: ${event}\n\n`).join('')));
  }

  fail(error: Error): void {
    this.#controller?.error(error);
  }

  close(): void {
    this.#controller?.close();
  }

  stream(signal = new AbortController().signal): AsyncGenerator<ModelEvent, void, undefined> {
    const request: ModelRequest = { model: 'm', system: '', messages: [], tools: [], signal };
    const wire: Wire = { provider: 'p', endpoint: () => ({ baseUrl: '', isOwn: false }), apiKey: async () => undefined, reader, send: async () => new Response(this.#stream) };
    return streamTurn(wire, request);
  }
}

async function read(stream: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

describe('one try at a turn', () => {
  let body: FakeBody;

  beforeEach(() => {
    body = new FakeBody();
  });

  it('gives the connection up at once when it is left in the middle', async () => {
    body.send('Hi');
    const stream = body.stream();
    await stream.next();
    await stream.return();
    assert.ok(body.isCancelled);
  });

  it('ends at once with the abort while it waits for the next piece', async () => {
    const controller = new AbortController();
    body.send('Hi');
    const stream = body.stream(controller.signal);
    await stream.next();
    const next = stream.next();
    controller.abort();
    assert.deepEqual((await next).value, { type: 'end', stop: 'aborted' });
    assert.ok(body.isCancelled);
  });

  it('reads a whole answer to the end of its body, so that the connection can be used again', async () => {
    body.send('Hi', 'end');
    assert.equal((await read(body.stream())).length, 2);
    assert.ok(!body.isCancelled);
    body.close();
  });

  it('gives the connection of a whole answer up where its body does not end', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      body.send('Hi', 'end');
      await read(body.stream());
      assert.ok(!body.isCancelled);
      mock.timers.runAll();
      assert.ok(body.isCancelled);
    } finally {
      mock.timers.reset();
    }
  });

  it('tells a body that broke, and one that took too long', async () => {
    for (const [code, failure] of [['ECONNRESET', 'network'], ['UND_ERR_BODY_TIMEOUT', 'timeout']] as const) {
      const broken = new FakeBody();
      broken.send('Hi');
      const stream = broken.stream();
      await stream.next();
      broken.fail(new TypeError('terminated', { cause: Object.assign(new Error('It is gone'), { code }) }));
      const { value } = await stream.next();
      assert.ok(value?.type === 'end' && value.error?.failure === failure && value.error.message.includes('It is gone'));
    }
  });
});
