import type { Clock } from '../base/clock.ts';
import { errorText } from '../base/errors.ts';
import { randomId } from '../base/ids.ts';
import { durationText } from '../base/text.ts';
import { toolCallsOf, type AssistantPart, type Message, type StopReason } from '../domain/messages.ts';
import type { ModelEvent, ModelProvider, ModelRequest } from '../domain/models.ts';
import { addUsage, NO_USAGE, type Usage } from '../domain/usage.ts';
import { ContentSize, TOO_MUCH_CONTENT } from '../providers/answerSize.ts';
import { cleanEvent } from '../providers/cleanEvent.ts';
import { consume, StreamGuard } from './streamGuard.ts';

const STOPS: Readonly<Record<StopReason, true>> = { stop: true, tool_calls: true, max_tokens: true, refusal: true, filtered: true, context: true, paused: true, aborted: true, error: true };

export type StreamEnd = Extract<ModelEvent, { type: 'end' }>;
export type SpokenDelta = Extract<ModelEvent, { type: 'text' | 'thinking' }>;

/** What one try brought, as far as it came. */
export interface Answer {
  readonly parts: readonly AssistantPart[];
  readonly usage: Usage;
  readonly end: StreamEnd;
}

export interface StreamOptions {
  readonly clock: Clock;
  /** Milliseconds of silence after which the try has failed; 0 for no limit. */
  readonly idleMs: number;
  /** Hears what the model says while it says it. */
  readonly onDelta: (delta: SpokenDelta) => void;
  /** Ids that no new call may have, besides those in the request. */
  readonly usedIds?: ReadonlySet<string>;
}

/** Sends the request once and gathers the answer. Never throws: a provider that does counts as failed. */
export async function streamAnswer(provider: ModelProvider, request: ModelRequest, { clock, idleMs, onDelta, usedIds = new Set() }: StreamOptions): Promise<Answer> {
  const parts: AssistantPart[] = [];
  const ids = new Set([...usedIds, ...callIds(request.messages)]);
  let usage = NO_USAGE;
  let end: StreamEnd | undefined;
  const guard = new StreamGuard(request.signal, clock, idleMs);
  const size = new ContentSize();
  const take = (given: ModelEvent): boolean => {
    // What comes after the limit can't undo it, and what comes after the end can't make a cut answer whole.
    if (guard.isSilent || end !== undefined) return false;
    guard.heard();
    const event = cleanEvent(given);
    if (!size.add(event)) {
      end = endlessStream(provider, request);
      guard.giveUp();
      return false;
    }
    switch (event.type) {
      case 'alive':
        break;
      case 'text':
      case 'thinking':
        appendText(parts, event);
        onDelta(event);
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
    return end === undefined;
  };
  try {
    await consume(provider.stream({ ...request, signal: guard.signal }), guard.signal, clock, take);
  } catch (error) {
    end ??= guard.isSilent ? undefined : brokenStream(request, errorText(error));
  } finally {
    guard.dispose();
  }
  if (guard.isSilent && !request.signal.aborted) end ??= silentStream(provider, request, idleMs);
  end ??= brokenStream(request, `${provider.id} ended its answer without saying why.`);
  if (!Object.hasOwn(STOPS, String(end.stop))) end = brokenStream(request, `${provider.id} ended its answer in an unknown way (${String(end.stop)}).`);
  return { parts, usage, end };
}

export function callIds(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message) => (message.role === 'assistant' ? toolCallsOf(message).map(({ id }) => id) : []));
}

/** Some servers number the calls of each answer anew, or not at all; others refuse a conversation in which an id stands twice. */
function freshId(given: string, used: Set<string>): string {
  const id = given === '' || used.has(given) ? `call_${randomId()}` : given;
  used.add(id);
  return id;
}

function brokenStream(request: ModelRequest, message: string): StreamEnd {
  return request.signal.aborted ? { type: 'end', stop: 'aborted' } : { type: 'end', stop: 'error', error: { failure: 'error', message } };
}

function silentStream({ id }: ModelProvider, { model }: ModelRequest, idleMs: number): StreamEnd {
  return { type: 'end', stop: 'error', error: { failure: 'timeout', message: `${id} (${model}) sent nothing for ${durationText(idleMs)}.` } };
}

function endlessStream({ id }: ModelProvider, { model }: ModelRequest): StreamEnd {
  return { type: 'end', stop: 'error', error: { failure: 'error', message: `${id} (${model}) sent ${TOO_MUCH_CONTENT} for one answer, so the answer was given up. Pick another model.` } };
}

function appendText(parts: AssistantPart[], delta: SpokenDelta): void {
  const last = parts.at(-1);
  if (last?.type === delta.type) parts[parts.length - 1] = { type: delta.type, text: last.text + delta.text };
  else parts.push({ type: delta.type, text: delta.text });
}
