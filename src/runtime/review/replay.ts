import type { LineRange } from '../domain/reviews.ts';
import { changeByOthers, changeByOwn } from './applyStep.ts';
import { contentOf, tidy, type Block, type ChangeBlock } from './blocks.ts';
import { countShown, isBinary, type FileLines } from './fileLines.ts';
import { conflictsOf, placedChanges } from './hunks.ts';
import { sameLines } from './lineDiff.ts';

/** What happened to a file, in order. Where the contents of two steps don't meet, others changed it in between. */
export type Step<Content = FileLines> =
  /** Somebody wrote it. `by`: the children that may have, none for others; `unsure`: why it may have been somebody else, in a sentence; `isOneOf`: it was one of `by` for certain. */
  | { readonly kind: 'write'; readonly by: readonly string[]; readonly before: Content; readonly after: Content; readonly unsure?: string; readonly isOneOf?: boolean }
  /** A person decided on changes of these children. `content`: what stood there then, to which `lines` belong. `isAttempt`: an undo of which only what stands there afterwards can tell whether it took place. */
  | { readonly kind: 'decision'; readonly by: readonly string[]; readonly verdict: 'accepted' | 'undone'; readonly content: Content; readonly lines: 'all' | readonly LineRange[]; readonly isAttempt?: true }
  /** It was found like this. */
  | { readonly kind: 'seen'; readonly content: Content };

export type Decision = Extract<Step, { kind: 'decision' }>;

/** Says which agents' changes are looked at: one child's, or those of a group. */
export type IsOwn = (agentId: string) => boolean;

const PARTLY_DECIDED = 'Some of these lines were accepted already.';

/** What is known of own changes after all steps. */
export interface Replayed {
  readonly blocks: readonly Block[];
  /** Lines that the own agents added and removed in all, decided or not: what is left of their changes at the time of their last one, or was when it was decided. */
  readonly added: number;
  readonly removed: number;
  /** Whether the file was binary before or after one of the own steps. */
  readonly isBinary: boolean;
  /** What was decided on own changes; not what came to nothing. */
  readonly verdicts: ReadonlySet<Decision['verdict']>;
}

/**
 * What of a file, as the last step left it, is the own agents' and not decided yet. Steps are added one after the other,
 * and none is kept: a file may have many long versions. Time grows with steps times lines.
 *
 * Say a file has the lines `a b c d`. Child A makes it `a X c d`, and then a person makes it `a X c Y`. For A there are
 * `a` as it was, a change of `b` to `X`, and `c Y` as others have it: without A the file would be `a b c Y`, and that is
 * what an undo makes of it. Now the person changes `X` to `X2`. What A left there is not what stands there any more: the
 * change is in conflict, and an undo leaves it alone. When the person puts `X` back, it is as before. When A itself
 * changes `X2` to `Z`, nobody can tell any more whose line that is, and the change stays in conflict until it is
 * accepted. For B the same steps give no change at all, and for a group of both what A alone did.
 */
export class Replay {
  readonly #isOwn: IsOwn;
  readonly #verdicts = new Set<Decision['verdict']>();
  #blocks: readonly Block[] | undefined;
  /** What the blocks hold, where it is at hand. */
  #content: FileLines | undefined;
  #pending: Decision | undefined;
  /** Names of the changes that an undo would have taken back. */
  #attempted: ReadonlySet<string> | undefined;
  #writes = 0;
  #isBinary = false;
  #decided = NO_LINES;
  #counted = NO_LINES;

  constructor(isOwn: IsOwn) {
    this.#isOwn = isOwn;
  }

  add(step: Step): void {
    const found = foundBy(step);
    this.#settlePending(found);
    this.#blocks = this.#blocks ? changeByOthers(this.#blocks, found, this.#content) : tidy([{ kind: 'same', lines: found }]);
    this.#content = found;
    this.#settleAttempt(this.#blocks);
    if (step.kind === 'seen') return;
    const authors = step.by.filter(this.#isOwn);
    if (step.kind === 'decision') {
      if (authors.length === 0) return;
      if (step.isAttempt) this.#attempted = new Set(decide(this.#blocks, { ...step, by: authors }).decided.map(nameOf));
      else this.#pending = { ...step, by: authors };
      return;
    }
    this.#content = step.after;
    if (authors.length === 0) {
      this.#blocks = changeByOthers(this.#blocks, step.after, found);
      return;
    }
    // Which of them it was doesn't matter where all are looked at as one.
    const isSure = step.unsure === undefined || (step.isOneOf === true && authors.length === step.by.length);
    this.#blocks = changeByOwn(this.#blocks, step.after, { authors, name: String(++this.#writes), ...(!isSure && { unsure: step.unsure }) }, found);
    this.#isBinary ||= isBinary(step.before) || isBinary(step.after);
    this.#counted = this.#blocks.reduce((sum, block) => (block.kind === 'change' ? plus(sum, block) : sum), this.#decided);
  }

  /** After the last step. */
  end(): Replayed {
    this.#settlePending(undefined);
    return { blocks: this.#blocks ?? [], ...this.#counted, isBinary: this.#isBinary, verdicts: this.#verdicts };
  }

  /** An undo took place where nothing is left of what it was on. */
  #settleAttempt(blocks: readonly Block[]): void {
    const attempted = this.#attempted;
    this.#attempted = undefined;
    if (attempted && attempted.size > 0 && !blocks.some((block) => block.kind === 'change' && attempted.has(nameOf(block)))) this.#verdicts.add('undone');
  }

  /** A decision, as soon as it is known what stood there after it. */
  #settlePending(next: FileLines | undefined): void {
    const decision = this.#pending;
    if (!decision || !this.#blocks) return;
    this.#pending = undefined;
    const { blocks, decided } = decide(this.#blocks, decision);
    // It decided nothing: an undo whose writing failed, or that was taken back at once.
    const isVoid = decision.verdict === 'undone' && next !== undefined && sameLines(next, decision.content);
    if (!isVoid) this.#verdicts.add(decision.verdict);
    // But one of lines that only changed places with others like them is no less an undo.
    if (isVoid && !sameLines(contentOf(blocks), decision.content)) return;
    this.#blocks = blocks;
    this.#content = undefined;
    this.#decided = decided.reduce(plus, this.#decided);
  }
}

const NO_LINES: Pick<Replayed, 'added' | 'removed'> = { added: 0, removed: 0 };

function plus({ added, removed }: typeof NO_LINES, { own, before }: ChangeBlock): typeof NO_LINES {
  return { added: added + countShown(own), removed: removed + countShown(before) };
}

/** The same as long as it stays a change of the same lines, whatever others make of it. */
function nameOf({ birth, before }: ChangeBlock): string {
  return JSON.stringify([birth, before]);
}

function foundBy(step: Step): FileLines {
  return step.kind === 'write' ? step.before : step.content;
}

/** The blocks after a decision, and those that it took out. */
function decide(blocks: readonly Block[], { by, verdict, lines }: Decision): { readonly blocks: readonly Block[]; readonly decided: readonly ChangeBlock[] } {
  const reaches = reachesOf(blocks, by, lines);
  const conflicts = conflictsOf(blocks);
  const decided: ChangeBlock[] = [];
  const rest = blocks.map((block): Block => {
    const reach = block.kind === 'change' ? reaches.get(block) : undefined;
    if (block.kind === 'same' || reach === undefined) return block;
    const authors = block.authors.filter((author) => !by.includes(author));
    if (verdict === 'undone') {
      if (reach === 'part' || authors.length > 0 || conflicts.has(block)) return block;
      decided.push(block);
      return { kind: 'same', lines: block.before };
    }
    if (reach === 'part') return { ...block, locked: block.locked ?? PARTLY_DECIDED };
    if (authors.length > 0) return { ...block, authors, locked: block.locked ?? PARTLY_DECIDED };
    decided.push(block);
    return { kind: 'same', lines: block.now };
  });
  return { blocks: tidy(rest), decided };
}

/** How far a decision reaches into each change of these agents. Its lines are the hunks as they were shown: where one is exactly a change, its neighbours that are bare places beside it aren't meant. */
function reachesOf(blocks: readonly Block[], by: readonly string[], lines: Decision['lines']): Map<Block, 'all' | 'part'> {
  const theirs = placedChanges(blocks).filter(({ block }) => block.authors.some((author) => by.includes(author)));
  if (lines === 'all') return new Map(theirs.map(({ block }) => [block, 'all']));
  const reaches = new Map<Block, 'all' | 'part'>();
  for (const { start, end } of lines) {
    const near: typeof theirs = [];
    for (let at = firstEndingAt(theirs, start); at < theirs.length && theirs[at]!.lines.start <= end; at++) near.push(theirs[at]!);
    const exact = near.filter((one) => one.lines.start === start && one.lines.end === end);
    for (const { block, lines: own } of exact.length > 0 ? exact : near) {
      if (own.start >= start && own.end <= end) reaches.set(block, 'all');
      else if (own.start < end && own.end > start && !reaches.has(block)) reaches.set(block, 'part');
    }
  }
  return reaches;
}

/** The index of the first change, from the top, that doesn't end above the line. */
function firstEndingAt(changes: readonly { readonly lines: LineRange }[], line: number): number {
  let [low, high] = [0, changes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (changes[middle]!.lines.end < line) low = middle + 1;
    else high = middle;
  }
  return low;
}
