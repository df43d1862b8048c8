import { oneLine, truncate } from '../../base/text.ts';
import type { TaskInput } from '../../domain/liteAgent.ts';
import { parseDirective } from './directives.ts';

const LIST_LINE = /^([^\S\n]*)(?:[*•][^\S\n]+|-[^\S\n]*(?![-\s])|\d{1,3}[.)][^\S\n]+)(.*)$/u;
const FENCE = /^\s*(?:```|~~~)/u;
const DEFINITION = /^@([\p{L}\p{N}](?:[\p{L}\p{N}._-]*[\p{L}\p{N}])?)[:,]?(?:\s+|$)/u;
// So that the status still fits beside it in a side bar.
const NAME_WORDS = 4;
const NAME_LENGTH = 28;
const NO_TEXT = 'Give an overview of this workspace.';

/**
 * The tasks that a request asks for: one for each line of a list, with the lines that are indented below it, or one
 * for the whole text. `@name` at the start of either picks the definition.
 */
export function parseTasks(prompt: string): readonly TaskInput[] {
  const items = listItems(prompt);
  if (items.length > 0) return items.map((item, index) => toTask(item, `Task ${index + 1}`));
  // An instruction needs more than Explore has.
  const explores = parseDirective(prompt.trim().split(/\r\n?|\n/u)[0] ?? '') === undefined;
  return [toTask(prompt.trim(), 'Exploration', explores ? 'Explore' : undefined)];
}

function listItems(prompt: string): readonly string[] {
  const items: string[] = [];
  let margin: number | undefined;
  let fenced = false;
  let open = false;
  for (const line of prompt.split(/\r\n?|\n/u)) {
    if (FENCE.test(line)) fenced = !fenced;
    const match = fenced ? null : LIST_LINE.exec(line);
    const indent = /^\s*/u.exec(line)?.[0].length ?? 0;
    if (match && (margin === undefined || indent <= margin + 1)) {
      margin ??= indent;
      const text = (match[2] ?? '').replace(/^\[[ xX]\]\s+/u, '').trim();
      open = text !== '';
      if (open) items.push(text);
    } else if (open && line.trim() !== '' && indent >= (margin ?? 0) + 2) {
      items[items.length - 1] += `\n${line.trim()}`;
    } else if (line.trim() !== '') {
      open = false;
    }
  }
  return items;
}

function toTask(item: string, fallbackName: string, fallbackType?: string): TaskInput {
  const picked = DEFINITION.exec(item);
  const type = picked?.[1] ?? fallbackType;
  const prompt = picked ? item.slice(picked[0].length).trim() : item;
  const name = displayName(prompt) || (picked?.[1] ?? fallbackName);
  return { display_name: name, ...(type === undefined ? {} : { subagent_type: type }), prompt: prompt === '' ? NO_TEXT : prompt };
}

/** A few words for a label. `''` when the prompt has no visible ones. */
export function displayName(prompt: string): string {
  const line = prompt.slice(0, 2000).split(/\r\n?|\n/u).find((candidate) => oneLine(candidate) !== '') ?? '';
  const label = oneLine(directiveName(line) ?? line).replace(/[`*"“”«»]+/gu, '').trim();
  const words = label.split(' ').slice(0, NAME_WORDS).join(' ').replace(/[\s.,;:!?–—-]+$/u, '');
  const short = truncate(words, NAME_LENGTH);
  const [first = '', ...rest] = Array.from(short);
  // Only a plain word is capitalised: `fooBar` and `src/a.ts` are names.
  return /^\p{Ll}+(?:\s|$)/u.test(short) ? first.toLocaleUpperCase('en') + rest.join('') : short;
}

function directiveName(line: string): string | undefined {
  const directive = parseDirective(line);
  switch (directive?.kind) {
    case 'write':
      return `Write ${directive.file.split(/[/\\]/u).at(-1) ?? ''}`;
    case 'run':
      return `Run ${directive.command}`;
    case 'sleep':
      return `Sleep ${directive.seconds} s`;
    case 'ask':
      return `Ask ${directive.input.question}`;
    case 'call':
      return `Call ${directive.tool}`;
    case 'fail':
      return 'Fail on request';
    case undefined:
      return undefined;
  }
}
