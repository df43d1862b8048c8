import type { LineRange } from '../domain/reviews.ts';
import { changeByOthers, changeByOwn, isClean, tidy, type Block, type ChangeBlock } from './blocks.ts';
import { shownLines, type FileLines } from './fileLines.ts';
import { placedChanges } from './hunks.ts';
import { sameLines } from './lineDiff.ts';

/** What happened to a file, in order. Where the contents of two steps don't meet, others changed it in between. */
export type Step =
  /** Somebody wrote it. `by`: the children that may have, none for others; `unsure`: why it may have been somebody else, in a sentence. */
  | { readonly kind: 'write'; readonly by: readonly string[]; readonly before: FileLines; readonly after: FileLines; readonly unsure?: string }
  /** A person decided on changes of these children. `content`: what stood there then, to which `lines` belong. */
  | { readonly kind: 'decision'; readonly by: readonly string[]; readonly verdict: 'accepted' | 'undone'; readonly content: FileLines; readonly lines: 'all' | readonly LineRange[] }
  /** It was found like this. */
  | { readonly kind: 'seen'; readonly content: FileLines };

type Decision = Extract<Step, { kind: 'decision' }>;

/** Says which agents' changes are looked at: one child's, or those of a group. */
export type IsOwn = (agentId: string) => boolean;

const PARTLY_DECIDED = 'Some of these lines were accepted already.';

/** What of a file, as the last step left it, is the own agents' and not decided yet. Time grows with steps times lines. */
export function replay(steps: readonly Step[], isOwn: IsOwn): readonly Block[] {
  return run(steps, isOwn, () => {});
}

/** Lines that the own agents added and removed in all, decided or not: what is left of their changes at the time of their last one, or was when it was decided. */
export function countLines(steps: readonly Step[], isOwn: IsOwn): { readonly added: number; readonly removed: number } {
  const last = steps.findLastIndex((step) => step.kind === 'write' && step.by.some(isOwn));
  let [added, removed] = [0, 0];
  const count = (block: ChangeBlock): void => {
    added += shownLines(block.own).length;
    removed += shownLines(block.before).length;
  };
  for (const block of run(steps.slice(0, last + 1), isOwn, count)) if (block.kind === 'change') count(block);
  return { added, removed };
}

/** `onDecided` is told each block that a decision takes out. */
function run(steps: readonly Step[], isOwn: IsOwn, onDecided: (block: ChangeBlock) => void): readonly Block[] {
  let blocks: readonly Block[] = [];
  let writes = 0;
  steps.forEach((step, index) => {
    const found = foundBy(step);
    blocks = index === 0 ? tidy([{ kind: 'same', lines: found }]) : changeByOthers(blocks, found);
    if (step.kind === 'seen') return;
    const authors = step.by.filter(isOwn);
    if (step.kind === 'write') {
      blocks = authors.length > 0 ? changeByOwn(blocks, step.after, { authors, name: String(++writes), ...(step.unsure !== undefined && { unsure: step.unsure }) }) : changeByOthers(blocks, step.after);
      return;
    }
    if (authors.length > 0 && !isVoid(step, steps[index + 1])) blocks = decide(blocks, { ...step, by: authors }, onDecided);
  });
  return blocks;
}

/** Whether a decision decided nothing: an undo whose writing failed, or that was taken back at once. `next`: the step after it. */
export function isVoid({ verdict, content }: Decision, next: Step | undefined): boolean {
  return verdict === 'undone' && next !== undefined && sameLines(foundBy(next), content);
}

function foundBy(step: Step): FileLines {
  return step.kind === 'write' ? step.before : step.content;
}

function decide(blocks: readonly Block[], { by, verdict, lines }: Decision, onDecided: (block: ChangeBlock) => void): readonly Block[] {
  const reaches = reachesOf(blocks, by, lines);
  return tidy(blocks.map((block): Block => {
    const reach = block.kind === 'change' ? reaches.get(block) : undefined;
    if (block.kind === 'same' || reach === undefined) return block;
    const rest = block.authors.filter((author) => !by.includes(author));
    if (verdict === 'undone') {
      if (reach === 'part' || rest.length > 0 || !isClean(block)) return block;
      onDecided(block);
      return { kind: 'same', lines: block.before };
    }
    if (reach === 'part') return { ...block, locked: block.locked ?? PARTLY_DECIDED };
    if (rest.length > 0) return { ...block, authors: rest, locked: block.locked ?? PARTLY_DECIDED };
    onDecided(block);
    return { kind: 'same', lines: block.now };
  }));
}

/** How far a decision reaches into each change of these agents. Its lines are the hunks as they were shown: where one is exactly a change, its neighbours that are bare places beside it aren't meant. */
function reachesOf(blocks: readonly Block[], by: readonly string[], lines: Decision['lines']): Map<Block, 'all' | 'part'> {
  const theirs = placedChanges(blocks).filter(({ block }) => block.authors.some((author) => by.includes(author)));
  if (lines === 'all') return new Map(theirs.map(({ block }) => [block, 'all']));
  const reaches = new Map<Block, 'all' | 'part'>();
  for (const { start, end } of lines) {
    const exact = theirs.filter((one) => one.lines.start === start && one.lines.end === end);
    for (const { block, lines: own } of exact.length > 0 ? exact : theirs) {
      if (own.start >= start && own.end <= end) reaches.set(block, 'all');
      else if (own.start < end && own.end > start && !reaches.has(block)) reaches.set(block, 'part');
    }
  }
  return reaches;
}
