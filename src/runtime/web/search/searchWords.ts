import { AppError } from '../../base/errors.ts';
import type { Backend } from './backends.ts';
import { isRecord } from './answer.ts';

export interface SearchAnswer {
  readonly status: number;
  readonly text: string;
  /** Nothing where the text isn't JSON. */
  readonly body: unknown;
}

/** Why an answer is no list of hits, in words; nothing for one that is. What the server wrote isn't repeated: it may echo the key. */
export function refusal({ name, needsKey, hits }: Backend, { status, text, body }: SearchAnswer): AppError | undefined {
  const fail = (words: string): AppError => new AppError('unavailable', `${name} ${words}`);
  if (status === 200) {
    if (isRecord(body)) return saysError(body['error']) && hits(body).length === 0 ? fail('answered with an error instead of results. Try again later, or other words.') : undefined;
    return fail(`answered with something that isn't JSON. ${needsKey ? 'Check its address in the settings.' : JSON_FORMAT}`);
  }
  if (status === 0 || (status >= 300 && status < 400)) return fail('redirects to another address, which isn\'t followed. Set that one in the settings.');
  if (status === 401 || (status === 403 && needsKey) || (status === 422 && /SUBSCRIPTION_TOKEN|subscription-token/i.test(text))) return fail('refuses the key. The user can give another one by the command “Set API Key…”.');
  // SearXNG says so where the format isn't switched on.
  if (status === 403) return fail(`doesn't allow this. ${JSON_FORMAT}`);
  if (status === 429) return fail('gets too many requests now. Wait, and search less.');
  if (status === 402 || status === 432 || status === 433) return fail('has no searches left for this key: its plan is used up. Go on without searching.');
  if (status === 404) return fail('isn\'t at this address. Check it in the settings.');
  if (status >= 500) return fail(`has a problem of its own (status ${status}). Try again later.`);
  return fail(`refuses the search (status ${status}). Try other words.`);
}

function saysError(error: unknown): boolean {
  return (typeof error === 'string' && error !== '') || isRecord(error);
}

const JSON_FORMAT = 'Its settings.yml must list json under search.formats.';
