import type { StopReason } from '../../domain/messages.ts';
import type { ModelEvent } from '../../domain/models.ts';
import { NO_USAGE, type Usage } from '../../domain/usage.ts';
import { malformed, ProviderFailure } from '../failure.ts';
import { countOf, isObject, objectOf, parseJson, stringOf, type Json } from '../json.ts';
import type { WireReader } from '../streamTurn.ts';
import type { KeptAnswer, Piece, Reader } from '../verbatim.ts';
import { signsOfBody } from '../wireError.ts';
import type { ThinkingBlock } from './blocks.ts';

type OpenBlock =
  | { readonly type: 'text'; length: number }
  | { readonly type: 'thinking'; readonly texts: string[]; signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly json: string[] }
  | { readonly type: 'other' };

const NONE: readonly ModelEvent[] = [];

/** Reads the events of a Messages answer. Calls come out at its end, when it is known that none was cut off. */
export class AnthropicReader implements WireReader {
  readonly #reader: Reader;
  readonly #blocks = new Map<unknown, OpenBlock>();
  #usage: Usage = NO_USAGE;
  #stop: string | undefined;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  read(data: string): readonly ModelEvent[] {
    const parsed = parseJson(data);
    if (!parsed || !isObject(parsed.value)) throw malformed('an event that is no JSON object');
    const event = parsed.value;
    switch (event['type']) {
      case 'message_start':
        this.#addUsage(objectOf(objectOf(event['message'])['usage']));
        return NONE;
      case 'content_block_start':
        return this.#start(event['index'], objectOf(event['content_block']));
      case 'content_block_delta':
        return this.#add(event['index'], objectOf(event['delta']));
      case 'message_delta':
        this.#stop = stringOf(objectOf(event['delta'])['stop_reason']) || this.#stop;
        this.#addUsage(objectOf(event['usage']));
        return NONE;
      case 'message_stop':
        return this.#end();
      case 'error':
        throw new ProviderFailure(signsOfBody(event));
      default:
        return NONE;
    }
  }

  close(): readonly ModelEvent[] {
    return this.#stop === undefined ? NONE : this.#end();
  }

  #start(index: unknown, block: Json): readonly ModelEvent[] {
    switch (block['type']) {
      case 'text': {
        this.#blocks.set(index, { type: 'text', length: 0 });
        return this.#add(index, { type: 'text_delta', text: block['text'] });
      }
      case 'thinking': {
        this.#blocks.set(index, { type: 'thinking', texts: [], signature: stringOf(block['signature']) });
        return this.#add(index, { type: 'thinking_delta', thinking: block['thinking'] });
      }
      case 'redacted_thinking':
        this.#blocks.set(index, { type: 'redacted_thinking', data: stringOf(block['data']) });
        return NONE;
      case 'tool_use': {
        const id = stringOf(block['id']);
        const name = stringOf(block['name']);
        if (!id || !name) throw malformed('a tool call without an id or a name');
        const input = objectOf(block['input']);
        this.#blocks.set(index, { type: 'tool_use', id, name, json: Object.keys(input).length > 0 ? [JSON.stringify(input)] : [] });
        return NONE;
      }
      default:
        this.#blocks.set(index, { type: 'other' });
        return NONE;
    }
  }

  #add(index: unknown, delta: Json): readonly ModelEvent[] {
    const block = this.#blocks.get(index);
    if (!block) throw malformed('a part of a block that it had not begun');
    switch (delta['type']) {
      case 'text_delta': {
        const text = stringOf(delta['text']);
        if (block.type !== 'text' || text === '') return NONE;
        block.length += text.length;
        return [{ type: 'text', text }];
      }
      case 'thinking_delta': {
        const text = stringOf(delta['thinking']);
        if (block.type !== 'thinking' || text === '') return NONE;
        block.texts.push(text);
        return [{ type: 'thinking', text }];
      }
      case 'signature_delta':
        if (block.type === 'thinking') block.signature += stringOf(delta['signature']);
        return NONE;
      case 'input_json_delta':
        if (block.type === 'tool_use') block.json.push(stringOf(delta['partial_json']));
        return NONE;
      default:
        return NONE;
    }
  }

  /** Counts are totals so far; a later one replaces an earlier, and one that isn't given changes nothing. */
  #addUsage(usage: Json): void {
    const count = (name: string, before: number): number => countOf(usage[name]) ?? before;
    this.#usage = {
      input: count('input_tokens', this.#usage.input),
      output: count('output_tokens', this.#usage.output),
      cacheRead: count('cache_read_input_tokens', this.#usage.cacheRead),
      cacheWrite: count('cache_creation_input_tokens', this.#usage.cacheWrite),
      reasoning: countOf(objectOf(usage['output_tokens_details'])['thinking_tokens']) ?? this.#usage.reasoning,
    };
  }

  #end(): readonly ModelEvent[] {
    if (this.#stop === undefined) throw malformed('the end of an answer without a reason for it');
    const blocks = [...this.#blocks.values()];
    const calls = blocks.flatMap((block): ModelEvent[] =>
      block.type === 'tool_use' ? [{ type: 'tool_call', id: block.id, name: block.name, arguments: block.json.join('') || '{}' }] : [],
    );
    const stop = stopOf(this.#stop, calls.length > 0);
    const isCalling = stop === 'tool_calls';
    const kept = this.#kept(blocks, isCalling);
    const { provider, model } = this.#reader;
    return [
      ...(isCalling ? calls : []),
      { type: 'usage', usage: this.#usage },
      { type: 'end', stop, ...(kept && { verbatim: { provider, model, data: kept } }) },
    ];
  }

  /** Thinking without a signature was cut off; it can't go back. */
  #kept(blocks: readonly OpenBlock[], withCalls: boolean): KeptAnswer<ThinkingBlock> | undefined {
    const pieces = blocks.flatMap((block): Piece<ThinkingBlock>[] => {
      switch (block.type) {
        case 'text':
          return block.length > 0 ? [{ type: 'text', length: block.length }] : [];
        case 'thinking':
          return block.signature ? [{ type: 'kept', block: { type: 'thinking', thinking: block.texts.join(''), signature: block.signature } }] : [];
        case 'redacted_thinking':
          return block.data ? [{ type: 'kept', block: { type: 'redacted_thinking', data: block.data } }] : [];
        case 'tool_use':
          return withCalls ? [{ type: 'call' }] : [];
        case 'other':
          return [];
      }
    });
    if (!pieces.some(({ type }) => type === 'kept')) return undefined;
    return { wire: this.#reader.wire, address: this.#reader.address, pieces };
  }
}

function stopOf(reason: string, hasCalls: boolean): StopReason {
  switch (reason) {
    case 'max_tokens':
      return 'max_tokens';
    case 'refusal':
      return 'refusal';
    case 'pause_turn':
      return 'paused';
    case 'model_context_window_exceeded':
      return 'context';
    default:
      return hasCalls ? 'tool_calls' : 'stop';
  }
}
