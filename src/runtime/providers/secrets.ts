const MASK = '[key]';
/** So many characters of a key in a row count as the key: servers echo parts of it. */
const PART = 8;
/** What looks like a key of a known vendor, also with its middle starred out. */
const LOOKS_LIKE_KEY = /\b(?:sk|pk|rk|gsk|xai|pplx|hf|nvapi|AIza)[-_][\w*.-]{6,}/gu;
const BEARER = /\bBearer\s+[^\s"',;]+/giu;

/** Characters that nobody sees. A key with some of them in it is still read, and copied, as the key. */
const UNSEEN = /[\p{Cf}\p{DI}]+/gu;

/** The text without the key, parts of it, or anything that looks like one. Where invisible characters hide one, they go too. Clean the text first: what cleaning takes away may put a key together. */
export function maskKey(text: string, key: string | undefined): string {
  const seen = text.replace(UNSEEN, '');
  const masked = maskSeen(seen, key);
  return masked === seen ? maskSeen(text, key) : masked;
}

function maskSeen(text: string, key: string | undefined): string {
  return maskParts(text, key).replace(BEARER, `Bearer ${MASK}`).replace(LOOKS_LIKE_KEY, MASK);
}

function maskParts(text: string, key: string | undefined): string {
  if (!key) return text;
  if (key.length < PART) return text.replaceAll(key, MASK);
  const secret = new Uint8Array(text.length);
  for (let start = 0; start + PART <= key.length; start += 1) {
    const part = key.slice(start, start + PART);
    for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) secret.fill(1, at, at + PART);
  }
  let masked = '';
  for (let at = 0; at < text.length; at += 1) {
    if (!secret[at]) masked += text[at];
    else if (!secret[at - 1]) masked += MASK;
  }
  return masked;
}
