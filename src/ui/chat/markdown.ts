import { oneLine, truncate } from '../../runtime/base/text.ts';

/** Longest name or action shown in a line, in code points. */
const LINE_LIMIT = 80;

/** All ASCII punctuation that Markdown may give a meaning, less what is written as an entity. */
const PUNCTUATION = /[!"#%'()*+,\-./:;=?@[\\\]^_`{|}~]/g;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * Text of a model, a file or a person as inert Markdown on one line: no link, HTML, code, emphasis or icon can come
 * of it, in trusted strings too.
 */
export function inert(text: string, max = LINE_LIMIT): string {
  return (
    truncate(oneLine(text), max)
      .replace(PUNCTUATION, '\\$&')
      .replace(/[&<>]/g, (mark) => ENTITIES[mark] ?? '')
      // An escaped `\$(name)` would still be drawn as an icon on some paths; an invisible word joiner never is.
      .replace(/\$(?=\\?\()/g, '$\u2060')
  );
}

/** The same for a notification, which shows text as it is but makes links of `[text](target)`. */
export function plainLine(text: string, max = LINE_LIMIT): string {
  return truncate(oneLine(text), max).replaceAll('[', '(').replaceAll(']', ')');
}

/** A link that runs a command with one argument. The label must be a constant of ours; the argument may hold anything. */
export function commandLink(label: string, command: string, argument: unknown): string {
  const args = encodeURIComponent(JSON.stringify([argument])).replace(/[()'*!~]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
  return `[${label}](command:${command}?${args})`;
}
