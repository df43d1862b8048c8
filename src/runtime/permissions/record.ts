const MASK = '***';
const MAX_DEPTH = 40;

/** Names of fields whose text is a secret, in words: `apiKey`, `API_KEY` and `api-key` are the same. */
const SECRET_NAME = /(^| )(api key|access key|private key|secret key|signing key|encryption key|client secret|secrets?|token|password|passwd|passphrase|pwd|authorization|auth|cookie|set cookie|credentials?|bearer|key)$/;

/** Every repetition that can fail after a long run has an upper bound: this runs on whatever a model writes, and must stay linear. */
const SECRET_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g, MASK],
  [/\b(Bearer|Basic)(\s+)[A-Za-z0-9._~+/=-]{8,}/gi, `$1$2${MASK}`],
  [/\b(sk|pk|rk)[-_][A-Za-z0-9_-]{12,}/g, MASK],
  [/\b(gh[opsur]_[A-Za-z0-9]{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|npm_[A-Za-z0-9]{16,}|xox[a-z]-[\w-]{10,}|AKIA[A-Z0-9]{16}|AIza[\w-]{30,})/g, MASK],
  [/\beyJ[\w-]{5,4000}\.[\w-]{8,}\.[\w-]*/g, MASK],
  [/(\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@]{0,200}:)[^\s/@]{1,2000}@/gi, `$1${MASK}@`],
  [/(\bhttps?:\/\/)[^\s/:@]{1,2000}@/gi, `$1${MASK}@`],
  [/((?:api[-_]?key|token|secret|passw(?:or)?d|passphrase|pwd|access[-_]?key)["']?\s*[=:]\s*)(?:"[^"]{1,4000}"?|'[^']{1,4000}'?|[^\s"'&;|]+)/gi, `$1${MASK}`],
  [/(--(?:api-key|token|password|passphrase|secret)\s+)(?:"[^"]{1,4000}"?|'[^']{1,4000}'?|[^\s'"]+)/gi, `$1${MASK}`],
  [/((?:^|\s)(?:-u\s*|--(?:proxy-)?user[\s=]))(?:"[^":]{0,200}:[^"]{1,2000}"?|'[^':]{0,200}:[^']{1,2000}'?|[^\s:'"]{0,200}:[^\s'"]+)/g, `$1${MASK}`],
];

/**
 * A copy of a JSON-like value with secrets replaced by `***`: the text of fields with telling names, and what looks
 * like a key, a token or a password in any other text. For what is kept; people decide on the real input.
 */
export function maskSecrets(value: unknown): unknown {
  return mask(value, 0, false);
}

function mask(value: unknown, depth: number, secret: boolean): unknown {
  if (typeof value === 'string') return secret && value !== '' ? MASK : maskText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return MASK;
  if (Array.isArray(value)) return value.map((each) => mask(each, depth + 1, secret));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mask(each, depth + 1, secret || SECRET_NAME.test(wordsOf(name)))]));
}

function maskText(text: string): string {
  return SECRET_TEXTS.reduce((masked, [pattern, replacement]) => masked.replace(pattern, replacement), text);
}

function wordsOf(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[_\-.\s]+/g, ' ').trim().toLowerCase();
}
