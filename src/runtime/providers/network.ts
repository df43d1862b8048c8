import { errorText, systemCode } from '../base/errors.ts';
import { ProviderFailure } from './failure.ts';

/** A connection that could not be made or broke, as `fetch` or the reading of a body threw it. */
export function networkFailure(error: unknown): ProviderFailure {
  const chain = causesOf(error);
  const isTimeout = chain.some((cause) => /TIMEOUT|ETIMEDOUT/u.test(systemCode(cause) ?? ''));
  // `fetch failed` and `terminated` say nothing; what lies deepest does.
  const words = chain.map(errorText).findLast((text) => text !== '') ?? '';
  return new ProviderFailure({ failure: isTimeout ? 'timeout' : 'network', words }, { cause: error });
}

const MAX_DEPTH = 5;

function causesOf(error: unknown): readonly unknown[] {
  const chain: unknown[] = [];
  for (let next = error; next !== undefined && chain.length < MAX_DEPTH; next = causeOf(next)) chain.push(next);
  return chain;
}

/** Where all addresses of a host were tried in vain, the first one's error stands for all. */
function causeOf(error: unknown): unknown {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors[0] as unknown;
  return error instanceof Error ? error.cause : undefined;
}
