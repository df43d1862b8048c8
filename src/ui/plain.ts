/** Text for a quick pick, where `$(name)` would become an icon: a model's text must not make any. Looks the same. */
export function withoutIcons(text: string): string {
  return text.replaceAll('$(', '$\u2060(');
}
