import { createHash } from 'node:crypto';
import type { Hunk, LineRange } from '../domain/reviews.ts';
import { beforeOf, contentOf, isClean, joined, presentLines, type Block, type ChangeBlock } from './blocks.ts';
import { isBinary, kindOf, mayFollow, shownLines, shownPlace, type FileLines } from './fileLines.ts';

/** What an undo makes of a file. */
export interface Undone {
  /** The file afterwards; the very list of `contentOf` where nothing is taken back. */
  readonly lines: FileLines;
  /** Those taken back. */
  readonly undone: readonly Hunk[];
  /** Those that were to be taken back and stay, each with its `conflict`. */
  readonly conflicts: readonly Hunk[];
}

const CHANGED = 'You or somebody else changed these lines since.';
const ADDED = 'You or somebody else added lines to this file since, so it cannot come or go as a whole.';
const MOVED = 'Some of these lines were moved here from where you or somebody else changed lines since: taken back here, they would be gone.';
const GLUED = 'You or somebody else changed the lines beside these since: without a line break in between, two would become one.';

/** What is left to decide, from the top of the file to its end. */
export function hunksOf(blocks: readonly Block[]): readonly Hunk[] {
  return entriesOf(blocks).map(({ hunk }) => hunk);
}

/** The file without what the own agents changed and nobody decided on. In a conflict: as it was before their first change of these lines. */
export function withoutOwn(blocks: readonly Block[]): FileLines {
  const lines = joined(blocks.map(beforeOf));
  const marker = contentOf(blocks)[0];
  return lines.length > 0 && kindOf(lines) === undefined && marker !== undefined ? [marker, ...lines] : lines;
}

/** Takes back the hunks of these ids, by default all; everything else stands as it is, and so does each hunk in conflict. Ids that no hunk has do nothing. */
export function undo(blocks: readonly Block[], chosen?: readonly string[]): Undone {
  const ids = chosen && new Set(chosen);
  const wanted = entriesOf(blocks).filter(({ hunk }) => ids === undefined || ids.has(hunk.id));
  const free = wanted.filter(({ hunk }) => hunk.conflict === undefined);
  const conflicts = wanted.filter(({ hunk }) => hunk.conflict !== undefined).map(({ hunk }) => hunk);
  const gone = new Set<Block>(free.map(({ block }) => block));
  const lines = free.length > 0 ? joined(blocks.map((block) => (gone.has(block) ? beforeOf(block) : presentLines(block)))) : contentOf(blocks);
  // Each was looked at by itself: what together would be no file of these lines is left alone.
  if (free.length > 0 && !isFile(lines)) return { lines: contentOf(blocks), undone: [], conflicts: wanted.map(({ hunk }) => ({ ...hunk, conflict: hunk.conflict ?? GLUED })) };
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
  const conflicts = conflictsOf(blocks);
  const seen = new Map<string, number>();
  return placedChanges(blocks).map(({ block, lines }) => {
    const conflict = conflicts.get(block);
    const name = createHash('sha256').update(JSON.stringify([block.before, block.now, conflict ?? '', block.birth])).digest('base64url').slice(0, 16);
    const twins = seen.get(name) ?? 0;
    seen.set(name, twins + 1);
    return { block, hunk: { id: twins === 0 ? name : `${name}-${twins}`, lines, before: shownLines(block.before), now: shownLines(block.now), ...(conflict !== undefined && { conflict }) } };
  });
}

/** Why changes can't be taken back, of those that can't. */
export function conflictsOf(blocks: readonly Block[]): ReadonlyMap<Block, string> {
  const conflicts = new Map<Block, string>();
  const [above, below] = [standingBeside(blocks), standingBeside(blocks.toReversed()).reverse()];
  blocks.forEach((block, at) => {
    const why = block.kind === 'change' ? conflictOf(block, above[at] && presentLines(above[at]).at(-1), below[at] && presentLines(below[at])[0]) : undefined;
    if (why !== undefined) conflicts.set(block, why);
  });
  if (conflicts.size > 0) addMoved(blocks, conflicts);
  return conflicts;
}

/** What stays may keep more from going: adds changes that hold lines which would be nowhere without them, until no more are found. */
function addMoved(blocks: readonly Block[], conflicts: Map<Block, string>): void {
  const left = new Map<string, number>();
  const count = (lines: FileLines, by: number): void => {
    for (const line of lines) left.set(line, (left.get(line) ?? 0) + by);
  };
  const holders = new Map<string, Block[]>();
  for (const block of blocks) {
    count(conflicts.has(block) ? presentLines(block) : beforeOf(block), 1);
    if (block.kind === 'change' && !conflicts.has(block)) for (const line of block.now) addTo(holders, line, block);
  }
  for (let added = [...conflicts.keys()]; added.length > 0; ) {
    const lost = new Set(added.flatMap(beforeOf).filter((line) => (left.get(line) ?? 0) === 0));
    added = [...new Set([...lost].flatMap((line) => holders.get(line) ?? []))].filter((block) => !conflicts.has(block));
    for (const block of added) {
      conflicts.set(block, MOVED);
      count(beforeOf(block), -1);
      count(presentLines(block), 1);
    }
  }
}

function addTo(holders: Map<string, Block[]>, line: string, block: Block): void {
  const there = holders.get(line);
  if (there) there.push(block);
  else holders.set(line, [block]);
}

/** For each block the nearest one before it that has lines. */
function standingBeside(blocks: readonly Block[]): (Block | undefined)[] {
  let last: Block | undefined;
  return blocks.map((block) => {
    const beside = last;
    if (presentLines(block).length > 0) last = block;
    return beside;
  });
}

/** Why a change can't be taken back by itself. `above` and `below`: the lines that stand beside it. */
function conflictOf(block: ChangeBlock, above: string | undefined, below: string | undefined): string | undefined {
  if (block.locked !== undefined) return block.locked;
  if (!isClean(block)) return CHANGED;
  const first = block.before[0] ?? below;
  // On top there is the marker, of the kind that all lines below it are of.
  if (above === undefined && first !== undefined && (kindOf([first]) === undefined || (below !== undefined && kindOf([first]) !== kindOf(block.now)))) return ADDED;
  const isWhole = block.before.every((line, index) => joins(line, block.before[index + 1] ?? below));
  return isWhole && joins(above, first) ? undefined : GLUED;
}

function joins(line: string | undefined, next: string | undefined): boolean {
  return line === undefined || next === undefined || mayFollow(line, next);
}

/** True for lines that make a file which has these lines again. */
function isFile(lines: FileLines): boolean {
  if (lines.length === 0 || isBinary(lines)) return lines.length === 0 || lines.length === 2;
  return kindOf(lines) !== undefined && lines.every((line, index) => (index === 0 || kindOf([line]) === undefined) && joins(line, lines[index + 1]));
}
