/** Code in a fence that its content can't close. */
export function fenced(code: string, language: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}

/** A line of plain text inside Markdown: nothing in it is markup. An address is no link: one would be made of its raw text, with the backslashes in it. */
export function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!|~$@]|:(?=\/\/)|\/(?=\/)/g, '\\$&').replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** What could load something: a tag with attributes, a style sheet, a style on whatever a browser takes for a tag, an image. */
const LOADS = /<(?:[a-z][a-z0-9-]*[\s/]|style\b|[a-z][\s\S]*?style\s*=)|!\[/i;
const FENCE = /^(?: {0,3})(`{3,}|~{3,})(.*)$/;

/**
 * A child's Markdown, fit for the preview: no HTML, and images as links, since a remote image would tell its server
 * that someone reads. Code stays code. Code that would load something if it were *not* code is written with character
 * references instead: where Markdown's idea of what is code differs from ours, it is ugly but loads nothing.
 */
export function safeMarkdown(text: string, imageWord: string): string {
  const out: string[] = [];
  let prose: string[] = [];
  let fence: { readonly mark: string; readonly info: string; readonly lines: string[] } | undefined;
  const endProse = (): void => {
    if (prose.length > 0) out.push(safeProse(prose.join('\n'), imageWord));
    prose = [];
  };
  for (const line of text.split(/\r\n?|\n/)) {
    const match = FENCE.exec(line);
    if (fence === undefined && match?.[1] !== undefined && !(match[1].startsWith('`') && match[2]?.includes('`') === true)) {
      endProse();
      fence = { mark: match[1], info: match[2] ?? '', lines: [] };
    } else if (fence !== undefined && match?.[1]?.startsWith(fence.mark) === true && match[2]?.trim() === '') {
      out.push(safeFence(fence.lines.join('\n'), fence.info));
      fence = undefined;
    } else {
      (fence?.lines ?? prose).push(line);
    }
  }
  endProse();
  if (fence !== undefined) out.push(safeFence(fence.lines.join('\n'), fence.info));
  return out.join('\n');
}

function safeFence(code: string, info: string): string {
  if (!LOADS.test(code)) return fenced(code, /^[\w+#.-]*/.exec(info.trim())?.[0] ?? '');
  // A blank line would end the HTML block in Markdown's eyes.
  return `<pre><code>${references(code).replaceAll('\n', '&#10;')}</code></pre>\n`;
}

/** Inline code first, the rest as prose. */
function safeProse(text: string, imageWord: string): string {
  const pieces = text.split(/((?<!`)(`+)(?!`)[^`\n]+?(?<!`)\2(?!`))/);
  // The split keeps both groups: text, whole code span, its ticks, text, …
  return pieces.map((piece, index) => (index % 3 === 1 ? safeSpan(piece) : index % 3 === 2 ? '' : safeText(piece, imageWord))).join('');
}

function safeSpan(span: string): string {
  if (!LOADS.test(span)) return span;
  return `<code>${references(span.replace(/^`+ ?| ?`+$/g, ''))}</code>`;
}

function safeText(text: string, imageWord: string): string {
  return text.replace(/<(?=[a-z/!?])/gi, '&lt;').replace(/!+\[/g, `[${imageWord}: `);
}

/** Every character that could be markup as a reference, which Markdown never reads as markup. */
function references(text: string): string {
  return text.replace(/[^\p{L}\p{N}\s]/gu, (char) => `&#${char.codePointAt(0) ?? 0};`);
}
