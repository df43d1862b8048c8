import { AppError } from '../base/errors.ts';
import type { ModelFailure } from '../domain/models.ts';

/** What is known of a failed request, as its vendor said it. */
export interface FailureSigns {
  /** Present where the cause is certain; else it is worked out from the rest. */
  readonly failure?: ModelFailure;
  readonly status?: number;
  /** The vendor's own type and code of the error. */
  readonly codes?: readonly string[];
  /** What the vendor or the network said. May hold anything, a key too: it is cleaned before it is shown. */
  readonly words: string;
  readonly headers?: Headers;
}

/** Ends a stream of a provider from within. `signs` becomes the model error; the message is for the log of a defect only. */
export class ProviderFailure extends AppError {
  readonly signs: FailureSigns;

  constructor(signs: FailureSigns, options?: { readonly cause?: unknown }) {
    super('unavailable', 'The provider failed.', options);
    this.signs = signs;
  }
}

/** An event that is not what the vendor documents. It counts as a broken connection, since asking again may help. */
export function malformed(what: string): ProviderFailure {
  return new ProviderFailure({ failure: 'network', words: `It sent ${what}.` });
}
