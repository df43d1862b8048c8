/**
 * Compiles a text in which `*` stands for any characters, also none. Linear in the text for a bounded number of
 * stars, which a regular expression wouldn't be: patterns come from workspace files too.
 */
export function wildcard(pattern: string): (text: string, anyCase?: boolean) => boolean {
  const lower = pattern.toLowerCase();
  return (text, anyCase = false) => (anyCase ? matchParts(lower.split('*'), text.toLowerCase()) : matchParts(pattern.split('*'), text));
}

/**
 * A pattern in which `:*` at the end is a prefix at a word boundary, and `*` elsewhere stands for any characters.
 * Nothing for an empty prefix.
 */
export function prefixOrWildcard(text: string): ((text: string, anyCase: boolean) => boolean) | undefined {
  const prefix = text.endsWith(':*') ? text.slice(0, -2).trimEnd() : undefined;
  if (prefix === '') return undefined;
  const matchers = prefix === undefined ? [wildcard(text)] : [wildcard(prefix), wildcard(`${prefix} *`)];
  return (candidate, anyCase) => matchers.some((match) => match(candidate, anyCase));
}

function matchParts(parts: readonly string[], text: string): boolean {
  const first = parts[0] ?? '';
  const last = parts.at(-1) ?? '';
  if (parts.length === 1) return text === first;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
