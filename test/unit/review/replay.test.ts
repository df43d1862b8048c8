import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { hunksOf, undo, withoutOwn } from '../../../src/runtime/review/hunks.ts';
import { replay } from '../../support/replayed.ts';
import { lettersOf, stepsOf, type Told } from '../../support/fileSteps.ts';

interface Row {
  readonly rule: string;
  readonly base: string | undefined;
  readonly told: readonly Told[];
  /** Whose changes are looked at, by default A's. */
  readonly own?: string;
  /** Each hunk as `before>now`, in conflict with a `!` behind it. */
  readonly hunks: readonly string[];
  /** After all that can be is undone. */
  readonly undone: string | undefined;
  /** The left side of the diff, where it isn't `undone`. */
  readonly left?: string | undefined;
}

const rows: readonly Row[] = [
  { rule: 'a line that was replaced', base: 'abc', told: [['A', 'aXc']], hunks: ['b>X'], undone: 'abc' },
  { rule: 'lines that were added', base: 'ab', told: [['A', 'aXYb']], hunks: ['>XY'], undone: 'ab' },
  { rule: 'lines that were taken away', base: 'abcd', told: [['A', 'ad']], hunks: ['bc>'], undone: 'abcd' },
  { rule: 'a change that was changed again', base: 'abc', told: [['A', 'aXYZc'], ['A', 'aXWZc']], hunks: ['b>XWZ'], undone: 'abc' },
  { rule: 'a change that its author took back', base: 'abc', told: [['A', 'aXc'], ['A', 'abc']], hunks: [], undone: 'abc' },
  { rule: 'a change of which its author took back a part', base: 'abc', told: [['A', 'XYc'], ['A', 'XbYc']], hunks: ['a>X', '>Y'], undone: 'abc' },
  { rule: 'a change that others took back', base: 'abc', told: [['A', 'aXc'], ['me', 'abc']], hunks: [], undone: 'abc' },
  { rule: 'changes of others elsewhere', base: 'abcdef', told: [['A', 'aXcdef'], ['me', 'aXcdYZ'], ['B', 'WXcdYZ']], hunks: ['b>X'], undone: 'WbcdYZ' },
  { rule: 'lines that others put at its edges', base: 'abc', told: [['A', 'aXc'], ['me', 'aYXZc']], hunks: ['b>X'], undone: 'aYbZc' },
  { rule: 'lines that others put where it took some away', base: 'abc', told: [['A', 'ac'], ['me', 'aYc']], hunks: ['b>'], undone: 'abYc' },
  { rule: 'lines that others put into it', base: 'abc', told: [['A', 'aXYc'], ['me', 'aXZYc']], hunks: ['b>XZY!'], undone: 'aXZYc', left: 'abc' },
  { rule: 'a line of it that others changed', base: 'abcd', told: [['A', 'aXYd'], ['B', 'aXZd']], hunks: ['bc>XZ!'], undone: 'aXZd', left: 'abcd' },
  { rule: 'a line of it that others took away', base: 'abc', told: [['A', 'aXYc'], ['B', 'aXc']], hunks: ['b>X!'], undone: 'aXc', left: 'abc' },
  { rule: 'all of it that others took away', base: 'abc', told: [['A', 'aXc'], ['B', 'ac']], hunks: ['b>!'], undone: 'ac', left: 'abc' },
  { rule: 'a conflict that others mended', base: 'abc', told: [['A', 'aXc'], ['me', 'aYc'], ['me', 'aXc']], hunks: ['b>X'], undone: 'abc' },
  { rule: 'lines of it that others took away and put back', base: 'abc', told: [['A', 'aXc'], ['me', 'ac'], ['me', 'aXc']], hunks: ['b>X'], undone: 'abc' },
  { rule: 'lines that it took away and others put back, among more', base: 'abc', told: [['A', 'ac'], ['me', 'abYc']], hunks: ['b>bY!'], undone: 'abYc', left: 'abc' },
  { rule: 'a change of lines around it, too', base: 'abcd', told: [['A', 'aXcd'], ['me', 'YZd']], hunks: ['abc>YZ!'], undone: 'YZd', left: 'abcd' },
  { rule: 'an own change of what others made of it', base: 'abc', told: [['A', 'aXc'], ['me', 'aYc'], ['A', 'aZc']], hunks: ['bY>Z!'], undone: 'aZc', left: 'abYc' },
  { rule: 'an own change of lines that others wrote', base: 'abc', told: [['me', 'aYc'], ['A', 'aXc']], hunks: ['Y>X'], undone: 'aYc' },
  { rule: 'other hunks than one in conflict', base: 'abcdef', told: [['A', 'XbcdeY'], ['me', 'ZbcdeY']], hunks: ['a>Z!', 'f>Y'], undone: 'Zbcdef', left: 'abcdef' },
  { rule: 'changes that came side by side', base: 'abcd', told: [['A', 'aXcd'], ['A', 'aXYd']], hunks: ['bc>XY'], undone: 'abcd' },
  { rule: 'changes between which others took lines away', base: 'abcde', told: [['A', 'aXcYe'], ['me', 'aXYe']], hunks: ['bd>XY'], undone: 'abde' },
  { rule: 'a file that it made', base: undefined, told: [['A', 'abc']], hunks: ['>abc'], undone: undefined },
  { rule: 'an empty file that it made', base: undefined, told: [['A', '']], hunks: ['>'], undone: undefined },
  { rule: 'a file that it made and others added to', base: undefined, told: [['A', 'ab'], ['me', 'abY']], hunks: ['>ab!'], undone: 'abY', left: 'Y' },
  { rule: 'a file that it made and others changed', base: undefined, told: [['A', 'ab'], ['me', 'aY']], hunks: ['>aY!'], undone: 'aY', left: undefined },
  { rule: 'a file that it made and others removed', base: undefined, told: [['A', 'ab'], ['me', undefined]], hunks: [], undone: undefined },
  { rule: 'a file that it removed', base: 'ab', told: [['A', undefined]], hunks: ['ab>'], undone: 'ab' },
  { rule: 'a file that it changed and then removed', base: 'ab', told: [['A', 'aX'], ['A', undefined]], hunks: ['ab>'], undone: 'ab' },
  { rule: 'a file that it removed and made anew', base: 'abc', told: [['A', undefined], ['A', 'aXc']], hunks: ['b>X'], undone: 'abc' },
  { rule: 'a file that it removed and others made anew', base: 'ab', told: [['A', undefined], ['me', 'Y']], hunks: ['ab>Y!'], undone: 'Y', left: 'ab' },
  { rule: 'a file that others removed and put back', base: 'abc', told: [['A', 'aXc'], ['me', undefined], ['me', 'aXc']], hunks: ['b>X'], undone: 'abc' },
  { rule: 'a file that others removed and put back with more lines', base: 'abcd', told: [['A', 'aXcd'], ['me', undefined], ['me', 'aXcYd']], hunks: ['b>X'], undone: 'abcYd' },
  { rule: 'a file that others removed', base: 'abc', told: [['A', 'aXc'], ['me', undefined]], hunks: ['abc>!'], undone: undefined, left: 'abc' },
  { rule: 'what several children of a group did to one line', base: 'abc', own: 'AB', told: [['A', 'aXc'], ['B', 'aYc']], hunks: ['b>Y'], undone: 'abc' },
  { rule: 'what one child of a group did to the line of another', base: 'abc', own: 'B', told: [['A', 'aXc'], ['B', 'aYc']], hunks: ['X>Y'], undone: 'aXc' },
  { rule: 'what two children of a group did side by side', base: 'abcd', own: 'AB', told: [['A', 'aXcd'], ['B', 'aXYd']], hunks: ['b>X', 'c>Y'], undone: 'abcd' },
  { rule: 'a file of one child that another one added to', base: undefined, own: 'AB', told: [['A', 'ab'], ['B', 'abY']], hunks: ['>abY'], undone: undefined },
  { rule: 'a line that one child of a group put back', base: 'abc', own: 'AB', told: [['A', 'ac'], ['B', 'abc']], hunks: [], undone: 'abc' },
  { rule: 'all that was accepted', base: 'abc', told: [['A', 'aXc'], ['A', 'accepts']], hunks: [], undone: 'aXc' },
  { rule: 'a change after all before it was accepted', base: 'abc', told: [['A', 'aXc'], ['A', 'accepts'], ['A', 'YXc']], hunks: ['a>Y'], undone: 'aXc' },
  { rule: 'a change of what was accepted', base: 'abc', told: [['A', 'aXc'], ['A', 'accepts'], ['A', 'aYc']], hunks: ['X>Y'], undone: 'aXc' },
  { rule: 'a hunk beside one that was accepted', base: 'abcdef', told: [['A', 'aXcdYf'], ['A', 'accepts', [[1, 2]]]], hunks: ['e>Y'], undone: 'aXcdef' },
  { rule: 'a hunk that takes lines away, accepted', base: 'abcd', told: [['A', 'ad'], ['A', 'accepts', [[1, 1]]]], hunks: [], undone: 'ad' },
  { rule: 'a conflict that was accepted', base: 'abc', told: [['A', 'aXYc'], ['me', 'aXZYc'], ['A', 'accepts', [[1, 4]]]], hunks: [], undone: 'aXZYc' },
  { rule: 'a hunk of which a part was accepted', base: 'abc', told: [['A', 'aXYc'], ['A', 'accepts', [[1, 2]]]], hunks: ['b>XY!'], undone: 'aXYc', left: 'abc' },
  { rule: 'what another child had accepted', base: 'abcd', told: [['A', 'aXcd'], ['B', 'aXcY'], ['B', 'accepts']], hunks: ['b>X'], undone: 'abcY' },
  { rule: 'a group of which one had all accepted', base: 'abcd', own: 'AB', told: [['A', 'aXcd'], ['B', 'aXcY'], ['B', 'accepts']], hunks: ['b>X'], undone: 'abcY' },
  { rule: 'a line of two children that one had accepted', base: 'abc', own: 'AB', told: [['A', 'aXc'], ['B', 'aYc'], ['B', 'accepts']], hunks: ['b>Y!'], undone: 'aYc', left: 'abc' },
  { rule: 'a line of two children that both had accepted', base: 'abc', own: 'AB', told: [['A', 'aXc'], ['B', 'aYc'], ['B', 'accepts'], ['A', 'accepts']], hunks: [], undone: 'aYc' },
  { rule: 'a hunk that was undone', base: 'abcdef', told: [['A', 'aXcdYf'], ['A', 'undoes', [[1, 2]]], ['found', 'abcdYf']], hunks: ['e>Y'], undone: 'abcdef' },
  { rule: 'an undo among lines that look the same', base: 'abab', told: [['A', 'ababab'], ['A', 'undoes'], ['found', 'abab']], hunks: [], undone: 'abab' },
  { rule: 'an undo that was never written', base: 'abc', told: [['A', 'aXc'], ['A', 'undoes'], ['found', 'aXc']], hunks: ['b>X'], undone: 'abc' },
  { rule: 'an undo that left a file which others had added to', base: undefined, told: [['A', 'ab'], ['me', 'abY'], ['A', 'abYcd'], ['A', 'undoes'], ['found', 'abY']], hunks: ['>ab!'], undone: 'abY', left: 'Y' },
  { rule: 'an undo that left a conflict', base: 'abcdef', told: [['A', 'XbcdeY'], ['me', 'ZbcdeY'], ['A', 'undoes'], ['found', 'Zbcdef']], hunks: ['a>Z!'], undone: 'Zbcdef', left: 'abcdef' },
];

describe('What is left of the changes of a child, and what undoing it brings back', () => {
  for (const { rule, base, told, own = 'A', hunks, undone, ...rest } of rows) {
    it(rule, () => {
      const blocks = replay(stepsOf(base, ...told), (agentId) => own.includes(agentId));
      const found = hunksOf(blocks).map(({ before, now, conflict }) => `${before.join('')}>${now.join('')}${conflict === undefined ? '' : '!'}`);
      const after = undo(blocks);
      assert.deepEqual({ hunks: found, undone: lettersOf(after.lines), left: lettersOf(withoutOwn(blocks)) }, { hunks, undone, left: 'left' in rest ? rest.left : undone });
      assert.equal(after.undone.length + after.conflicts.length, hunks.length);
    });
  }
});
