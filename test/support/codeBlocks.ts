const BLOCK = /^```ts\n(.*?)^```$/gmsu;

/** The TypeScript of a Markdown page, its blocks one after the other. */
export function codeOf(page: string): string {
  return [...page.matchAll(BLOCK)].map(([, code]) => code).join('\n');
}
