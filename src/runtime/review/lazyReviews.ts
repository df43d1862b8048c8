import type { ReviewAccess } from '../domain/reviews.ts';
import type { ReviewParts, Reviews } from './reviews.ts';

/** A review that is loaded when it is first asked for: until then nobody needs what compares texts. */
export class LazyReviews implements ReviewAccess {
  readonly #parts: ReviewParts;
  #reviews: Promise<Reviews> | undefined;
  #isClosed = false;

  constructor(parts: ReviewParts) {
    this.#parts = parts;
  }

  readonly changes: ReviewAccess['changes'] = async (...args) => (await this.#load()).changes(...args);
  readonly file: ReviewAccess['file'] = async (...args) => (await this.#load()).file(...args);
  readonly groupChanges: ReviewAccess['groupChanges'] = async (...args) => (await this.#load()).groupChanges(...args);
  readonly diff: ReviewAccess['diff'] = async (...args) => (await this.#load()).diff(...args);
  readonly groupDiff: ReviewAccess['groupDiff'] = async (...args) => (await this.#load()).groupDiff(...args);
  readonly accept: ReviewAccess['accept'] = async (...args) => (await this.#load()).accept(...args);
  readonly undo: ReviewAccess['undo'] = async (...args) => (await this.#load()).undo(...args);
  readonly undoGroup: ReviewAccess['undoGroup'] = async (...args) => (await this.#load()).undoGroup(...args);
  readonly discard: Reviews['discard'] = async (...args) => (await this.#load()).discard(...args);
  readonly requestChanges: ReviewAccess['requestChanges'] = async (...args) => (await this.#load()).requestChanges(...args);
  readonly requests: ReviewAccess['requests'] = async (...args) => (await this.#load()).requests(...args);
  readonly stateOf: ReviewAccess['stateOf'] = async (...args) => (await this.#load()).stateOf(...args);

  /** See `Reviews.close`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await (await this.#reviews)?.close();
  }

  #load(): Promise<Reviews> {
    // What was asked for before the end still counts.
    const isClosed = this.#isClosed;
    this.#reviews ??= import('./reviews.ts').then(async ({ Reviews }) => {
      const reviews = new Reviews(this.#parts);
      if (isClosed) await reviews.close();
      return reviews;
    });
    return this.#reviews;
  }
}
