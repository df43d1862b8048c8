import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { contentOf, type Block } from '../../../src/runtime/review/blocks.ts';
import { linesOf, shownLines, type FileLines } from '../../../src/runtime/review/fileLines.ts';
import { hunksOf, undo, withoutOwn } from '../../../src/runtime/review/hunks.ts';
import type { IsOwn, Step } from '../../../src/runtime/review/replay.ts';
import { replay } from '../../support/replayed.ts';
import { base, edited, Play, reviewed, type Deed, type Who } from '../../support/editScripts.ts';

/**
 * The blocks and the model draw the same borders but for about one in 25,000 scripts, in which lines come back after the
 * whole file was gone, or go beside a bare place in conflict: there the model, which knows the edits, sees one conflict
 * where a comparison of texts finds a change that can go by itself. What an undo may do to others' lines is asked of
 * new scripts each time, below.
 */
const SEED = 1;

const isA: IsOwn = (who) => who === 'A';
const isB: IsOwn = (who) => who === 'B';
const isChild: IsOwn = () => true;

function played(lines: number | undefined, deeds: readonly Deed[], isOwn: (who: Who) => boolean = isA): Play {
  const play = new Play(lines, isOwn);
  for (const deed of deeds) play.play(deed);
  return play;
}

/** The model tells lines apart by who wrote them, so none of its authors may write a line of another. */
function withoutOwnMoves(deeds: readonly Deed[]): readonly Deed[] {
  return deeds.filter((deed) => deed.do !== 'move' || deed.who === 'me');
}

/** The blocks are the model's regions, and undoing all or some of them gives what the model says. */
function agree({ model }: Play, blocks: readonly Block[]): void {
  const hunks = hunksOf(blocks);
  assert.deepEqual(
    hunks.map(({ before, now, lines, conflict }) => ({ before, now, ...lines, isConflict: conflict !== undefined })),
    model.regions().map(({ before, now, start, end, isConflict }) => ({ before: shownLines(before), now: shownLines(now), start: Math.max(0, start - 1), end: Math.max(0, end - 1), isConflict })),
  );
  assert.equal(new Set(hunks.map(({ id }) => id)).size, hunks.length);
  assert.deepEqual(undo(blocks).lines, model.undone());
  for (const parity of [0, 1]) {
    const isChosen = (index: number): boolean => index % 2 === parity;
    assert.deepEqual(undo(blocks, hunks.filter((_, index) => isChosen(index)).map(({ id }) => id)).lines, model.undone(isChosen));
  }
}

/** The steps and an undo of these hunks, by default all, as it is recorded and found afterwards. */
function withUndo(steps: readonly Step[], isOwn: IsOwn, ids?: readonly string[]): Step[] {
  const blocks = replay(steps, isOwn);
  const { lines, undone } = undo(blocks, ids);
  return [...steps, { kind: 'decision', by: ['A', 'B'].filter(isOwn), verdict: 'undone', content: contentOf(blocks), lines: undone.map((hunk) => hunk.lines) }, { kind: 'seen', content: lines }];
}

function last(steps: readonly Step[]): FileLines {
  const step = steps.at(-1)!;
  return step.kind === 'write' ? step.after : step.content;
}

describe('Changes of a child among those of others', function () {
  this.timeout(60_000);

  it('are those of the very lines that it wrote or took away, whoever edits in between', () => {
    fc.assert(fc.property(base, reviewed, (lines, deeds) => {
      const play = new Play(lines, isA);
      for (const deed of deeds) if (play.play(deed)) agree(play, replay(play.steps, isA));
    }), { numRuns: 1000, seed: SEED });
  });

  it('are those of a group where it is looked at as one', () => {
    fc.assert(fc.property(base, reviewed, (lines, deeds) => {
      const play = played(lines, withoutOwnMoves(deeds), (who) => who !== 'me');
      agree(play, replay(play.steps.map((step) => (step.kind !== 'seen' && step.by.length > 0 ? { ...step, by: ['group'] } : step)), isChild));
    }), { numRuns: 500, seed: SEED });
  });

  it('leave a group undone as if its children had never been, where nobody else touched the same lines', () => {
    fc.assert(fc.property(base, edited, (lines, deeds) => {
      const play = played(lines, withoutOwnMoves(deeds), (who) => who !== 'me');
      const { lines: undone, conflicts } = undo(replay(play.steps, isChild));
      if (conflicts.length === 0 && !play.model.regions().some(({ isConflict }) => isConflict)) assert.deepEqual(undone.toSorted(), play.model.undone().toSorted());
      // However it was: what the user wrote and what stands of it stands on, in order.
      const users = (content: readonly string[]): string[] => content.filter((line) => line.startsWith('me '));
      assert.deepEqual(users(undone).filter((line) => users(last(play.steps)).includes(line)), users(last(play.steps)));
    }), { numRuns: 1000 });
  });

  it('of two children can be undone one after the other where they did not touch each other', () => {
    fc.assert(fc.property(base, edited, (lines, deeds) => {
      // A last line without an end can only come back where no other one comes first.
      const { steps } = played(lines, deeds.map((deed) => (deed.do === 'edit' && deed.ends === 'none' ? { ...deed, ends: 'lf' } : deed)));
      const [ofA, ofB, ofBoth] = [isA, isB, isChild].map((isOwn) => replay(steps, isOwn));
      // Whether the file is there at all is no line that a hunk shows: who makes a file anew that the other had made touches that.
      const told = (blocks: readonly Block[]): string[] => blocks.flatMap((block) => (block.kind === 'change' ? [JSON.stringify([block.before, block.now])] : [])).sort();
      const hasConflict = [ofA, ofB, ofBoth].some((blocks) => hunksOf(blocks!).some(({ conflict }) => conflict !== undefined));
      if (hasConflict || !isDeepStrictEqual(told([...ofA!, ...ofB!]), told(ofBoth!))) return;
      // Which of two lines comes first that go back to one bare place is not known.
      const both = undo(replay(steps, isChild)).lines.toSorted();
      assert.deepEqual(last(withUndo(withUndo(steps, isA), isB)).toSorted(), both);
      assert.deepEqual(last(withUndo(withUndo(steps, isB), isA)).toSorted(), both);
    }), { numRuns: 1000 });
  });

  it('are undone once, all together or one by one', () => {
    fc.assert(fc.property(base, reviewed, (lines, deeds) => {
      const { steps } = played(lines, deeds);
      const all = withUndo(steps, isA);
      const { undone, lines: again } = undo(replay(all, isA));
      assert.deepEqual([undone, again], [[], last(all)]);
      let single = steps;
      for (let hunk; (hunk = hunksOf(replay(single, isA)).find(({ conflict }) => conflict === undefined)); ) single = withUndo(single, isA, [hunk.id]);
      assert.deepEqual(last(single), last(all));
    }), { numRuns: 500 });
  });

  it('change no line where nothing is to be undone, and are nothing once accepted', () => {
    fc.assert(fc.property(base, reviewed, (lines, deeds) => {
      const { steps } = played(lines, deeds);
      const content = last(steps);
      assert.deepEqual(undo(replay(steps, isA), []).lines, content);
      const none = replay(steps, () => false);
      assert.deepEqual([hunksOf(none), undo(none).lines, withoutOwn(none)], [[], content, content]);
      const accepted = replay([...steps, { kind: 'decision', by: ['A'], verdict: 'accepted', content, lines: 'all' }], isA);
      assert.deepEqual([hunksOf(accepted), undo(accepted).lines], [[], content]);
    }), { numRuns: 500 });
  });

  it('keep the names of hunks that stay as they are', () => {
    fc.assert(fc.property(base, reviewed, (lines, deeds) => {
      const { steps } = played(lines, deeds);
      const before = hunksOf(replay(steps, isA));
      const content = last(steps);
      if (content.length === 0) return;
      const after = hunksOf(replay([...steps, { kind: 'seen', content: [content[0]!, 'somebody else on top\n', ...content.slice(1)] }], isA));
      for (const hunk of before.filter(({ lines: { start } }) => start > 0)) assert.deepEqual(after.filter(({ id }) => id === hunk.id).map(({ now }) => now), [hunk.now]);
    }), { numRuns: 500 });
  });
});

describe('Changes among lines that look the same', function () {
  this.timeout(60_000);
  const line = fc.constantFrom('a\n', 'b\n', '}\n', '\n');
  const content = fc.oneof({ weight: 12, arbitrary: fc.array(line, { maxLength: 8 }) }, { weight: 1, arbitrary: fc.constant(undefined) });
  const writes = fc.array(fc.record({ who: fc.constantFrom<Who>('A', 'B', 'me'), content }), { minLength: 1, maxLength: 10 });
  const fileOf = (texts: readonly string[] | undefined): FileLines => linesOf(texts && Buffer.from(texts.join('')));

  const stepsOf = (first: readonly string[] | undefined, told: readonly { readonly who: Who; readonly content: readonly string[] | undefined }[]): Step[] => {
    const contents = [first, ...told.map((write) => write.content)].map(fileOf);
    return [{ kind: 'seen', content: contents[0]! }, ...told.map(({ who }, index): Step => ({ kind: 'write', by: who === 'me' ? [] : [who], before: contents[index]!, after: contents[index + 1]! }))];
  };

  it('never lose a line that only others wrote', () => {
    fc.assert(fc.property(content, writes, (first, told) => {
      const steps = stepsOf(first, told);
      const present = last(steps);
      const { lines } = undo(replay(steps, isA));
      const count = (text: string, among: FileLines): number => among.filter((one) => one === text).length;
      for (const text of new Set(present)) {
        const wrote = steps.some((step) => step.kind === 'write' && step.by.includes('A') && count(text, step.after) > count(text, step.before));
        if (!wrote) assert.ok(lines.includes(text), JSON.stringify(text));
      }
    }), { numRuns: 2000 });
  });

  it('replay to what stands there, and to the same always', () => {
    fc.assert(fc.property(content, writes, (first, told) => {
      const steps = stepsOf(first, told);
      for (let length = 1; length <= steps.length; length++) {
        const [once, again] = [replay(steps.slice(0, length), isA), replay(structuredClone(steps.slice(0, length)), isA)];
        assert.deepEqual(once, again);
        assert.deepEqual(contentOf(once), last(steps.slice(0, length)));
        const { lines } = undo(once);
        assert.ok(lines.length === 0 || (lines[0]!.startsWith('\n:') && lines.every((one, index) => index === 0 || !one.startsWith('\n:'))));
      }
    }), { numRuns: 500 });
  });

  it('are undone once', () => {
    fc.assert(fc.property(content, writes, (first, told) => {
      const all = withUndo(stepsOf(first, told), isA);
      const { undone, lines } = undo(replay(all, isA));
      assert.deepEqual([undone, lines], [[], last(all)]);
    }), { numRuns: 1000 });
  });
});
