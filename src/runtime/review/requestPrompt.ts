import { relative, sep } from 'node:path';
import { truncate } from '../base/text.ts';
import type { LineRange } from '../domain/reviews.ts';

/** Of each quote: more would say nothing that the child can't read in the file. */
const MAX_QUOTED_LINES = 40;
const MAX_LINE = 300;

/** A comment as the child is to read it. */
export interface PlacedComment {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
  /** In the file as it stands; absent where the lines are gone. */
  readonly lines?: LineRange;
  /** The lines that it is on, without their ends, as they stand or, where they are gone, stood. */
  readonly quoted: readonly string[];
}

/**
 * What a child is told when a reviewer wants changes. What the reviewer wrote and what is quoted of files stands in
 * fences that nothing in it can close.
 * @param cwd the child's folder, where it is known: files in it are named from there
 */
export function requestPrompt(text: string, comments: readonly PlacedComment[], cwd: string | undefined): string {
  const words = text.trim();
  return [
    'A person has reviewed what you did and asks you to change it.',
    ...(words === '' ? [] : ['What they say:', fenced(words)]),
    ...comments.flatMap((comment, index) => commentParts(comment, index + 1, cwd)),
    `Read the files again before you change them: others may have edited them since. Then make these changes and report what you did.`,
    ...(comments.length === 0 ? [] : [answerForm(comments.length)]),
  ].join('\n\n');
}

function commentParts({ path, lines, quoted, text }: PlacedComment, number: number, cwd: string | undefined): readonly string[] {
  const file = nameOf(path, cwd);
  const quote = quoted.length === 0 ? [] : [fenced(cut(quoted).join('\n'))];
  if (!lines) return [`Comment ${number}, on lines of ${file} that have been removed or changed since${quote.length > 0 ? '; they said:' : '.'}`, ...quote, 'They say of it:', fenced(text.trim())];
  return [`Comment ${number}, on ${placeOf(lines)} of ${file}${quote.length > 0 ? ', which says now:' : '.'}`, ...quote, 'They say of it:', fenced(text.trim())];
}

function answerForm(count: number): string {
  const headings = Array.from({ length: Math.min(count, 2) }, (_, index) => `\`Comment ${index + 1}:\``).join(' and ');
  return `At the end of your last message answer each comment in a few words, in a paragraph of its own that starts with its number: ${headings}${count > 2 ? ', and so on' : ''}.`;
}

/** People and models count lines from 1. */
function placeOf({ start, end }: LineRange): string {
  if (end <= start) return start === 0 ? 'the top' : `the place after line ${start}`;
  return end === start + 1 ? `line ${end}` : `lines ${start + 1} to ${end}`;
}

/** A path is a name that anybody may have given: on one line, in quotes that it can't close. */
function nameOf(path: string, cwd: string | undefined): string {
  const inside = cwd === undefined ? '' : relative(cwd, path);
  const isInside = inside !== '' && inside !== '..' && !inside.startsWith(`..${sep}`) && inside !== path;
  // Breaks and invisible characters that JSON leaves as they are, too.
  return JSON.stringify(isInside ? inside : path).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped);
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`).join('');
}

function cut(lines: readonly string[]): readonly string[] {
  const shown = lines.slice(0, MAX_QUOTED_LINES).map((line) => truncate(line, MAX_LINE));
  const rest = lines.length - shown.length;
  return rest === 0 ? shown : [...shown, `[${rest} more ${rest === 1 ? 'line' : 'lines'}]`];
}

/** In a fence longer than any in the text. */
function fenced(text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
