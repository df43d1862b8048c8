import type { ModelEvent } from '../domain/models.ts';
import { ProviderFailure } from './failure.ts';

const MB = 1024 * 1024;
/** Of one event, in characters: the last event of an answer may repeat all of it. */
export const MAX_EVENT = 16 * MB;
/** Of text, thinking and calls together, in characters: far above what any model can answer. */
const MAX_CONTENT = 16 * MB;
/** Of the body, in bytes: vendors wrap each few characters in some hundred bytes. */
const MAX_BODY = 100 * MB;
/** What a call takes besides its texts, in characters: one without any must not be had for nothing. */
const CALL_SIZE = 100;

/** What is too much, in words. */
export const TOO_MUCH_CONTENT = `more than ${MAX_CONTENT / MB} MB of text`;

/** Counts what an answer says. */
export class ContentSize {
  #size = 0;

  /** False once it is more than any model can have to say. */
  add(event: ModelEvent): boolean {
    this.#size += sizeOf(event);
    return this.#size <= MAX_CONTENT;
  }
}

/** Counts what came of one answer, so that one without an end fails while there is memory left. Throws a `ProviderFailure` that isn't worth another try. */
export class AnswerSize {
  readonly #content = new ContentSize();
  #body = 0;

  addPiece(piece: Uint8Array): void {
    this.#body += piece.byteLength;
    if (this.#body > MAX_BODY) throw tooLong(`more than ${MAX_BODY / MB} MB`);
  }

  addEvents(events: readonly ModelEvent[]): void {
    for (const event of events) if (!this.#content.add(event)) throw tooLong(TOO_MUCH_CONTENT);
  }
}

/** An event that goes on and on. */
export function tooLongEvent(): ProviderFailure {
  return tooLong(`an event of more than ${MAX_EVENT / MB} MB`);
}

function sizeOf(event: ModelEvent): number {
  switch (event.type) {
    case 'text':
    case 'thinking':
      return event.text.length;
    case 'tool_call':
      return CALL_SIZE + event.id.length + event.name.length + event.arguments.length;
    case 'alive':
    case 'usage':
    case 'end':
      return 0;
  }
}

function tooLong(what: string): ProviderFailure {
  return new ProviderFailure({ failure: 'error', words: `It sent ${what} for one answer, so the answer was given up. Check the server and its base URL.` });
}
