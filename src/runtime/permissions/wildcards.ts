/**
 * Compiles a text in which `*` stands for any characters, also none. Linear in the text for a bounded number of
 * stars, which a regular expression wouldn't be: patterns come from workspace files too.
 */
export function wildcard(pattern: string): (text: string, anyCase?: boolean) => boolean {
  const lower = pattern.toLowerCase();
  return (text, anyCase = false) => (anyCase ? matchParts(lower.split('*'), text.toLowerCase()) : matchParts(pattern.split('*'), text));
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
