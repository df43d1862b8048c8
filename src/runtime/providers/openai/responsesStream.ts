import type { StopReason } from '../../domain/messages.ts';
import type { ModelEvent } from '../../domain/models.ts';
import type { Usage } from '../../domain/usage.ts';
import { malformed, ProviderFailure } from '../failure.ts';
import { countOf, isObject, objectOf, objectsOf, parseJson, stringOf, type Json } from '../json.ts';
import type { WireReader } from '../streamTurn.ts';
import type { KeptAnswer, Piece, Reader } from '../verbatim.ts';
import { signsOfBody } from '../wireError.ts';
import { isReasoningItem, type ReasoningItem } from './reasoning.ts';

const NONE: readonly ModelEvent[] = [];

/** Reads the events of a Responses answer. Calls come out at its end, when it is known that none was cut off. */
export class ResponsesReader implements WireReader {
  readonly #reader: Reader;
  /** Finished items by their place in the answer. */
  readonly #items = new Map<number, Json>();
  /** Length of the text that came for an item. */
  readonly #texts = new Map<number, number>();
  #hasRefused = false;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  read(data: string): readonly ModelEvent[] {
    if (data === '[DONE]') return NONE;
    const parsed = parseJson(data);
    if (!parsed || !isObject(parsed.value)) throw malformed('an event that is no JSON object');
    const event = parsed.value;
    switch (event['type']) {
      case 'response.output_text.delta':
        return this.#text(event, stringOf(event['delta']));
      case 'response.refusal.delta':
        this.#hasRefused = true;
        return this.#text(event, stringOf(event['delta']));
      case 'response.reasoning_summary_part.added':
        return countOf(event['summary_index']) ? [{ type: 'thinking', text: '\n\n' }] : NONE;
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta': {
        const text = stringOf(event['delta']);
        return text ? [{ type: 'thinking', text }] : NONE;
      }
      case 'response.output_item.done':
        return this.#finish(countOf(event['output_index']) ?? this.#items.size, objectOf(event['item']));
      case 'response.completed':
      case 'response.incomplete':
        return this.#end(objectOf(event['response']));
      case 'response.failed':
        throw new ProviderFailure(signsOfBody(objectOf(event['response'])));
      case 'error':
        throw new ProviderFailure(signsOfBody(event));
      default:
        if (event['error']) throw new ProviderFailure(signsOfBody(event));
        return NONE;
    }
  }

  /** Only an event of its own ends an answer. */
  close(): readonly ModelEvent[] {
    return NONE;
  }

  #text(event: Json, text: string): readonly ModelEvent[] {
    if (text === '') return NONE;
    const index = countOf(event['output_index']) ?? 0;
    this.#texts.set(index, (this.#texts.get(index) ?? 0) + text.length);
    return [{ type: 'text', text }];
  }

  /** An item is whole. Servers that send no deltas give the text only here. */
  #finish(index: number, item: Json): readonly ModelEvent[] {
    this.#items.set(index, item);
    if (item['type'] !== 'message' || this.#texts.has(index)) return NONE;
    const parts = objectsOf(item['content']);
    this.#hasRefused ||= parts.some(({ type }) => type === 'refusal');
    return this.#text({ output_index: index }, parts.map((part) => stringOf(part['text']) || stringOf(part['refusal'])).join(''));
  }

  #end(response: Json): readonly ModelEvent[] {
    const missed = objectsOf(response['output']).flatMap((item, index) => (this.#items.has(index) ? NONE : this.#finish(index, item)));
    const items = [...this.#items].sort(([a], [b]) => a - b);
    const calls = items.flatMap(([, item]) => (item['type'] === 'function_call' && item['status'] !== 'incomplete' ? [callOf(item)] : []));
    const stop = this.#stopOf(response, calls.length > 0);
    const isCalling = stop === 'tool_calls';
    const kept = this.#kept(items, isCalling);
    const { provider, model } = this.#reader;
    return [
      ...missed,
      ...(isCalling ? calls : []),
      { type: 'usage', usage: usageOf(objectOf(response['usage'])) },
      { type: 'end', stop, ...(kept && { verbatim: { provider, model, data: kept } }) },
    ];
  }

  #stopOf(response: Json, hasCalls: boolean): StopReason {
    const reason = stringOf(objectOf(response['incomplete_details'])['reason']);
    if (reason === 'max_output_tokens') return 'max_tokens';
    if (reason === 'content_filter') return 'filtered';
    if (response['status'] === 'incomplete') throw malformed(`an incomplete answer (${reason || 'no reason given'})`);
    if (this.#hasRefused) return 'refusal';
    return hasCalls ? 'tool_calls' : 'stop';
  }

  #kept(items: readonly (readonly [number, Json])[], withCalls: boolean): KeptAnswer<ReasoningItem> | undefined {
    const pieces = items.flatMap(([index, item]): Piece<ReasoningItem>[] => {
      if (isReasoningItem(item)) return [{ type: 'kept', block: sendable(item) }];
      if (item['type'] === 'function_call') return withCalls && item['status'] !== 'incomplete' ? [{ type: 'call' }] : [];
      const phase = stringOf(item['phase']);
      return item['type'] === 'message' ? [{ type: 'text', length: this.#texts.get(index) ?? 0, ...(phase && { phase }) }] : [];
    });
    if (!pieces.some((piece) => piece.type === 'kept' || (piece.type === 'text' && piece.phase !== undefined))) return undefined;
    return { wire: this.#reader.wire, address: this.#reader.address, pieces };
  }
}

/** Without the fields that are for reading only; the wire refuses an item that has its status. */
function sendable({ id, summary, encrypted_content, content }: ReasoningItem): ReasoningItem {
  return { type: 'reasoning', id, summary, ...(encrypted_content && { encrypted_content }), ...(content && content.length > 0 && { content }) };
}

function callOf(item: Json): Extract<ModelEvent, { type: 'tool_call' }> {
  const id = stringOf(item['call_id']) || stringOf(item['id']);
  const name = stringOf(item['name']);
  if (!id || !name) throw malformed('a tool call without an id or a name');
  return { type: 'tool_call', id, name, arguments: stringOf(item['arguments']) || '{}' };
}

/** The wire counts cached tokens as a part of the input. */
function usageOf(usage: Json): Usage {
  const details = objectOf(usage['input_tokens_details']);
  const cacheRead = countOf(details['cached_tokens']) ?? 0;
  const cacheWrite = countOf(details['cache_write_tokens']) ?? 0;
  return {
    input: Math.max(0, (countOf(usage['input_tokens']) ?? 0) - cacheRead - cacheWrite),
    output: countOf(usage['output_tokens']) ?? 0,
    cacheRead,
    cacheWrite,
    reasoning: countOf(objectOf(usage['output_tokens_details'])['reasoning_tokens']) ?? 0,
  };
}
