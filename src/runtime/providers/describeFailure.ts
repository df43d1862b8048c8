import { errorText } from '../base/errors.ts';
import { oneLine, truncate } from '../base/text.ts';
import type { ModelError, ModelFailure } from '../domain/models.ts';
import { failureOfSigns } from './classify.ts';
import { ProviderFailure, type FailureSigns } from './failure.ts';
import { retryAfterMs } from './retryAfter.ts';
import { maskKey } from './secrets.ts';

const MAX_WORDS = 500;
/** Far more than is shown; a page of HTML needn't be cleaned whole. */
const MAX_READ = 10_000;

/** Who was asked; the key only to keep it out of the message. */
export interface Asked {
  readonly provider: string;
  readonly model: string;
  readonly key: string | undefined;
}

/** What became of a request, for a person, from whatever was thrown. `now`: milliseconds since 1970, for waits that end at a date. */
export function describeFailure(error: unknown, asked: Asked, now: number): ModelError {
  const signs: FailureSigns = error instanceof ProviderFailure ? error.signs : { failure: 'error', words: errorText(error) };
  const failure = failureOfSigns(signs);
  const wait = retryAfterMs(signs.headers, now);
  return {
    failure,
    message: messageOf(signs, failure, asked),
    ...(signs.status !== undefined && { status: signs.status }),
    ...(wait !== undefined && { retryAfterMs: wait }),
  };
}

function messageOf({ status, words }: FailureSigns, failure: ModelFailure, { provider, model, key }: Asked): string {
  const said = truncate(maskKey(oneLine(words.slice(0, MAX_READ)), key), MAX_WORDS) || 'It did not say why.';
  const sentence = /[.!?…]$/u.test(said) ? said : `${said}.`;
  const head = `${provider} (${maskKey(model, key)}) failed${status === undefined ? '' : ` with status ${status}`}`;
  return [`${head}: ${sentence}`, ...(HINTS[failure] ?? [])].join(' ');
}

const HINTS: Partial<Record<ModelFailure, readonly string[]>> = {
  auth: ['Check the key and set it with "Subagents: Set API Key…".'],
  quota: ['Check the plan and billing of the account.'],
};
