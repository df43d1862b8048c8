/** A text as it stands in a prompt: whole, or its beginning. */
export interface Quote {
  readonly text: string;
  readonly isCut: boolean;
}

/** The text up to that many UTF-16 units, cut after a whole line where one fits. */
export function bounded(text: string, max: number): Quote {
  if (text.length <= max) return { text, isCut: false };
  const lineEnd = text.lastIndexOf('\n', max);
  // A cut through a surrogate pair would leave half a character.
  const head = lineEnd > 0 ? text.slice(0, lineEnd) : text.slice(0, max).replace(/[\ud800-\udbff]$/, '');
  return { text: head, isCut: true };
}

/** The text as a code block that nothing in it can close. `language` counts only where it is one plain word. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${/^[\w+#.-]+$/.test(language) ? language : ''}\n${text}\n${fence}`;
}
