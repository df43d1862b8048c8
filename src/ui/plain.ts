/** Text for a quick pick, where `$(name)` would become an icon: a model's text must not make any. Looks the same. */
export function withoutIcons(text: string): string {
  return text.replaceAll('$(', '$\u2060(');
}

/** The runtime's own sentences mark names with backticks, for models. Where Markdown isn't rendered, quotes say the same. */
export function withQuotes(text: string): string {
  return text.replaceAll(/`([^`]+)`/g, '“$1”');
}
