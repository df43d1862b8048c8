import { truncate } from '../base/text.ts';
import { lineAt } from './editText.ts';

/** Lines that are looked through; a hint isn't worth more time. */
const MAX_LINES = 50_000;
const MAX_SHOWN = 600;
/** Share of common character pairs from which a line counts as similar. */
const SIMILAR = 0.5;

/**
 * Why a text may not have been found, and what stands nearest to it. All texts with `\n` as line end.
 * @returns one or two sentences for the model; `''` where nothing resembles it.
 */
export function nearestHint(text: string, oldString: string, newString: string): string {
  const unnumbered = oldString.replace(/^ *\d+\t/gm, '');
  if (unnumbered !== oldString && text.includes(unnumbered)) return 'It is there without the line numbers: leave out the numbers and tabs that Read puts before each line.';
  const lines = text.split('\n', MAX_LINES);
  const folded = foldedRun(lines, oldString);
  if (folded) return `The text at line ${folded.line} differs only in white space, quotes or look-alike characters. It stands there exactly as:\n${truncate(folded.exact, MAX_SHOWN)}`;
  if (newString.trim() !== '' && text.includes(newString)) return `The new text is already there, at line ${lineAt(text, text.indexOf(newString))}: the change may have been made before.`;
  const similar = similarLine(lines, oldString);
  return similar ? `The most similar line is ${similar.line}:\n${truncate(similar.exact, MAX_SHOWN)}` : '';
}

interface Found {
  /** From 1. */
  readonly line: number;
  readonly exact: string;
}

function foldedRun(lines: readonly string[], wanted: string): Found | undefined {
  const folded = lines.map(fold);
  const target = wanted.split('\n').map(fold);
  while (target.at(-1) === '') target.pop();
  while (target[0] === '') target.shift();
  if (target.length === 0) return undefined;
  const start = folded.findIndex((_, index) => target.every((line, below) => folded[index + below] === line));
  return start === -1 ? undefined : { line: start + 1, exact: lines.slice(start, start + target.length).join('\n') };
}

/** What a model tends to change unawares, made equal. */
function fold(line: string): string {
  return line.normalize('NFKC').replace(/[‘’‚‛]/g, "'").replace(/[“”„‟]/g, '"').replace(/[‐-―−]/g, '-').replace(/\s+/g, ' ').trim();
}

function similarLine(lines: readonly string[], wanted: string): Found | undefined {
  const longest = wanted.split('\n').reduce((best, line) => (line.trim().length > best.trim().length ? line : best), '');
  const pairs = pairsOf(longest);
  let best: Found | undefined;
  let bestScore = SIMILAR;
  for (const [index, line] of lines.entries()) {
    const score = likeness(pairs, pairsOf(line));
    if (score <= bestScore) continue;
    bestScore = score;
    best = { line: index + 1, exact: line };
  }
  return best;
}

function pairsOf(line: string): Set<string> {
  const folded = truncate(fold(line), 300);
  return new Set(Array.from({ length: Math.max(folded.length - 1, 0) }, (_, index) => folded.slice(index, index + 2)));
}

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const pair of a) if (b.has(pair)) common++;
  return a.size + b.size === 0 ? 0 : (2 * common) / (a.size + b.size);
}
