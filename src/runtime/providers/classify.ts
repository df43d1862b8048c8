import type { ModelFailure } from '../domain/models.ts';
import type { FailureSigns } from './failure.ts';

/** Types and codes of Anthropic and OpenAI that say more than the status. */
const BY_CODE: Readonly<Record<string, ModelFailure>> = {
  authentication_error: 'auth',
  permission_error: 'auth',
  invalid_api_key: 'auth',
  billing_error: 'quota',
  insufficient_quota: 'quota',
  billing_hard_limit_reached: 'quota',
  billing_not_active: 'quota',
  contract_spend_limit_reached: 'quota',
  enforced_spend_limit_reached: 'quota',
  linked_organization_spend_limit_reached: 'quota',
  linked_organization_billing_unavailable: 'quota',
  rate_limit_error: 'rate_limited',
  rate_limit_exceeded: 'rate_limited',
  overloaded_error: 'overloaded',
  timeout_error: 'timeout',
  api_error: 'server',
  server_error: 'server',
  context_length_exceeded: 'context',
  exceed_context_size_error: 'context',
  request_too_large: 'context',
};

/** Of several codes the most telling one counts: a spend limit comes as a rate limit, too. */
const RANK: readonly ModelFailure[] = ['quota', 'context', 'auth', 'overloaded', 'timeout', 'rate_limited', 'server'];

/** How Anthropic, OpenAI, vLLM, llama.cpp, OpenRouter, Groq, xAI and others say that a request is longer than the window. */
const TOO_LONG = /prompt is too long|input is too long|context[ _](?:length|size|window|limit)|maximum prompt length|reduce the length of|exceeds? the available context|trying to keep the first \d+ tokens/iu;
/** Codes in the middle of a stream, where there is no status, that asking again won't change. */
const FINAL = /^invalid_|_policy|^image_|not_found|unsupported/u;
const NO_CREDIT = /credit balance is too low|insufficient (?:credits?|balance|funds)/iu;

/** Why a request failed. What the vendor names counts more than the status, the status more than the wording. */
export function failureOfSigns({ failure, status, codes = [], words }: FailureSigns): ModelFailure {
  if (failure) return failure;
  const named = codes.flatMap((code) => (Object.hasOwn(BY_CODE, code) ? [BY_CODE[code]] : []));
  const first = RANK.find((candidate) => named.includes(candidate));
  if (first) return first;
  const canBeWording = status === undefined || [400, 402, 413, 422, 429, 500].includes(status);
  if (canBeWording && NO_CREDIT.test(words)) return 'quota';
  if (canBeWording && status !== 429 && TOO_LONG.test(words)) return 'context';
  if (status !== undefined) return failureOfStatus(status);
  return codes.some((code) => FINAL.test(code)) ? 'bad_request' : 'server';
}

function failureOfStatus(status: number): ModelFailure {
  switch (status) {
    case 401:
    case 403:
      return 'auth';
    case 402:
      return 'quota';
    case 408:
      return 'timeout';
    case 409:
      return 'server';
    case 413:
      return 'context';
    case 429:
      return 'rate_limited';
    case 503:
    case 529:
      return 'overloaded';
    default:
      return status >= 500 ? 'server' : 'bad_request';
  }
}
