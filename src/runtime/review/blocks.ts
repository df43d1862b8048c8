import { kindOf, mayFollow, type FileLines } from './fileLines.ts';
import { lineChanges, sameLines, type LineChange } from './lineDiff.ts';

/** Lines that own steps brought about, or took away, and that nobody has decided on. */
export interface ChangeBlock {
  readonly kind: 'change';
  /** What would stand there without the own steps. */
  readonly before: FileLines;
  /** What the last own step left there. */
  readonly own: FileLines;
  /** What stands there. */
  readonly now: FileLines;
  /** The own agents that had a part in it and whose part nobody has decided on. */
  readonly authors: readonly string[];
  /** Why it can't be taken back, whatever stands there, in a sentence. */
  readonly locked?: string;
  /** Tells it from others of the same lines, as long as it stays. */
  readonly birth: string;
}

/** A piece of a file as it stands now. */
export type Block = { readonly kind: 'same'; readonly lines: FileLines } | ChangeBlock;

/** An own step as far as blocks are concerned. */
export interface OwnWrite {
  readonly authors: readonly string[];
  readonly unsure?: string;
  /** Names the step. */
  readonly name: string;
}

const MIXED = 'Somebody else had changed these lines before they were changed again.';

/** What stands in the file. */
export function contentOf(blocks: readonly Block[]): FileLines {
  return blocks.flatMap(presentLines);
}

export function presentLines(block: Block): FileLines {
  return block.kind === 'same' ? block.lines : block.now;
}

/** True where what stands there is what own steps alone made of it. */
export function isClean(block: ChangeBlock): boolean {
  return block.locked === undefined && sameLines(block.own, block.now);
}

/** The blocks after others made the file this. */
export function changeByOthers(blocks: readonly Block[], content: FileLines): readonly Block[] {
  const changes = lineChanges(contentOf(blocks), content);
  return changes.length > 0 ? settleNew(blocks, applyChanges(blocks, changes, joinForeign)) : blocks;
}

/** The blocks after an own step made the file this. */
export function changeByOwn(blocks: readonly Block[], content: FileLines, write: OwnWrite): readonly Block[] {
  const changes = lineChanges(contentOf(blocks), content);
  return changes.length > 0 ? settleNew(blocks, applyChanges(blocks, changes, (hit, lines, at) => joinOwn(hit, lines, write, at))) : blocks;
}

function settleNew(old: readonly Block[], blocks: readonly Block[]): readonly Block[] {
  const known = new Set(old);
  return tidy(blocks.flatMap((block) => (known.has(block) ? [block] : settle(block))));
}

/** The blocks with neighbours joined that are one. */
export function tidy(blocks: readonly Block[]): readonly Block[] {
  return joinSame(joinNeighbours(joinSame(blocks)));
}

/** The blocks with lines side by side that nobody changed as one, and none without lines. */
function joinSame(blocks: readonly Block[]): readonly Block[] {
  const result: Block[] = [];
  let run: FileLines[] = [];
  const close = (): void => {
    if (run.length > 0) result.push({ kind: 'same', lines: run.length === 1 ? run[0]! : run.flat() });
    run = [];
  };
  for (const block of blocks) {
    if (block.kind === 'same') {
      if (block.lines.length > 0) run.push(block.lines);
      continue;
    }
    close();
    result.push(block);
  }
  close();
  return result;
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
  return block.kind === 'change' && lines.some((line) => block.before.includes(line) || block.own.includes(line));
}

/** What others make of the blocks that they touch. */
function joinForeign({ blocks, head, tail }: Hit, lines: FileLines): Block {
  const now = [...head, ...lines, ...tail];
  const changes = blocks.filter((block) => block.kind === 'change');
  const [top] = changes;
  if (!top) return { kind: 'same', lines: now };
  return { ...top, before: blocks.flatMap(beforeOf), own: blocks.flatMap((block) => (block.kind === 'same' ? block.lines : block.own)), now, ...shared(changes) };
}

/** What an own step makes of the blocks that it touches: the lines are its own from now on, and can be taken back where nobody else had a part in them. */
function joinOwn({ blocks, head, tail }: Hit, lines: FileLines, { authors, unsure, name }: OwnWrite, at: number): Block {
  const now = [...head, ...lines, ...tail];
  const changes = blocks.filter((block) => block.kind === 'change');
  const { locked = changes.every(isClean) ? undefined : MIXED, authors: others } = shared(changes);
  return { kind: 'change', before: [...blocks.flatMap(beforeOf), ...foreignIn({ blocks, head, tail })], own: now, now, authors: union(others, authors), ...lockedBy(unsure ?? locked), birth: `${name}:${at}` };
}

/** Lines that others may have written into a change and that an own step takes away: so that they are known as theirs should they turn up elsewhere. */
function foreignIn({ blocks, head, tail }: Hit): string[] {
  return blocks.flatMap((block, index) => {
    if (block.kind === 'same' || isClean(block)) return [];
    const removed = block.now.slice(index === 0 ? head.length : 0, block.now.length - (index === blocks.length - 1 ? tail.length : 0));
    return removed.filter((line) => !block.before.includes(line) && (block.locked !== undefined || !block.own.includes(line)));
  });
}

/**
 * The blocks after changes side by side became one, as they look like one; those of several authors only where they
 * can't be taken back one without the other. A change in conflict stays by itself, but where both are the same bare
 * place, for then no decision could tell them apart.
 */
function joinNeighbours(blocks: readonly Block[]): readonly Block[] {
  const result: Block[] = [];
  for (const block of blocks) {
    const last = result.at(-1);
    if (last?.kind !== 'change' || block.kind !== 'change') {
      result.push(block);
      continue;
    }
    const areClean = isClean(last) && isClean(block);
    const isPlace = last.now.length + block.now.length === 0 && last.authors.some((author) => block.authors.includes(author));
    const isOne = areClean ? sameLines(last.authors, block.authors) || !areSeparate(last, block) : isPlace;
    if (!isOne) {
      result.push(block);
      continue;
    }
    const joined = { ...last, before: [...last.before, ...block.before], own: [...last.own, ...block.own], now: [...last.now, ...block.now], ...shared([last, block]) };
    result.splice(-1, 1, ...(areClean ? apart(joined) : [joined]));
  }
  return result;
}

function areSeparate(block: ChangeBlock, next: ChangeBlock): boolean {
  if (changesKind(block) || changesKind(next)) return false;
  return [block.before, block.now].every((lines) => [next.before, next.now].every((others) => lines.length === 0 || others.length === 0 || mayFollow(lines.at(-1)!, others[0]!)));
}

/** True where the file came, went, or became one of another kind. */
function changesKind({ before, now }: ChangeBlock): boolean {
  return kindOf(before) !== kindOf(now);
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

/** A block in which nobody changed own lines as one block for each change of a line. */
function apart(block: ChangeBlock): readonly Block[] {
  const parts: Block[] = [];
  let at = 0;
  for (const { start, end, lines } of lineChanges(block.before, block.now)) {
    parts.push({ kind: 'same', lines: block.before.slice(at, start) }, { ...block, before: block.before.slice(start, end), own: lines, now: lines });
    at = end;
  }
  return joinSame([...parts, { kind: 'same', lines: block.before.slice(at) }]);
}

export function beforeOf(block: Block): FileLines {
  return block.kind === 'same' ? block.lines : block.before;
}

/** What blocks have in common that become one. */
function shared(changes: readonly ChangeBlock[]): { readonly authors: readonly string[]; readonly locked?: string } {
  return { authors: changes.reduce<readonly string[]>((all, { authors }) => union(all, authors), []), ...lockedBy(changes.find(({ locked }) => locked !== undefined)?.locked) };
}

function lockedBy(locked: string | undefined): { readonly locked?: string } {
  return locked === undefined ? {} : { locked };
}

function union(some: readonly string[], others: readonly string[]): readonly string[] {
  return [...new Set([...some, ...others])].sort();
}
