import fc from 'fast-check';
import { linesOf } from '../../src/runtime/review/fileLines.ts';
import type { Step } from '../../src/runtime/review/replay.ts';
import { LineModel, type Edit } from './lineModel.ts';

export type Who = 'A' | 'B' | 'me';

/** What somebody does to a file, in numbers that are read as places of whatever stands there then. */
export type Deed =
  | { readonly do: 'edit'; readonly who: Who; readonly edits: readonly { readonly at: number; readonly removed: number; readonly added: number }[]; readonly ends: 'lf' | 'crlf' | 'none' }
  | { readonly do: 'rewrite' | 'come_or_go'; readonly who: Who; readonly added: number }
  | { readonly do: 'move'; readonly who: 'B' | 'me'; readonly at: number; readonly to: number }
  | { readonly do: 'accept'; readonly at: number }
  | { readonly do: 'undo'; readonly mask: number };

const who = fc.constantFrom<Who>('A', 'A', 'B', 'me');
const count = fc.nat({ max: 3 });
const edits = fc.array(fc.record({ at: fc.nat({ max: 30 }), removed: count, added: count }), { minLength: 1, maxLength: 3 });
const changing: fc.WeightedArbitrary<Deed>[] = [
  { weight: 12, arbitrary: fc.record({ do: fc.constant('edit' as const), who, edits, ends: fc.constantFrom('lf', 'lf', 'crlf', 'none') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('rewrite' as const, 'come_or_go' as const), who, added: count }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('move' as const), who: fc.constantFrom('B', 'me'), at: fc.nat({ max: 30 }), to: fc.nat({ max: 30 }) }) },
];
const deciding: fc.WeightedArbitrary<Deed>[] = [
  { weight: 1, arbitrary: fc.record({ do: fc.constant('accept' as const), at: fc.nat({ max: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('undo' as const), mask: fc.nat({ max: 15 }) }) },
];

/** Scripts without and with decisions. */
export const edited: fc.Arbitrary<Deed[]> = fc.array(fc.oneof(...changing), { maxLength: 12 });
export const reviewed: fc.Arbitrary<Deed[]> = fc.array(fc.oneof(...changing, ...deciding), { maxLength: 12 });
/** How many lines the file has before; none where it isn't there. */
export const base: fc.Arbitrary<number | undefined> = fc.oneof({ weight: 6, arbitrary: fc.nat({ max: 12 }) }, { weight: 1, arbitrary: fc.constant(undefined) });

const [MARKER] = linesOf(new Uint8Array()) as [string];

/** Plays a script on the model of what is `own`. Gives the steps, and the model as it was after each of them. */
export class Play {
  readonly steps: Step[];
  readonly model: LineModel;
  readonly #isOwn: (who: Who) => boolean;
  #fresh = 0;

  constructor(lines: number | undefined, isOwn: (who: Who) => boolean) {
    this.#isOwn = isOwn;
    const content = lines === undefined ? [] : [MARKER, ...this.#lines('base', lines, '\n')];
    this.model = new LineModel(content, MARKER);
    this.steps = [{ kind: 'seen', content }];
  }

  /** False where the deed has nothing to be done to. */
  play(deed: Deed): boolean {
    const before = this.model.lines();
    switch (deed.do) {
      case 'accept':
        return this.#accept(deed.at, before);
      case 'undo':
        return this.#undo(deed.mask, before);
      case 'move': {
        const edits = this.#moveOf(deed, before);
        return edits !== undefined && this.#write(deed.who, before, edits);
      }
      case 'come_or_go':
        return this.#write(deed.who, before, [before.length > 0 ? { start: 0, end: before.length, texts: [] } : this.#creation(deed.who, deed.added)]);
      case 'rewrite':
      case 'edit':
        if (before.length === 0) return this.#write(deed.who, before, [this.#creation(deed.who, 2)]);
        return this.#write(deed.who, before, deed.do === 'edit' ? this.#editsOf(deed, before) : [{ start: 1, end: before.length, texts: this.#lines(deed.who, deed.added, '\n') }]);
    }
  }

  #write(who: Who, before: readonly string[], edits: readonly Edit[]): boolean {
    if (edits.every(({ start, end, texts }) => start === end && texts.length === 0)) return false;
    this.model.edit(edits, this.#isOwn(who));
    this.steps.push({ kind: 'write', by: who === 'me' ? [] : [who], before, after: this.model.lines() });
    return true;
  }

  #accept(at: number, content: readonly string[]): boolean {
    const region = this.model.regions()[at];
    if (!region) return false;
    this.model.accept(at);
    this.steps.push({ kind: 'decision', by: this.#deciders(), verdict: 'accepted', content, lines: [shown(region)] });
    return true;
  }

  #undo(mask: number, content: readonly string[]): boolean {
    const isChosen = (index: number): boolean => ((mask >> index) & 1) === 1;
    const lines = this.model.regions().filter((region, index) => isChosen(index) && !region.isConflict).map(shown);
    this.model.undo(isChosen);
    if (lines.length === 0) return false;
    this.steps.push({ kind: 'decision', by: this.#deciders(), verdict: 'undone', content, lines }, { kind: 'seen', content: this.model.lines() });
    return true;
  }

  #deciders(): string[] {
    return (['A', 'B'] as const).filter((who) => this.#isOwn(who));
  }

  #creation(who: Who, added: number): Edit {
    return { start: 0, end: 0, texts: [MARKER, ...this.#lines(who, added, '\n')] };
  }

  /** Edits with a line that stays between any two, and ends such that no two lines become one. */
  #editsOf(deed: Extract<Deed, { do: 'edit' }>, before: readonly string[]): Edit[] {
    const result: Edit[] = [];
    let from = 1;
    for (const { at, removed, added } of deed.edits.toSorted((a, b) => a.at - b.at)) {
      let start = 1 + (at % before.length);
      const end = Math.min(before.length, start + removed);
      let lines = added;
      // Behind a line without an end nothing can be put but together with that line.
      if (added > 0 && start > 1 && !before[start - 1]!.endsWith('\n')) [start, lines] = [start - 1, added + 1];
      if (start < from) continue;
      const texts = this.#lines(deed.who, lines, deed.ends === 'crlf' ? '\r\n' : '\n');
      if (deed.ends === 'none' && end === before.length && texts.length > 0) texts[texts.length - 1] = texts.at(-1)!.trimEnd();
      if (start === end && texts.length === 0) continue;
      result.push({ start, end, texts });
      from = end + 1;
    }
    return result.toSorted((a, b) => a.start - b.start);
  }

  /** One line to another place, past three or more that nobody could take for the one that moved, none of them own. */
  #moveOf({ at, to }: { readonly at: number; readonly to: number }, before: readonly string[]): Edit[] | undefined {
    const [from, place] = [1 + (at % Math.max(1, before.length - 1)), 1 + (to % Math.max(1, before.length))];
    const line = before[from];
    const [low, high] = [Math.min(from, place), Math.max(from + 1, place)];
    if (!line?.endsWith('\n') || high - low < 4 || !before[high - 1]!.endsWith('\n') || this.model.regions().some(({ start, end }) => start <= high && end >= low)) return undefined;
    const edits = [{ start: from, end: from + 1, texts: [] }, { start: place, end: place, texts: [line] }];
    return edits.toSorted((a, b) => a.start - b.start);
  }

  #lines(who: string, count: number, end: string): string[] {
    return Array.from({ length: count }, () => `${who} ${++this.#fresh}${end}`);
  }
}

function shown({ start, end }: { readonly start: number; readonly end: number }): { start: number; end: number } {
  return { start: Math.max(0, start - 1), end: Math.max(0, end - 1) };
}
