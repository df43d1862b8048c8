import { randomId } from '../../base/ids.ts';
import type { ModelEvent } from '../../domain/models.ts';
import { malformed } from '../failure.ts';
import { countOf, objectOf, stringOf, type Json } from '../json.ts';

interface Call {
  readonly index: number | undefined;
  id: string;
  name: string;
  readonly pieces: string[];
}

/** Puts the calls of a Chat answer together. Servers leave out ids or indexes, or send each call whole. */
export class ChatCalls {
  readonly #calls: Call[] = [];

  get size(): number {
    return this.#calls.length;
  }

  add(delta: Json): void {
    const called = objectOf(delta['function']);
    const id = stringOf(delta['id']);
    const name = stringOf(called['name']);
    const index = countOf(delta['index']);
    const call = this.#open(index, id, name);
    call.id ||= id;
    call.name ||= name;
    const given = called['arguments'];
    const piece = typeof given === 'object' && given !== null ? JSON.stringify(given) : stringOf(given);
    if (piece) call.pieces.push(piece);
  }

  /** The calls, whole. Throws for one that can't be made. */
  events(): readonly Extract<ModelEvent, { type: 'tool_call' }>[] {
    return this.#calls.map(({ id, name, pieces }) => {
      if (!name) throw malformed('a tool call without a name');
      return { type: 'tool_call', id: id || `call_${randomId()}`, name, arguments: pieces.join('') || '{}' };
    });
  }

  /** The call that a delta belongs to. A second id at one index is a second call; without an index, a name begins one. */
  #open(index: number | undefined, id: string, name: string): Call {
    const last = this.#calls.at(-1);
    const found = index === undefined ? (id ? this.#calls.find((call) => call.id === id) : name ? undefined : last) : this.#calls.findLast((call) => call.index === index);
    if (found && !(id && found.id && id !== found.id)) return found;
    const call: Call = { index, id, name, pieces: [] };
    this.#calls.push(call);
    return call;
  }
}
