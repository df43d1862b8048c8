import { abortable, onAbort } from '../base/abort.ts';
import type { ModelEvent, ModelRequest } from '../domain/models.ts';
import { AnswerSize } from './answerSize.ts';
import { describeFailure } from './describeFailure.ts';
import type { Endpoint } from './endpoint.ts';
import { malformed, ProviderFailure } from './failure.ts';
import { networkFailure } from './network.ts';
import { EventCutter } from './sse.ts';

/** Reads the events of one answer. Keeps what it needs in itself, does nothing else; throws a `ProviderFailure`. */
export interface WireReader {
  /** What an event says; nothing while it is only a part of something. */
  read(data: string): readonly ModelEvent[];
  /** The body ended: the closing events where the answer was complete, nothing where it was not. */
  close(): readonly ModelEvent[];
}

/** How one vendor's wire is spoken. */
export interface Wire {
  readonly provider: string;
  /** Throws a `ProviderFailure` for settings that can't be used. */
  endpoint(): Endpoint;
  apiKey(): Promise<string | undefined>;
  /** Sends the request once. Rejects with a `ProviderFailure` for an answer that isn't a success, or what `fetch` rejects with. */
  send(request: ModelRequest, key: string | undefined, signal: AbortSignal): Promise<Response>;
  reader(request: ModelRequest): WireReader;
}

/** How long the rest of a body may take after the last event, in milliseconds. A body read to its end lets the connection be used again. */
const DRAIN_MS = 1000;
const ALIVE: ModelEvent = { type: 'alive' };
const ABORTED: ModelEvent = { type: 'end', stop: 'aborted' };

/** One try at a turn of a model: asks, reads, and ends with the one event that says how it went. Never throws. */
export async function* streamTurn(wire: Wire, request: ModelRequest): AsyncGenerator<ModelEvent, void, undefined> {
  const { signal } = request;
  // A signal of its own, so that the client's listeners don't pile up on the run's.
  const sending = new AbortController();
  const listening = onAbort(signal, () => sending.abort());
  let key: string | undefined;
  try {
    if (!signal.aborted) {
      key = await keyOf(wire, signal);
      const response = await abortable(wire.send(request, key, sending.signal), signal);
      for await (const events of readBody(response, wire.reader(request), signal)) {
        for (const event of events) {
          if (signal.aborted) break;
          yield event;
          if (event.type === 'end') return;
        }
      }
    }
    yield ABORTED;
  } catch (error) {
    const failed = { provider: wire.provider, model: request.model, key };
    yield signal.aborted ? ABORTED : { type: 'end', stop: 'error', error: describeFailure(error, failed, Date.now()) };
  } finally {
    listening.dispose();
  }
}

/** The key to send; nothing for a server that needs none. */
async function keyOf(wire: Wire, signal: AbortSignal): Promise<string | undefined> {
  const { isOwn, baseUrl } = wire.endpoint();
  const key = (await abortable(wire.apiKey(), signal))?.trim();
  if (!key && isOwn) throw new ProviderFailure({ failure: 'auth', words: `No API key is set for ${new URL(baseUrl).origin}.` });
  if (key && !/^[\x21-\x7e]+$/u.test(key)) throw new ProviderFailure({ failure: 'auth', words: 'The API key has characters that no key has.' });
  return key || undefined;
}

/** The events of each piece of the body; at least one for each, since a piece means that the stream lives. Ends early on abort. */
async function* readBody(response: Response, reader: WireReader, signal: AbortSignal): AsyncGenerator<readonly ModelEvent[], void, undefined> {
  if (!response.body) throw malformed('an answer without a body');
  const body = response.body.getReader();
  const listening = onAbort(signal, () => cancel(body));
  const cutter = new EventCutter();
  const size = new AnswerSize();
  let isComplete = false;
  try {
    for (let piece = await readPiece(body); !piece.done; piece = await readPiece(body)) {
      size.addPiece(piece.value);
      const events = cutter.take(piece.value).flatMap((data) => reader.read(data));
      size.addEvents(events);
      isComplete = events.some(({ type }) => type === 'end');
      yield events.length > 0 ? events : [ALIVE];
      if (isComplete) return;
    }
    if (signal.aborted) return;
    const closing = reader.close();
    if (closing.length === 0) throw brokenOff(cutter.foreignText);
    size.addEvents(closing);
    yield closing;
  } finally {
    listening.dispose();
    if (isComplete && !signal.aborted) void drain(body);
    else cancel(body);
  }
}

function brokenOff(foreignText: string): ProviderFailure {
  const words = foreignText ? `It answered with something else than a stream: ${foreignText}` : 'The answer broke off before its end.';
  return new ProviderFailure({ failure: 'network', words });
}

type BodyReader = ReadableStreamDefaultReader<Uint8Array>;

async function readPiece(body: BodyReader): ReturnType<BodyReader['read']> {
  try {
    return await body.read();
  } catch (error) {
    throw networkFailure(error);
  }
}

/** Closes the connection where the body isn't at its end. Only ever fails because it is closed already. */
function cancel(body: BodyReader): void {
  body.cancel().catch(() => undefined);
}

async function drain(body: BodyReader): Promise<void> {
  const timer = setTimeout(() => cancel(body), DRAIN_MS);
  try {
    while (!(await body.read()).done);
  } catch {
    // The answer is complete; how its connection ends is nobody's concern.
  } finally {
    clearTimeout(timer);
  }
}
