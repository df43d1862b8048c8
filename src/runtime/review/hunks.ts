import { createHash } from 'node:crypto';
import type { Hunk, LineRange } from '../domain/reviews.ts';
import { beforeOf, changesKind, contentOf, presentLines, type Block, type ChangeBlock } from './blocks.ts';
import { isBinary, kindOf, mayFollow, shownLines, shownPlace, type FileLines } from './fileLines.ts';
import { sameLines } from './lineDiff.ts';

/** What an undo makes of a file. */
export interface Undone {
  /** The file afterwards; the very list of `contentOf` where nothing is taken back. */
  readonly lines: FileLines;
  /** Those taken back. */
  readonly undone: readonly Hunk[];
  /** Those that were to be taken back and stay, each with its `conflict`. */
  readonly conflicts: readonly Hunk[];
}

const CHANGED = 'Somebody else has changed these lines since.';
const ADDED = 'Somebody else has added lines to this file since, so it cannot come or go as a whole.';
const GLUED = 'Somebody else has changed the line beside these since: without a line break in between the two would become one.';

/** What is left to decide, from the top of the file to its end. */
export function hunksOf(blocks: readonly Block[]): readonly Hunk[] {
  return entriesOf(blocks).map(({ hunk }) => hunk);
}

/** The file without what the own agents changed and nobody decided on. In a conflict: as it was before their first change of these lines. */
export function withoutOwn(blocks: readonly Block[]): FileLines {
  const lines = blocks.flatMap(beforeOf);
  const marker = contentOf(blocks)[0];
  return lines.length > 0 && kindOf(lines) === undefined && marker !== undefined ? [marker, ...lines] : lines;
}

/** Takes back the hunks of these ids, by default all; everything else stands as it is, and so does each hunk in conflict. Ids that no hunk has do nothing. */
export function undo(blocks: readonly Block[], chosen?: readonly string[]): Undone {
  const wanted = entriesOf(blocks).filter(({ hunk }) => chosen === undefined || chosen.includes(hunk.id));
  const free = wanted.filter(({ hunk }) => hunk.conflict === undefined);
  const conflicts = wanted.filter(({ hunk }) => hunk.conflict !== undefined).map(({ hunk }) => hunk);
  const gone = new Set<Block>(free.map(({ block }) => block));
  const lines = free.length > 0 ? blocks.flatMap((block) => (gone.has(block) ? beforeOf(block) : presentLines(block))) : contentOf(blocks);
  // Each was looked at by itself: what together would be no file of these lines is left alone.
  if (free.length > 0 && !isWhole(lines)) return { lines: contentOf(blocks), undone: [], conflicts: wanted.map(({ hunk }) => ({ ...hunk, conflict: hunk.conflict ?? GLUED })) };
  return { lines, undone: free.map(({ hunk }) => hunk), conflicts };
}

/** The changes with their places in the text. */
export function placedChanges(blocks: readonly Block[]): { readonly block: ChangeBlock; readonly lines: LineRange }[] {
  const content = contentOf(blocks);
  let at = 0;
  return blocks.flatMap((block) => {
    const start = at;
    at += presentLines(block).length;
    return block.kind === 'change' ? [{ block, lines: { start: shownPlace(content, start), end: shownPlace(content, at) } }] : [];
  });
}

function entriesOf(blocks: readonly Block[]): { readonly block: ChangeBlock; readonly hunk: Hunk }[] {
  const seen = new Map<string, number>();
  return placedChanges(blocks).map(({ block, lines }) => {
    const conflict = conflictOf(block, blocks);
    const name = createHash('sha256').update(JSON.stringify([block.before, block.now, conflict ?? '', block.birth])).digest('base64url').slice(0, 16);
    const twins = seen.get(name) ?? 0;
    seen.set(name, twins + 1);
    return { block, hunk: { id: twins === 0 ? name : `${name}-${twins}`, lines, before: shownLines(block.before), now: shownLines(block.now), ...(conflict !== undefined && { conflict }) } };
  });
}

/** Why a change can't be taken back by itself. */
function conflictOf(block: ChangeBlock, blocks: readonly Block[]): string | undefined {
  if (block.locked !== undefined) return block.locked;
  if (!sameLines(block.own, block.now)) return CHANGED;
  if (changesKind(block)) return blocks.length > 1 ? ADDED : undefined;
  const at = blocks.indexOf(block);
  const previous = blocks.slice(0, at).findLast(standsThere);
  const next = blocks.slice(at + 1).find(standsThere);
  const around = [previous && presentLines(previous).at(-1)!, ...block.before.slice(0, 1)];
  const behind = [block.before.at(-1) ?? around[0], next && presentLines(next)[0]!];
  return joins(around[0], around[1]) && joins(behind[0], behind[1]) ? undefined : GLUED;
}

function standsThere(block: Block): boolean {
  return presentLines(block).length > 0;
}

function joins(line: string | undefined, next: string | undefined): boolean {
  return line === undefined || next === undefined || mayFollow(line, next);
}

/** True for lines that make a file which has these lines again. */
function isWhole(lines: FileLines): boolean {
  if (lines.length === 0 || isBinary(lines)) return lines.length === 0 || lines.length === 2;
  return kindOf(lines) !== undefined && lines.every((line, index) => (index === 0 || kindOf([line]) === undefined) && joins(line, lines[index + 1]));
}
