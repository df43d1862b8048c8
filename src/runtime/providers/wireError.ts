import { ProviderFailure, type FailureSigns } from './failure.ts';
import { isObject, objectOf, stringOf } from './json.ts';
import { networkFailure } from './network.ts';

/** What an error object says, in an answer's body or in the middle of a stream: Anthropic's, OpenAI's, or a compatible server's. */
export function signsOfBody(body: unknown): FailureSigns {
  const outer = objectOf(body);
  const inner = isObject(outer['error']) ? outer['error'] : outer;
  const codes = [inner['code'], inner['type'], objectOf(inner['details'])['error_code'], outer['code'], outer['type']];
  const texts = [inner['message'], outer['message'], outer['error'], outer['detail'], objectOf(inner['metadata'])['raw'], body];
  return { codes: codes.map(stringOf).filter((code) => code !== ''), words: texts.map(stringOf).find((text) => text !== '') ?? '' };
}

/** The error classes of a vendor's client that are told apart. */
export interface ClientErrors {
  readonly APIConnectionError: abstract new (...args: never[]) => Error;
  readonly APIConnectionTimeoutError: abstract new (...args: never[]) => Error;
}

/** What a vendor's client threw, as our own failure. The client wraps whatever its `fetch` rejected with. What it doesn't know stays as it is. */
export function fromClientError(error: unknown, classes: ClientErrors): unknown {
  if (error instanceof classes.APIConnectionTimeoutError) return new ProviderFailure({ failure: 'timeout', words: 'It took too long to answer.' }, { cause: error });
  if (!(error instanceof classes.APIConnectionError)) return error;
  return error.cause instanceof ProviderFailure ? error.cause : networkFailure(error);
}
