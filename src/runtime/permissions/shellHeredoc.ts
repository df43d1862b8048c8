import type { ShellNode } from './shellGrammar.ts';
import { UnclearShell } from './shellWord.ts';

/** What may follow a here-document's name on its line, so that the text surely starts with the next line. */
const PLAIN_LINE = /^[\w\-./:=,@%+ \t|&;<>]*$/;
const NAME = /^(['"]?)([A-Za-z_][\w-]*)\1$/;
const PARTS = new Set(['<<', '<<-', 'heredoc_start', 'heredoc_body', 'heredoc_end']);

/**
 * What stands on the line of a here-document behind its name. The text itself is found once more, line by line as
 * the shell does, and must end where the grammar's tree says; it must run no commands.
 * @throws UnclearShell where that isn't certain
 */
export function restOfHeredoc(source: string, node: ShellNode): readonly ShellNode[] {
  const operator = node.children[0];
  const start = node.children.find(({ type }) => type === 'heredoc_start');
  const end = node.children.find(({ type }) => type === 'heredoc_end');
  if (!operator || !start || !end || !/^[ \t]*$/.test(source.slice(operator.end, start.start))) throw unclear();
  const [, quote = '', name = ''] = NAME.exec(source.slice(start.start, start.end)) ?? [];
  const lineEnd = source.indexOf('\n', start.end);
  const line = lineEnd < 0 ? '' : source.slice(start.end, lineEnd);
  if (name === '' || lineEnd < 0 || !PLAIN_LINE.test(line) || !/^(?:[ \t]|$|[|&;>])/.test(line) || line.includes('<<')) throw unclear();
  const body = bodyOf(source, lineEnd + 1, name, operator.type === '<<-');
  if (end.start !== body.nameAt || end.end !== end.start + name.length) throw unclear();
  if (quote === '') checkExpansions(source.slice(lineEnd + 1, body.end));
  return node.children.filter(({ type }) => !PARTS.has(type));
}

/** Where the text ends, and where the name stands that ends it. */
function bodyOf(source: string, start: number, name: string, withTabs: boolean): { readonly end: number; readonly nameAt: number } {
  for (let at = start; at < source.length; ) {
    const next = source.indexOf('\n', at);
    const lineEnd = next < 0 ? source.length : next;
    const tabs = withTabs ? (/^\t*/.exec(source.slice(at, lineEnd))?.[0].length ?? 0) : 0;
    if (source.slice(at + tabs, lineEnd) === name) return { end: at, nameAt: at + tabs };
    at = lineEnd + 1;
  }
  throw unclear();
}

/** A line end behind a backslash would join two lines, and so hide the name; only plain variables may be expanded. */
function checkExpansions(body: string): void {
  if (body.includes('\\\n')) throw unclear();
  const live = body.replace(/\\[^]/g, '').replace(/\$\{\w+\}/g, '');
  if (/`|\$[({[]/.test(live)) throw new UnclearShell('a here-document in it may run commands');
}

function unclear(): UnclearShell {
  return new UnclearShell('a here-document is not understood');
}
