import { textMessage, type Message } from '../../src/runtime/domain/messages.ts';
import type { ModelEvent, ModelRequest } from '../../src/runtime/domain/models.ts';
import type { RawAnswer, RawServer } from '../support/rawServer.ts';
import { collect, READ, type ContractRequest } from './providerContract.ts';
import { KEY, type TestWire } from './wires.ts';

/** What the suites of the raw server share: one wire, and one server to play its vendor. */
export class WireTest {
  readonly wire: TestWire;
  readonly #server: () => RawServer;

  constructor(wire: TestWire, server: () => RawServer) {
    this.wire = wire;
    this.#server = server;
  }

  get server(): RawServer {
    return this.#server();
  }

  request(fields: Partial<ModelRequest> = {}): ModelRequest {
    const plain: ContractRequest = { model: this.wire.model, system: 'You help.', messages: [textMessage('Hi.')], tools: [READ] };
    return { ...plain, signal: new AbortController().signal, ...fields };
  }

  /** The events of one request to a server that answers so, without the signs of life. */
  ask(answer: RawAnswer, fields: Partial<ModelRequest> = {}, onEvent?: (event: ModelEvent, count: number) => void): Promise<ModelEvent[]> {
    return collect(this.stream(answer, fields), onEvent);
  }

  /** All events of one request. */
  askAll(answer: RawAnswer): Promise<ModelEvent[]> {
    return allOf(this.stream(answer));
  }

  stream(answer: RawAnswer, fields: Partial<ModelRequest> = {}): AsyncIterable<ModelEvent> {
    this.server.answer = () => answer;
    return this.wire.create(this.server.url, KEY).stream(this.request(fields));
  }

  /** What a conversation looks like on the wire. */
  async sent(messages: readonly Message[], fields: Partial<ModelRequest> = {}): Promise<Readonly<Record<string, unknown>>> {
    await this.ask({ chunks: this.wire.frames({ text: ['Ok.'] }) }, { messages, ...fields });
    return this.server.lastRequest.body;
  }
}

/** Every event of a stream. */
export async function allOf(stream: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

export function textsIn(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.type === 'text' ? event.text : '')).join('');
}

export type EndEvent = Extract<ModelEvent, { type: 'end' }>;

/** The last event, which every stream has. */
export function endOf(events: readonly ModelEvent[]): EndEvent {
  const last = events.at(-1);
  if (last?.type !== 'end') throw new Error('The stream has no end.');
  return last;
}
