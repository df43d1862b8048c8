import { maskText, SECRET_MASK } from '../base/maskText.ts';

const MAX_DEPTH = 40;

/** Names of fields whose text is a secret, in words: `apiKey`, `API_KEY` and `api-key` are the same. */
const SECRET_NAME = /(^| )(api key|access key|private key|secret key|signing key|encryption key|client secret|secrets?|token|password|passwd|passphrase|pwd|authorization|auth|cookie|set cookie|credentials?|bearer|key)$/;

/**
 * A copy of a JSON-like value with secrets replaced by `***`: the text of fields with telling names, and what looks
 * like a key, a token or a password in any other text. For what is kept; people decide on the real input.
 */
export function maskSecrets(value: unknown): unknown {
  return mask(value, 0, false);
}

function mask(value: unknown, depth: number, secret: boolean): unknown {
  if (typeof value === 'string') return secret && value !== '' ? SECRET_MASK : maskText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return SECRET_MASK;
  if (Array.isArray(value)) return value.map((each) => mask(each, depth + 1, secret));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mask(each, depth + 1, secret || SECRET_NAME.test(wordsOf(name)))]));
}

function wordsOf(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[_\-.\s]+/g, ' ').trim().toLowerCase();
}
