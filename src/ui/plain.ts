/** The runtime's own sentences mark names with backticks, for models. Where Markdown isn't rendered, quotes say the same. */
export function withQuotes(text: string): string {
  return text.replaceAll(/`([^`]+)`/g, '“$1”');
}
