import type { FetchLike } from '@modelcontextprotocol/client';
import { createParser, type EventSourceMessage, type EventSourceParser } from 'eventsource-parser';
import { readBounded } from '../base/readBounded.ts';
import { hasAnswer, insteadOfAnswer, mendAnswer, UNREADABLE } from './answers.ts';
import { MAX_MESSAGE, tooLongMessage } from './messageSize.ts';
import { fieldsOf } from './toolList.ts';

/** Bytes of a refusal; a few words of it are told. */
const MAX_REFUSAL = 64 * 1024;
/** With these there can't be a body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Fetches for the client library, which reads whole bodies and events of any size, and waits for ever where a request
 * gets no answer that it can read. What comes here is bounded, and answers each request.
 * @param answers whether they come with the response to the request, or by another stream
 */
export function carefulFetch(answers: 'here' | 'elsewhere'): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (WITHOUT_BODY.has(response.status)) return response;
    const request = answers === 'here' ? requestIn(init?.body) : undefined;
    const type = (response.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
    if (response.ok && type === 'text/event-stream' && response.body) return withBody(response, mendEvents(response.body, request));
    const { text, isWhole } = await readBounded(response.body, response.ok ? MAX_MESSAGE : MAX_REFUSAL);
    if (response.ok && !isWhole) throw tooLongMessage();
    // To one that asked for an answer, "accepted" is none.
    const isAnswered = request === undefined || !response.ok || (response.status !== 202 && (type !== 'application/json' || hasAnswer(text, request)));
    return isAnswered ? withBody(response, text) : answered(response, request);
  };
}

function withBody({ status, statusText, headers }: Response, body: string | ReadableStream<Uint8Array>): Response {
  return new Response(body, { status, statusText, headers });
}

function answered(response: Response, request: number): Response {
  const headers = new Headers(response.headers);
  headers.set('content-type', 'application/json');
  return new Response(JSON.stringify(insteadOfAnswer(request, UNREADABLE, `HTTP ${response.status} without an answer`)), { headers });
}

/** The number of the request that a body holds; the library counts them. */
function requestIn(body: unknown): number | undefined {
  const { id, method } = fieldsOf(typeof body === 'string' ? JSON.parse(body) : undefined);
  return typeof id === 'number' && typeof method === 'string' ? id : undefined;
}

/** Events with answers that can be read. One that is too long ends the stream, after an answer to the request that it belongs to. */
function mendEvents(body: ReadableStream<Uint8Array>, request: number | undefined): ReadableStream<Uint8Array> {
  let parser: EventSourceParser;
  const mending = new TransformStream<string, string>({
    start: (out) => {
      parser = createParser({
        maxBufferSize: MAX_MESSAGE,
        onRetry: (ms) => out.enqueue(`retry: ${ms}\n`),
        onEvent: (event) => out.enqueue(eventText({ ...event, data: mendAnswer(event.data) })),
        onError: ({ type }) => {
          if (type !== 'max-buffer-size-exceeded') return;
          const problem = tooLongMessage();
          if (request === undefined) return out.error(problem);
          out.enqueue(eventText({ data: JSON.stringify(insteadOfAnswer(request, UNREADABLE, problem.message)) }));
          out.terminate();
        },
      });
    },
    transform: (text) => parser.feed(text),
  });
  return body.pipeThrough(new TextDecoderStream()).pipeThrough(mending).pipeThrough(new TextEncoderStream());
}

function eventText({ id, event, data }: Partial<EventSourceMessage> & Pick<EventSourceMessage, 'data'>): string {
  const head = `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}`;
  return `${head}${data.split('\n').map((line) => `data: ${line}\n`).join('')}\n`;
}
