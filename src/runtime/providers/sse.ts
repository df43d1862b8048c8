import { createParser } from 'eventsource-parser';
import { truncate } from '../base/text.ts';
import { MAX_EVENT, tooLongEvent } from './answerSize.ts';

const MAX_HEAD = 300;

/** Cuts a body into server-sent events. Pieces may end anywhere, also inside a character. Throws a `ProviderFailure` for an event that is too long to be kept. */
export class EventCutter {
  readonly #decoder = new TextDecoder();
  #found: string[] = [];
  #hasEvents = false;
  #head = '';
  #isTooLong = false;
  readonly #parser = createParser({
    maxBufferSize: MAX_EVENT,
    onError: ({ type }) => {
      this.#isTooLong ||= type === 'max-buffer-size-exceeded';
    },
    onEvent: ({ data }) => {
      this.#hasEvents = true;
      this.#found.push(data);
    },
  });

  /** The data of the events that end in this piece. */
  take(piece: Uint8Array): readonly string[] {
    const text = this.#decoder.decode(piece, { stream: true });
    if (!this.#hasEvents && this.#head.length < MAX_HEAD) this.#head += text.slice(0, MAX_HEAD);
    this.#parser.feed(text);
    if (this.#isTooLong) throw tooLongEvent();
    const found = this.#found;
    this.#found = [];
    return found;
  }

  /** How the body began, where not one event was in it: it is then something else, such as a page of a proxy. */
  get foreignText(): string {
    return this.#hasEvents ? '' : truncate(this.#head, MAX_HEAD);
  }
}
