import { apart, beforeOf, contentOf, isClean, joined, lockedBy, presentLines, shared, tidy, union, type Block } from './blocks.ts';
import type { FileLines } from './fileLines.ts';
import { lineChanges, sameLines, type LineChange } from './lineDiff.ts';

/** An own step as far as blocks are concerned. */
export interface OwnWrite {
  readonly authors: readonly string[];
  readonly unsure?: string;
  /** Names the step. */
  readonly name: string;
}

const MIXED = 'You or somebody else had changed these lines before they were changed again.';

/** The blocks after others made the file this. `present`: their content, where it is at hand. */
export function changeByOthers(blocks: readonly Block[], content: FileLines, present = contentOf(blocks)): readonly Block[] {
  const changes = lineChanges(present, content);
  return changes.length > 0 ? settleNew(blocks, applyChanges(blocks, changes, joinForeign)) : blocks;
}

/** The blocks after an own step made the file this. */
export function changeByOwn(blocks: readonly Block[], content: FileLines, write: OwnWrite, present = contentOf(blocks)): readonly Block[] {
  const changes = lineChanges(present, content);
  return changes.length > 0 ? settleNew(blocks, applyChanges(blocks, changes, (row) => joinOwn(row, write))) : blocks;
}

function settleNew(old: readonly Block[], blocks: readonly Block[]): readonly Block[] {
  const known = new Set(old);
  return tidy(blocks.flatMap((block) => (known.has(block) ? [block] : settle(block))));
}

/** A block taken apart where its lines stand as they did before: first what own steps made of them, then what others did. */
function settle(block: Block): readonly Block[] {
  if (block.kind === 'same') return [block];
  if (block.locked !== undefined) return apart({ ...block, own: block.now });
  const parts = apart({ ...block, now: block.own });
  // Others had a hand in these lines before: what they put at a bare place may well be in place of what stood there.
  const blocks = applyChanges(parts, lineChanges(block.own, block.now), joinForeign, (part, { lines }) => part.kind === 'change' && lines.length > 0);
  return blocks.map((part) => (part.kind === 'change' && sameLines(part.before, part.now) ? { kind: 'same', lines: part.now } : part));
}

/** Changes that meet the same blocks, with all the blocks that they meet, perhaps none. */
interface Row {
  readonly blocks: readonly Block[];
  readonly changes: readonly LineChange[];
  /** Where the blocks begin. */
  readonly from: number;
  /** Where the first of the changes is in the lines afterwards. */
  readonly at: number;
}

type TakesIn = (block: Block, change: LineChange) => boolean;

/** The blocks with each change put in place of what it touches. Time grows with blocks plus changes plus lines: both may be many. */
function applyChanges(blocks: readonly Block[], changes: readonly LineChange[], put: (row: Row) => Block, takesIn: TakesIn = isPutBack): readonly Block[] {
  const pieces = cut(blocks, changes);
  const result: Block[] = [];
  let [index, shift] = [0, 0];
  for (const { first, end, from, changes: met } of rowsOf(pieces, changes, takesIn)) {
    while (index < first) result.push(pieces[index++]!);
    result.push(put({ blocks: pieces.slice(first, end), changes: met, from, at: met[0]!.start + shift }));
    index = end;
    for (const { start, end: last, lines } of met) shift += lines.length - (last - start);
  }
  while (index < pieces.length) result.push(pieces[index++]!);
  return result;
}

/** The blocks with lines that nobody changed apart where a change begins or ends: each piece of them is touched as a whole or not at all. */
function cut(blocks: readonly Block[], changes: readonly LineChange[]): readonly Block[] {
  const places = changes.flatMap(({ start, end }) => [start, end]);
  const pieces: Block[] = [];
  let [next, start] = [0, 0];
  for (const block of blocks) {
    const end = start + presentLines(block).length;
    let from = start;
    for (; next < places.length && places[next]! < end; next++) {
      const place = places[next]!;
      if (block.kind !== 'same' || place <= from) continue;
      pieces.push({ kind: 'same', lines: block.lines.slice(from - start, place - start) });
      from = place;
    }
    pieces.push(block.kind === 'same' && from > start ? { kind: 'same', lines: block.lines.slice(from - start) } : block);
    start = end;
  }
  return pieces;
}

/** A row by the indices of its blocks; where it has none, `first` is the one that it is put before. */
interface Met {
  readonly first: number;
  end: number;
  readonly from: number;
  readonly changes: LineChange[];
}

/**
 * What the changes touch: blocks of which they take lines or into which they put some. Those on the edge of a change
 * stay as they are; but a block that is a bare place may take lines in.
 */
function rowsOf(pieces: readonly Block[], changes: readonly LineChange[], takesIn: TakesIn): readonly Met[] {
  const total = pieces.reduce((sum, block) => sum + presentLines(block).length, 0);
  if (changes.length === 1 && changes[0]!.start === 0 && changes[0]!.end === total) return [{ first: 0, end: pieces.length, from: 0, changes: [...changes] }];
  const rows: Met[] = [];
  let [index, top] = [0, 0];
  for (const change of changes) {
    for (; index < pieces.length && top + presentLines(pieces[index]!).length < change.start; index++) top += presentLines(pieces[index]!).length;
    const met = metBy(change, pieces, index, top, takesIn);
    const last = rows.at(-1);
    if (last && met.first < last.end) {
      last.end = Math.max(last.end, met.end);
      last.changes.push(change);
    } else rows.push(met);
  }
  return rows;
}

/** @param from the index of the first piece that doesn't end above the change; it begins at the line `top` */
function metBy(change: LineChange, pieces: readonly Block[], from: number, top: number, takesIn: TakesIn): Met {
  let met: Met | undefined;
  let place = from;
  for (let index = from, start = top; index < pieces.length && start <= change.end; index++) {
    const block = pieces[index]!;
    const end = start + presentLines(block).length;
    if ((start < change.end && end > change.start) || (start === end && takesIn(block, change))) {
      met ??= { first: index, end: index, from: start, changes: [change] };
      met.end = index + 1;
    }
    if (end <= change.start) place = index + 1;
    start = end;
  }
  return met ?? { first: place, end: place, from: change.start, changes: [change] };
}

/** True where a bare place gets lines that it knows: somebody puts them back. */
function isPutBack(block: Block, { lines }: LineChange): boolean {
  if (block.kind === 'same') return false;
  const known = new Set([...block.before, ...block.own]);
  return lines.some((line) => known.has(line));
}

/** What others make of the blocks that they touch. */
function joinForeign(row: Row): Block {
  const { blocks } = row;
  const changes = blocks.filter((block) => block.kind === 'change');
  const now = changed(row);
  const [top] = changes;
  if (!top) return { kind: 'same', lines: now };
  return { ...top, before: joined(blocks.map(beforeOf)), own: joined(blocks.map((block) => (block.kind === 'same' ? block.lines : block.own))), now, ...shared(changes) };
}

/** What an own step makes of the blocks that it touches: the lines are its own from now on, and can be taken back where nobody else had a part in them. */
function joinOwn(row: Row, { authors, unsure, name }: OwnWrite): Block {
  const { blocks, at } = row;
  const now = changed(row);
  const changes = blocks.filter((block) => block.kind === 'change');
  const { locked = changes.every(isClean) ? undefined : MIXED, authors: others } = shared(changes);
  return { kind: 'change', before: joined([...blocks.map(beforeOf), ...foreignIn(row)]), own: now, now, authors: union(others, authors), ...lockedBy(unsure ?? locked), birth: `${name}:${at}` };
}

/** What stands in the blocks after the changes. */
function changed({ blocks, changes, from }: Row): FileLines {
  const present = joined(blocks.map(presentLines));
  const parts: FileLines[] = [];
  let done = 0;
  for (const { start, end, lines } of changes) {
    parts.push(present.slice(done, start - from), lines);
    done = end - from;
  }
  return joined([...parts, present.slice(done)]);
}

/** Lines that others may have written into a change and that an own step takes away: so that they are known as theirs should they turn up elsewhere. */
function foreignIn({ blocks, changes, from }: Row): readonly FileLines[] {
  const removed = changes.map((): string[] => []);
  let [next, start] = [0, from];
  for (const block of blocks) {
    const end = start + presentLines(block).length;
    while (next < changes.length && changes[next]!.end <= start) next++;
    if (block.kind === 'change' && !isClean(block)) {
      const known = new Set(block.locked === undefined ? [...block.before, ...block.own] : block.before);
      for (let index = next; index < changes.length && changes[index]!.start < end; index++) {
        const change = changes[index]!;
        for (let line = Math.max(start, change.start); line < Math.min(end, change.end); line++) {
          const text = block.now[line - start]!;
          if (!known.has(text)) removed[index]!.push(text);
        }
      }
    }
    start = end;
  }
  return removed.reverse();
}
