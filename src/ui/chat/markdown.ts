import { oneLine, truncate } from '../../runtime/base/text.ts';

/** Longest name or action shown in a line, in code points. */
const LINE_LIMIT = 80;

/** What Markdown, HTML, theme icons or automatic links begin or end with. Left out is what means nothing inside a line. */
const MARKS = /[!#$&()*:<=>@[\\\]_`|~]|(?<=www)\.|^[-+]|(?<=^\d{1,9})\./gi;

/**
 * Text of a model, a file or a person as inert Markdown on one line: no link, HTML, code, emphasis or icon can come
 * of it, in trusted strings too. Marks become entities: VS Code mends half-written Markdown by its raw text, and
 * takes a mark behind a backslash for one.
 */
export function inert(text: string, max = LINE_LIMIT): string {
  return truncate(oneLine(text), max).replace(MARKS, (mark) => `&#${mark.charCodeAt(0)};`);
}

/** A link that runs a command with one argument. The label must be a constant of ours; the argument may hold anything. */
export function commandLink(label: string, command: string, argument: unknown): string {
  const args = encodeURIComponent(JSON.stringify([argument])).replace(/[()'*!~]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
  return `[${label}](command:${command}?${args})`;
}

/** What closes the code block that the Markdown leaves open; nothing where all are closed. */
export function openFence(markdown: string): string | undefined {
  let open: string | undefined;
  for (const line of markdown.split(/\r\n?|\n/)) {
    const [, mark, rest = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (mark === undefined) continue;
    if (open === undefined) open = mark.startsWith('`') && rest.includes('`') ? undefined : mark;
    else if (mark.startsWith(open) && rest.trim() === '') open = undefined;
  }
  return open;
}
