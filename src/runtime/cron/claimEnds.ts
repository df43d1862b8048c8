import type { StoredPrompt } from './storedPrompt.ts';

/** What came of a claim. `given_back`: it was not sent, and is due as before. `session_gone`: no prompt of its session can be sent. */
export interface ClaimEnd {
  readonly kind: 'sent' | 'given_back' | 'session_gone';
  /** As it was claimed. */
  readonly prompt: StoredPrompt;
}

/**
 * Ends of this process's claims that aren't stored yet, by the claim's id. They outlive whoever sent the prompts: until
 * one is stored, its prompt counts as being sent.
 */
export class ClaimEnds {
  readonly #ends = new Map<string, ClaimEnd>();

  add(claim: string, end: ClaimEnd): void {
    this.#ends.set(claim, end);
  }

  /** Those of now. */
  list(): ReadonlyMap<string, ClaimEnd> {
    return new Map(this.#ends);
  }

  /** Forgets those that are stored. */
  drop(stored: ReadonlyMap<string, ClaimEnd>): void {
    for (const claim of stored.keys()) this.#ends.delete(claim);
  }
}
