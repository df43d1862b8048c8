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

const MIXED = 'Somebody else had changed these lines before they were changed again.';

/** The blocks after others made the file this. `present`: their content, where it is at hand. */
export function changeByOthers(blocks: readonly Block[], content: FileLines, present = contentOf(blocks)): readonly Block[] {
  const changes = lineChanges(present, content);
  return changes.length > 0 ? settleNew(blocks, applyChanges(blocks, changes, joinForeign)) : blocks;
}

/** The blocks after an own step made the file this. */
export function changeByOwn(blocks: readonly Block[], content: FileLines, write: OwnWrite, present = contentOf(blocks)): readonly Block[] {
  const changes = lineChanges(present, content);
  return changes.length > 0 ? settleNew(blocks, applyChanges(blocks, changes, (hit, lines, at) => joinOwn(hit, lines, write, at))) : blocks;
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

/** What a change met: a row of blocks, perhaps none, and how much of the outermost ones, where they are changes, stands on. */
interface Hit {
  readonly blocks: readonly Block[];
  readonly head: FileLines;
  readonly tail: FileLines;
}

/** The blocks with each change put in place of what it touches. `at`: its place in the lines afterwards. */
function applyChanges(blocks: readonly Block[], changes: readonly LineChange[], put: (hit: Hit, lines: FileLines, at: number) => Block, takesIn = isPutBack): readonly Block[] {
  const result = [...blocks];
  const total = blocks.reduce((sum, block) => sum + presentLines(block).length, 0);
  let shift = changes.reduce((sum, { start, end, lines }) => sum + lines.length - (end - start), 0);
  let [index, from] = [result.length, total];
  // From the end, so that the places of those still to come stay right.
  for (const change of changes.toReversed()) {
    shift -= change.lines.length - (change.end - change.start);
    while (index > 0 && from >= change.start) from -= presentLines(result[--index]!).length;
    const { first, count, leading, trailing, ...hit } = hitBy(change, result, index, from, change.start === 0 && change.end === total, takesIn);
    result.splice(first, count, ...leading, put(hit, change.lines, change.start + shift), ...trailing);
  }
  return result;
}

/**
 * What a change touches: blocks of which it takes lines or into which it puts some. Those on its edge stay as they are;
 * but a block that is a bare place may take lines in. `all`: every block.
 */
function hitBy(change: LineChange, blocks: readonly Block[], index: number, from: number, all: boolean, takesIn: typeof isPutBack): Hit & { first: number; count: number; leading: Block[]; trailing: Block[] } {
  let [first, last, place] = [-1, -1, index];
  let [firstFrom, lastEnd] = [0, 0];
  for (let at = index, start = from; at < blocks.length && start <= change.end; at++) {
    const block = blocks[at]!;
    const end = start + presentLines(block).length;
    if (all || (start < change.end && end > change.start) || (start === end && takesIn(block, change))) {
      if (first < 0) [first, firstFrom] = [at, start];
      [last, lastEnd] = [at, end];
    }
    if (end <= change.start) place = at + 1;
    start = end;
  }
  if (first < 0) return { first: place, count: 0, blocks: [], head: [], tail: [], leading: [], trailing: [] };
  const row = blocks.slice(first, last + 1);
  const [top, bottom] = [row[0]!, row.at(-1)!];
  const head = presentLines(top).slice(0, Math.max(0, change.start - firstFrom));
  const tail = presentLines(bottom).slice(presentLines(bottom).length - Math.max(0, lastEnd - change.end));
  const [leading, trailing]: [Block[], Block[]] = [[], []];
  if (bottom.kind === 'same') {
    row[row.length - 1] = { kind: 'same', lines: bottom.lines.slice(0, bottom.lines.length - tail.length) };
    trailing.push({ kind: 'same', lines: tail });
  }
  if (top.kind === 'same') {
    const rest = row[0]! as { readonly lines: FileLines };
    row[0] = { kind: 'same', lines: rest.lines.slice(head.length) };
    leading.push({ kind: 'same', lines: head });
  }
  return { first, count: last + 1 - first, blocks: row, head: top.kind === 'same' ? [] : head, tail: bottom.kind === 'same' ? [] : tail, leading, trailing };
}

/** True where a bare place gets lines that it knows: somebody puts them back. */
function isPutBack(block: Block, { lines }: LineChange): boolean {
  if (block.kind === 'same') return false;
  const known = new Set([...block.before, ...block.own]);
  return lines.some((line) => known.has(line));
}

/** What others make of the blocks that they touch. */
function joinForeign({ blocks, head, tail }: Hit, lines: FileLines): Block {
  const now = joined([head, lines, tail]);
  const changes = blocks.filter((block) => block.kind === 'change');
  const [top] = changes;
  if (!top) return { kind: 'same', lines: now };
  return { ...top, before: joined(blocks.map(beforeOf)), own: joined(blocks.map((block) => (block.kind === 'same' ? block.lines : block.own))), now, ...shared(changes) };
}

/** What an own step makes of the blocks that it touches: the lines are its own from now on, and can be taken back where nobody else had a part in them. */
function joinOwn({ blocks, head, tail }: Hit, lines: FileLines, { authors, unsure, name }: OwnWrite, at: number): Block {
  const now = joined([head, lines, tail]);
  const changes = blocks.filter((block) => block.kind === 'change');
  const { locked = changes.every(isClean) ? undefined : MIXED, authors: others } = shared(changes);
  return { kind: 'change', before: joined([...blocks.map(beforeOf), foreignIn({ blocks, head, tail })]), own: now, now, authors: union(others, authors), ...lockedBy(unsure ?? locked), birth: `${name}:${at}` };
}

/** Lines that others may have written into a change and that an own step takes away: so that they are known as theirs should they turn up elsewhere. */
function foreignIn({ blocks, head, tail }: Hit): string[] {
  return blocks.flatMap((block, index) => {
    if (block.kind === 'same' || isClean(block)) return [];
    const removed = block.now.slice(index === 0 ? head.length : 0, block.now.length - (index === blocks.length - 1 ? tail.length : 0));
    const known = new Set(block.locked === undefined ? [...block.before, ...block.own] : block.before);
    return removed.filter((line) => !known.has(line));
  });
}
