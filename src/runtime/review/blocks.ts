import { kindOf, mayFollow, shownLines, type FileLines } from './fileLines.ts';
import { lineChanges, sameLines } from './lineDiff.ts';

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

/** What stands in the file. */
export function contentOf(blocks: readonly Block[]): FileLines {
  return joined(blocks.map(presentLines));
}

export function presentLines(block: Block): FileLines {
  return block.kind === 'same' ? block.lines : block.now;
}

export function beforeOf(block: Block): FileLines {
  return block.kind === 'same' ? block.lines : block.before;
}

/** True where what stands there is what own steps alone made of it. */
export function isClean(block: ChangeBlock): boolean {
  return block.locked === undefined && sameLines(block.own, block.now);
}

/** The lists behind each other. However many there are: as arguments of one call they would be too many. */
export function joined(lists: readonly FileLines[]): FileLines {
  const all: string[] = [];
  for (const list of lists) for (const line of list) all.push(line);
  return all;
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
    if (run.length > 0) result.push({ kind: 'same', lines: run.length === 1 ? run[0]! : joined(run) });
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

/**
 * The blocks after changes side by side became one, as they look like one; those of several authors only where they
 * can't be taken back one without the other. A change in conflict stays by itself, but where both are the same bare
 * place, for then no decision could tell them apart.
 */
function joinNeighbours(blocks: readonly Block[]): readonly Block[] {
  const result: Block[] = [];
  for (const block of joinRuns(blocks)) {
    const last = result.at(-1);
    if (last?.kind !== 'change' || block.kind !== 'change' || !areOne(last, block)) {
      result.push(block);
      continue;
    }
    result.pop();
    const one = oneOf([last, block]);
    for (const part of isClean(last) && isClean(block) ? apart(one) : [one]) result.push(part);
  }
  return result;
}

/** The blocks with clean changes of the same authors side by side joined, all at once: there may be as many as lines. */
function joinRuns(blocks: readonly Block[]): readonly Block[] {
  const result: Block[] = [];
  let run: ChangeBlock[] = [];
  const close = (): void => {
    if (run.length > 1) for (const part of apart(oneOf(run))) result.push(part);
    else for (const block of run) result.push(block);
    run = [];
  };
  for (const block of blocks) {
    const isPart = block.kind === 'change' && isClean(block);
    if (!isPart || (run.length > 0 && !sameLines(run[0]!.authors, block.authors))) close();
    if (isPart) run.push(block);
    else result.push(block);
  }
  close();
  return result;
}

function areOne(last: ChangeBlock, block: ChangeBlock): boolean {
  if (isClean(last) && isClean(block)) return sameLines(last.authors, block.authors) || !areSeparate(last, block);
  return shownLines(last.now).length === 0 && shownLines(block.now).length === 0 && last.authors.some((author) => block.authors.includes(author));
}

function oneOf(changes: readonly ChangeBlock[]): ChangeBlock {
  const side = (of: (block: ChangeBlock) => FileLines): FileLines => joined(changes.map(of));
  return { ...changes[0]!, before: side(({ before }) => before), own: side(({ own }) => own), now: side(({ now }) => now), ...shared(changes) };
}

function areSeparate(block: ChangeBlock, next: ChangeBlock): boolean {
  if (changesKind(block) || changesKind(next)) return false;
  return [block.before, block.now].every((lines) => [next.before, next.now].every((others) => lines.length === 0 || others.length === 0 || mayFollow(lines.at(-1)!, others[0]!)));
}

/** True where the file came, went, or became one of another kind. */
function changesKind({ before, now }: ChangeBlock): boolean {
  return kindOf(before) !== kindOf(now);
}

/** A block in which nobody changed own lines as one block for each change of a line. */
export function apart(block: ChangeBlock): readonly Block[] {
  const parts: Block[] = [];
  let at = 0;
  for (const { start, end, lines } of lineChanges(block.before, block.now)) {
    parts.push({ kind: 'same', lines: block.before.slice(at, start) }, { ...block, before: block.before.slice(start, end), own: lines, now: lines });
    at = end;
  }
  return joinSame([...parts, { kind: 'same', lines: block.before.slice(at) }]);
}

/** What blocks have in common that become one. */
export function shared(changes: readonly ChangeBlock[]): { readonly authors: readonly string[]; readonly locked?: string } {
  return { authors: union(changes.flatMap(({ authors }) => authors), []), ...lockedBy(changes.find(({ locked }) => locked !== undefined)?.locked) };
}

export function lockedBy(locked: string | undefined): { readonly locked?: string } {
  return locked === undefined ? {} : { locked };
}

export function union(some: readonly string[], others: readonly string[]): readonly string[] {
  return [...new Set([...some, ...others])].sort();
}
