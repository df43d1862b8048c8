/** Splits a text at its mark `|`. Line and column are from zero, as editors count. */
export function atMark(marked: string): { readonly text: string; readonly line: number; readonly column: number } {
  const [before = '', after = ''] = marked.split('|');
  return { text: before + after, ...placeOf(before, before.length) };
}

/** The place of an offset. */
export function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const lines = text.slice(0, offset).split(/\r\n?|\n/);
  return { line: lines.length - 1, column: lines.at(-1)?.length ?? 0 };
}

/** A snippet as it stands right after it was inserted. */
export function expandSnippet(snippet: string): string {
  return snippet
    .replace(/(?<!\\)\$\{\d+\|([^|]*)\|\}/g, (_all, choices: string) => choices.split(',')[0] ?? '')
    .replace(/(?<!\\)\$\{\d+:((?:\\.|[^}\\])*)\}/g, '$1')
    .replace(/(?<!\\)\$\d+/g, '')
    .replace(/\\([\\$}])/g, '$1');
}
