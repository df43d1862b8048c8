import { oneLine } from '../base/text.ts';

/** Characters that are not seen: formatting, and what is ignored where it isn't supported (variation selectors, fillers). */
const INVISIBLE = '\\p{Cf}\\p{DI}';
const GAP = `[${INVISIBLE}]*`;
const LINE_END = '\\n\\r\\v\\f\\u0085\\u2028\\u2029';
/** `background-task-completed` in any case, with any hyphen, and with invisible characters in between. */
const ELEMENT = Array.from('background-task-completed', (letter) => (letter === '-' ? '[\\p{Pd}_]' : letter)).join(GAP);
const TAG = new RegExp(`<(?=[\\s${INVISIBLE}\\p{Cc}/]*${ELEMENT})`, 'giu');
/** A line that could pass for a child's heading, whatever ends the line before it. */
const HEADING = new RegExp(`(?<=^|[${LINE_END}])([\\p{Zs}\\t${INVISIBLE}]*)(?=[#＃][^${LINE_END}]*${Array.from('agentid').join(GAP)})`, 'giu');
const NAME_TAIL = new RegExp(`\\((?=[\\s${INVISIBLE}]*${Array.from('agentid').join(GAP)})`, 'giu');
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A child's text that can neither open nor close the completion's element nor pass for another child's heading. Stays readable. */
export function neutralText(text: string): string {
  return text.replace(TAG, '&lt;').replace(HEADING, '$1\\');
}

/** A name inside a heading: one line, and never with a second `(agentId: …)`. */
export function neutralName(name: string): string {
  return oneLine(name).replace(TAG, '&lt;').replace(NAME_TAIL, '\\(');
}

/** A value between double quotes. */
export function attribute(value: string): string {
  return oneLine(value).replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
