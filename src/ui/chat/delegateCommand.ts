import { oneLine, truncate } from '../../runtime/base/text.ts';
import type { TaskInput } from '../../runtime/domain/liteAgent.ts';

/** Longest name made from a prompt, in code points. */
const NAME_LIMIT = 48;

/**
 * Reads the text after `/delegate`: one child a line, list marks allowed, `@name` first picks the definition.
 * Names of definitions may hold spaces, so known ones are matched whole and the longest first.
 */
export function parseDelegate(text: string, definitions: readonly string[]): readonly TaskInput[] {
  const names = definitions.toSorted((a, b) => b.length - a.length);
  return text.split(/\r\n|\r|\n/).flatMap((line) => parseLine(line, names) ?? []);
}

function parseLine(line: string, names: readonly string[]): TaskInput | undefined {
  const task = line.trim().replace(/^(?:[-*+•]|\d+[.)])\s+/, '');
  const { name, rest } = takeName(task, names);
  const prompt = rest.trim();
  if (oneLine(prompt) === '') return name === undefined ? undefined : { display_name: name, subagent_type: name, prompt: '' };
  return { display_name: displayName(prompt), prompt, ...(name === undefined ? {} : { subagent_type: name }) };
}

function takeName(task: string, names: readonly string[]): { readonly name?: string; readonly rest: string } {
  if (!task.startsWith('@')) return { rest: task };
  const known = names.find((name) => startsWithName(task.slice(1), name));
  if (known !== undefined) return { name: known, rest: withoutColon(task.slice(1 + known.length)) };
  // An unknown name is passed on, so that the error lists the known ones. `@scope/package` is no name.
  const unknown = /^@([\p{L}\p{N}_-]+)(?=[\s:]|$)/u.exec(task)?.[1];
  return unknown === undefined ? { rest: task } : { name: unknown, rest: withoutColon(task.slice(1 + unknown.length)) };
}

function startsWithName(text: string, name: string): boolean {
  return text.slice(0, name.length).toLowerCase() === name.toLowerCase() && /^(?:[\s:]|$)/.test(text.slice(name.length));
}

function withoutColon(text: string): string {
  return text.replace(/^\s*:/, '');
}

/** The prompt's first sentence, cut at a word where it is long. */
export function displayName(prompt: string): string {
  const line = oneLine(prompt);
  const sentence = /^.+?[.!?。！？](?=\s|$)/u.exec(line)?.[0] ?? line;
  const short = truncate(sentence, NAME_LIMIT);
  if (short === sentence) return sentence.replace(/[.。]$/u, '') || sentence;
  const atWord = short.replace(/\s\S*…$/u, '…');
  return atWord.length >= NAME_LIMIT / 2 ? atWord : short;
}
