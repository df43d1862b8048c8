/** What stands in place of a secret. */
export const SECRET_MASK = '***';

/** Every repetition that can fail after a long run has an upper bound: this runs on whatever a model writes, and must stay linear. */
const SECRET_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g, SECRET_MASK],
  [/\b(Bearer|Basic)(\s+)[A-Za-z0-9._~+/=-]{8,}/gi, `$1$2${SECRET_MASK}`],
  [/\b(sk|pk|rk)[-_][A-Za-z0-9_-]{12,}/g, SECRET_MASK],
  [/\b(gh[opsur]_[A-Za-z0-9]{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|npm_[A-Za-z0-9]{16,}|xox[a-z]-[\w-]{10,}|AKIA[A-Z0-9]{16}|AIza[\w-]{30,})/g, SECRET_MASK],
  [/\beyJ[\w-]{5,4000}\.[\w-]{8,}\.[\w-]*/g, SECRET_MASK],
  [/(\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@]{0,200}:)[^\s/@]{1,2000}@/gi, `$1${SECRET_MASK}@`],
  [/(\bhttps?:\/\/)[^\s/:@]{1,2000}@/gi, `$1${SECRET_MASK}@`],
  [/((?:api[-_]?key|token|secret|passw(?:or)?d|passphrase|pwd|access[-_]?key)["']?\s*[=:]\s*)(?:"[^"]{1,4000}"?|'[^']{1,4000}'?|[^\s"'&;|]+)/gi, `$1${SECRET_MASK}`],
  [/(--(?:api-key|token|password|passphrase|secret)\s+)(?:"[^"]{1,4000}"?|'[^']{1,4000}'?|[^\s'"]+)/gi, `$1${SECRET_MASK}`],
  [/((?:^|\s)(?:-u\s*|--(?:proxy-)?user[\s=]))(?:"[^":]{0,200}:[^"]{1,2000}"?|'[^':]{0,200}:[^']{1,2000}'?|[^\s:'"]{0,200}:[^\s'"]+)/g, `$1${SECRET_MASK}`],
];

/** The text with what looks like a key, a token or a password replaced. Takes time in proportion to its length. */
export function maskText(text: string): string {
  return SECRET_TEXTS.reduce((masked, [pattern, replacement]) => masked.replace(pattern, replacement), text);
}
