import type { StopReason } from '../../domain/messages.ts';
import type { ModelEvent } from '../../domain/models.ts';
import { NO_USAGE, type Usage } from '../../domain/usage.ts';
import { malformed, ProviderFailure } from '../failure.ts';
import { countOf, isObject, objectOf, objectsOf, parseJson, stringOf, type Json } from '../json.ts';
import type { WireReader } from '../streamTurn.ts';
import type { KeptAnswer, Piece, Reader } from '../verbatim.ts';
import { signsOfBody } from '../wireError.ts';
import { ChatCalls } from './chatCalls.ts';
import { thinkingIn, type ThinkingField } from './thinkingField.ts';

const NONE: readonly ModelEvent[] = [];

/** Reads the events of a Chat Completions answer, of OpenAI or of any server that more or less speaks like it. */
export class ChatReader implements WireReader {
  readonly #reader: Reader;
  readonly #calls = new ChatCalls();
  #textLength = 0;
  #thinkingField: ThinkingField['field'] | undefined;
  #usage: Usage | undefined;
  #finish: string | undefined;
  #hasRefused = false;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  read(data: string): readonly ModelEvent[] {
    if (data.trim() === '[DONE]') {
      if (this.#finish === undefined) throw malformed('the end of an answer without a reason for it');
      return this.close();
    }
    const parsed = parseJson(data);
    if (!parsed || !isObject(parsed.value)) throw malformed('an event that is no JSON object');
    const chunk = parsed.value;
    if (chunk['error']) throw new ProviderFailure(streamSigns(chunk));
    const choice = objectsOf(chunk['choices'])[0];
    const events = choice ? this.#choice(choice) : NONE;
    if (isObject(chunk['usage'])) this.#usage = usageOf(chunk['usage']);
    return events;
  }

  close(): readonly ModelEvent[] {
    if (this.#finish === undefined) return NONE;
    const stop = this.#stop(this.#finish);
    const isCalling = stop === 'tool_calls';
    const calls = isCalling ? this.#calls.events() : [];
    const kept = this.#kept(calls.length);
    const { provider, model } = this.#reader;
    return [
      ...calls,
      { type: 'usage', usage: this.#usage ?? NO_USAGE },
      { type: 'end', stop, ...(kept && { verbatim: { provider, model, data: kept } }) },
    ];
  }

  #choice(choice: Json): readonly ModelEvent[] {
    const delta = objectOf(choice['delta'] ?? choice['message']);
    const finish = stringOf(choice['finish_reason']);
    if (finish === 'error') throw new ProviderFailure(streamSigns(choice));
    this.#finish = finish || this.#finish;
    for (const call of objectsOf(delta['tool_calls'])) this.#calls.add(call);
    return [...this.#thinking(delta), ...this.#text(textIn(delta['content'])), ...this.#refusal(delta)];
  }

  #thinking(delta: Json): readonly ModelEvent[] {
    const thinking = thinkingIn(delta);
    if (!thinking) return NONE;
    this.#thinkingField = thinking.field;
    return [{ type: 'thinking', text: thinking.text }];
  }

  #text(text: string): readonly ModelEvent[] {
    this.#textLength += text.length;
    return text ? [{ type: 'text', text }] : NONE;
  }

  #refusal(delta: Json): readonly ModelEvent[] {
    const text = stringOf(delta['refusal']);
    this.#hasRefused ||= text !== '';
    return this.#text(text);
  }

  #stop(finish: string): StopReason {
    if (this.#hasRefused) return 'refusal';
    switch (finish.toLowerCase()) {
      case 'length':
      case 'max_tokens':
        return 'max_tokens';
      case 'content_filter':
        return 'filtered';
      default:
        // Servers say `stop` beside calls, and `tool_calls` without any.
        return this.#calls.size > 0 ? 'tool_calls' : 'stop';
    }
  }

  #kept(calls: number): KeptAnswer<ThinkingField> | undefined {
    if (this.#thinkingField === undefined) return undefined;
    const pieces: Piece<ThinkingField>[] = [
      { type: 'kept', block: { field: this.#thinkingField } },
      { type: 'text', length: this.#textLength },
      ...Array.from({ length: calls }, () => ({ type: 'call' as const })),
    ];
    return { wire: this.#reader.wire, address: this.#reader.address, pieces };
  }
}

/** Plain text, or the text of a list of parts. */
function textIn(content: unknown): string {
  return typeof content === 'string' ? content : objectsOf(content).map((part) => stringOf(part['text'])).join('');
}

/** An error in the middle of an answer. Routers give the status of the server behind them as its code. */
function streamSigns(chunk: Json): ProviderFailure['signs'] {
  const signs = signsOfBody(chunk);
  const code = countOf(objectOf(chunk['error'])['code']);
  return code !== undefined && code >= 400 && code < 600 ? { ...signs, status: code } : signs;
}

/** The wire counts cached tokens as a part of the input. */
function usageOf(usage: Json): Usage {
  const details = objectOf(usage['prompt_tokens_details']);
  const cacheRead = countOf(details['cached_tokens']) ?? 0;
  const cacheWrite = countOf(details['cache_write_tokens']) ?? 0;
  return {
    input: Math.max(0, (countOf(usage['prompt_tokens']) ?? 0) - cacheRead - cacheWrite),
    output: countOf(usage['completion_tokens']) ?? 0,
    cacheRead,
    cacheWrite,
    reasoning: countOf(objectOf(usage['completion_tokens_details'])['reasoning_tokens']) ?? 0,
  };
}
