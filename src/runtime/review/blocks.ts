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

/** Far faster than flattening, and files are long. */
export function joined(lists: readonly FileLines[]): FileLines {
  return ([] as string[]).concat(...lists);
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
  for (const block of blocks) {
    const last = result.at(-1);
    if (last?.kind !== 'change' || block.kind !== 'change') {
      result.push(block);
      continue;
    }
    const areClean = isClean(last) && isClean(block);
    const isPlace = shownLines([...last.now, ...block.now]).length === 0 && last.authors.some((author) => block.authors.includes(author));
    const isOne = areClean ? sameLines(last.authors, block.authors) || !areSeparate(last, block) : isPlace;
    if (!isOne) {
      result.push(block);
      continue;
    }
    const one = { ...last, before: joined([last.before, block.before]), own: joined([last.own, block.own]), now: joined([last.now, block.now]), ...shared([last, block]) };
    result.splice(-1, 1, ...(areClean ? apart(one) : [one]));
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
  return { authors: changes.reduce<readonly string[]>((all, { authors }) => union(all, authors), []), ...lockedBy(changes.find(({ locked }) => locked !== undefined)?.locked) };
}

export function lockedBy(locked: string | undefined): { readonly locked?: string } {
  return locked === undefined ? {} : { locked };
}

export function union(some: readonly string[], others: readonly string[]): readonly string[] {
  return [...new Set([...some, ...others])].sort();
}
