import type { ModelEvent } from '../domain/models.ts';
import { ProviderFailure } from './failure.ts';

const MB = 1024 * 1024;
/** Of one event, in characters: the last event of an answer may repeat all of it. */
export const MAX_EVENT = 16 * MB;
/** Of text, thinking and arguments together, in characters: far above what any model can answer. */
const MAX_CONTENT = 16 * MB;
/** Of the body, in bytes: vendors wrap each few characters in some hundred bytes. */
const MAX_BODY = 100 * MB;

/** Counts what came of one answer, so that one without an end fails while there is memory left. Throws a `ProviderFailure` that isn't worth another try. */
export class AnswerSize {
  #body = 0;
  #content = 0;

  addPiece(piece: Uint8Array): void {
    this.#body += piece.byteLength;
    if (this.#body > MAX_BODY) throw tooLong(`more than ${MAX_BODY / MB} MB`);
  }

  addEvents(events: readonly ModelEvent[]): void {
    for (const event of events) this.#content += contentOf(event);
    if (this.#content > MAX_CONTENT) throw tooLong(`more than ${MAX_CONTENT / MB} MB of text`);
  }
}

/** An event that goes on and on. */
export function tooLongEvent(): ProviderFailure {
  return tooLong(`an event of more than ${MAX_EVENT / MB} MB`);
}

function contentOf(event: ModelEvent): number {
  switch (event.type) {
    case 'text':
    case 'thinking':
      return event.text.length;
    case 'tool_call':
      return event.arguments.length;
    case 'alive':
    case 'usage':
    case 'end':
      return 0;
  }
}

function tooLong(what: string): ProviderFailure {
  return new ProviderFailure({ failure: 'error', words: `It sent ${what} for one answer, so the answer was given up. Check the server and its base URL.` });
}
