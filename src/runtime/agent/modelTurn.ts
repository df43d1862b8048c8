import { abortError, onAbort } from '../base/abort.ts';
import { errorText } from '../base/errors.ts';
import { randomId } from '../base/ids.ts';
import type { AgentRef } from '../domain/agents.ts';
import type { Publish } from '../domain/events.ts';
import { toolCallsOf, type AssistantMessage, type AssistantPart, type Message, type StopReason } from '../domain/messages.ts';
import type { ModelError, ModelEvent, ModelProvider, ModelRequest } from '../domain/models.ts';
import { addUsage, NO_USAGE } from '../domain/usage.ts';

/** Milliseconds that a provider has to stop after the abort. One that ignores it must not hold its child, and all of `close`, for ever. */
const ABORT_GRACE = 1000;
const STOPS: Readonly<Record<StopReason, true>> = { stop: true, tool_calls: true, max_tokens: true, refusal: true, filtered: true, context: true, paused: true, aborted: true, error: true };

export interface ModelTurn {
  /** What the model said, as far as it came. */
  readonly message: AssistantMessage;
  /** Present when `message.stop` is `error` or `context`. */
  readonly error?: ModelError;
}

/** Streams one model turn, publishing its deltas. Never throws: a provider that does counts as failed. */
export async function runModelTurn(provider: ModelProvider, request: ModelRequest, agent: AgentRef, publish: Publish): Promise<ModelTurn> {
  const parts: AssistantPart[] = [];
  const ids = idsOf(request.messages);
  let usage = NO_USAGE;
  let end: Extract<ModelEvent, { type: 'end' }> | undefined;
  const take = (event: ModelEvent): boolean => {
    switch (event.type) {
      case 'alive':
        break;
      case 'text':
      case 'thinking':
        appendText(parts, event);
        publish({ type: event.type === 'text' ? 'text.delta' : 'thinking.delta', agent, text: event.text });
        break;
      case 'tool_call':
        parts.push({ type: 'tool_call', id: freshId(event.id, ids), name: event.name, arguments: event.arguments });
        break;
      case 'usage':
        usage = addUsage(usage, event.usage);
        break;
      case 'end':
        end = event;
        break;
    }
    // What comes after the end can't make a cut answer whole.
    return end === undefined;
  };
  try {
    await consume(provider.stream(request), request.signal, take);
  } catch (error) {
    end ??= brokenStream(request, errorText(error));
  }
  end ??= brokenStream(request, `${provider.id} ended its answer without saying why.`);
  if (!Object.hasOwn(STOPS, String(end.stop))) end = brokenStream(request, `${provider.id} ended its answer in an unknown way (${String(end.stop)}).`);
  publish({ type: 'model.ended', agent, stop: end.stop, usage });
  return {
    message: { role: 'assistant', content: parts, stop: end.stop, ...(end.verbatim && { verbatim: end.verbatim }) },
    ...(end.error && { error: end.error }),
  };
}

/** Hands over the events until `take` wants no more, the stream ends, or the abort is so long ago that the provider seems to ignore it. */
async function consume(stream: AsyncIterable<ModelEvent>, signal: AbortSignal, take: (event: ModelEvent) => boolean): Promise<void> {
  const iterator = stream[Symbol.asyncIterator]();
  let isLate = false;
  let giveUp = (): void => undefined;
  let timer: NodeJS.Timeout | undefined;
  const listening = onAbort(signal, () => {
    timer = setTimeout(() => {
      isLate = true;
      giveUp();
    }, ABORT_GRACE);
  });
  const unlessLate = <T>(step: Promise<T> | undefined): Promise<T | undefined> =>
    new Promise((resolve, reject) => {
      giveUp = () => reject(abortError());
      if (isLate) giveUp();
      void Promise.resolve(step).then(resolve, reject);
    });
  try {
    for (let next = await unlessLate(iterator.next()); next && !next.done; next = await unlessLate(iterator.next())) {
      if (take(next.value)) continue;
      await unlessLate(iterator.return?.());
      return;
    }
  } finally {
    listening.dispose();
    clearTimeout(timer);
    if (isLate) void iterator.return?.().catch(() => undefined);
  }
}

function idsOf(messages: readonly Message[]): Set<string> {
  return new Set(messages.flatMap((message) => (message.role === 'assistant' ? toolCallsOf(message).map(({ id }) => id) : [])));
}

/** Some servers number the calls of each answer anew, or not at all; others refuse a conversation in which an id stands twice. */
function freshId(given: string, used: Set<string>): string {
  const id = given === '' || used.has(given) ? `call_${randomId()}` : given;
  used.add(id);
  return id;
}

function brokenStream(request: ModelRequest, message: string): Extract<ModelEvent, { type: 'end' }> {
  return request.signal.aborted ? { type: 'end', stop: 'aborted' } : { type: 'end', stop: 'error', error: { failure: 'error', message } };
}

function appendText(parts: AssistantPart[], delta: { readonly type: 'text' | 'thinking'; readonly text: string }): void {
  const last = parts.at(-1);
  if (last?.type === delta.type) parts[parts.length - 1] = { type: delta.type, text: last.text + delta.text };
  else parts.push({ type: delta.type, text: delta.text });
}
