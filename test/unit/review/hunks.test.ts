import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { fileOf, linesOf, type FileLines } from '../../../src/runtime/review/fileLines.ts';
import { hunksOf, undo } from '../../../src/runtime/review/hunks.ts';
import type { Step } from '../../../src/runtime/review/replay.ts';
import { replay, replayed as allOf } from '../../support/replayed.ts';
import { stepsOf } from '../../support/fileSteps.ts';

const isA = (who: string): boolean => who === 'A';
const text = (content: string): FileLines => linesOf(Buffer.from(content));

/** The file after these texts, by A and others in turn, and an undo of A's changes. */
function undone(...contents: readonly string[]): { text: string | undefined; conflicts: number } {
  const lists = contents.map(text);
  const steps = lists.slice(1).map((after, index): Step => ({ kind: 'write', by: index % 2 === 0 ? ['A'] : [], before: lists[index]!, after }));
  const { lines, conflicts } = undo(replay(steps, isA));
  const file = fileOf(lines);
  return { text: file.kind === 'bytes' ? Buffer.from(file.bytes).toString() : undefined, conflicts: conflicts.length };
}

describe('Undoing hunks', () => {
  it('keeps line ends as they are', () => {
    assert.deepEqual(undone('a\r\nb\r\nc\r\n', 'a\r\nX\nc\r\n', 'Y\r\nX\nc\r\n'), { text: 'Y\r\nb\r\nc\r\n', conflicts: 0 });
    assert.deepEqual(undone('a\nb\n', 'a\r\nb\r\n', 'a\r\nb\r\nc\n'), { text: 'a\nb\nc\n', conflicts: 0 });
    assert.deepEqual(undone('a\nb', 'a\nb\nc'), { text: 'a\nb', conflicts: 0 });
  });

  it('never makes two lines one', () => {
    assert.deepEqual(undone('a\nb', 'a\n', 'a\nc\n'), { text: 'a\nc\n', conflicts: 1 });
    assert.deepEqual(undone('a\nb\n', 'a\n', 'a'), { text: 'a', conflicts: 1 });
  });

  it('leaves lines where they are that came from a place in conflict', () => {
    const steps = stepsOf('opne', ['A', 'qneo'], ['me', 'rneo']);
    const { conflicts, undone: back } = undo(replay(steps, isA));
    assert.deepEqual([conflicts.length, back.length], [2, 0]);
  });

  it('takes all hunks or one of a file with a byte order mark that came with them', () => {
    const steps: Step[] = [{ kind: 'write', by: ['A'], before: text('a\nb\nc\n'), after: text('\ufeffa\nb\nX\n') }];
    const blocks = replay(steps, isA);
    assert.deepEqual(fileOf(undo(blocks).lines), { kind: 'bytes', bytes: Buffer.from('a\nb\nc\n') });
    assert.deepEqual(fileOf(undo(blocks, [hunksOf(blocks)[1]!.id]).lines), { kind: 'bytes', bytes: Buffer.from('\ufeffa\nb\nc\n') });
  });

  it('takes a text that became binary, or of no known encoding, back as a whole or not at all', () => {
    const before = Buffer.from('ä\nb\n');
    for (const after of [Buffer.from([0, 1]), Buffer.from([0xe4, 0x0a, 0x62, 0x0a])]) {
      const blocks = replay([{ kind: 'write', by: ['A'], before: linesOf(before), after: linesOf(after) }], isA);
      assert.equal(hunksOf(blocks).length, 1);
      assert.deepEqual(fileOf(undo(blocks).lines), { kind: 'bytes', bytes: before });
    }
    const bytes = Buffer.from([0xe4, 0x0a]);
    const added = Buffer.from([0xe4, 0x0a, 0xfc, 0x0a]);
    const { lines, conflicts } = undo(replay([{ kind: 'write', by: ['A'], before: linesOf(Buffer.from('ä\n')), after: linesOf(bytes) }, { kind: 'seen', content: linesOf(added) }], isA));
    assert.deepEqual([fileOf(lines), conflicts.length], [{ kind: 'bytes', bytes: added }, 1]);
  });

  it('knows binary files by their hash', () => {
    const [before, after] = [linesOf(Buffer.from([0, 1])), linesOf(Buffer.from([0, 2]))];
    const blocks = replay([{ kind: 'write', by: ['A'], before, after }], isA);
    assert.deepEqual(hunksOf(blocks).map(({ lines, before: old, now }) => ({ lines, old, now })), [{ lines: { start: 0, end: 0 }, old: [], now: [] }]);
    assert.deepEqual(undo(blocks).lines, before);
  });

  it('takes the hunk of the name alone among hunks that look the same, and none once that is gone', () => {
    const steps = stepsOf('abcabc', ['A', 'aXcaXc']);
    const [first, second] = hunksOf(replay(steps, isA));
    const after = undo(replay(steps, isA), [second!.id]);
    assert.deepEqual(after.lines.join(''), stepsOf('aXcabc').map((step) => (step.kind === 'seen' ? step.content : []).join('')).join(''));
    const later = replay([...steps, { kind: 'decision', by: ['A'], verdict: 'undone', content: replayed(steps), lines: [first!.lines] }, { kind: 'seen', content: undo(replay(steps, isA), [first!.id]).lines }], isA);
    assert.deepEqual(hunksOf(later).map(({ id }) => id), [second!.id]);
    assert.equal(undo(later, [first!.id]).undone.length, 0);
  });
});

function replayed(steps: readonly Step[]): FileLines {
  return undo(replay(steps, isA), []).lines;
}

describe('The lines that a child added and removed', () => {
  const count = (...args: Parameters<typeof stepsOf>): readonly [number, number] => {
    const { added, removed } = allOf(stepsOf(...args), isA);
    return [added, removed];
  };

  it('count once, however often it changed them', () => {
    assert.deepEqual(count('abc', ['A', 'aXc'], ['A', 'aYc'], ['A', 'aYZc']), [2, 1]);
    assert.deepEqual(count('abc', ['A', 'aXc'], ['A', 'abc']), [0, 0]);
    assert.deepEqual(count(undefined, ['A', 'abc']), [3, 0]);
  });

  it('count whatever others made of them since', () => {
    assert.deepEqual(count('abc', ['A', 'aXc'], ['me', 'abc']), [1, 1]);
    assert.deepEqual(count('abc', ['B', 'aXYZ'], ['A', 'aXYZW']), [1, 0]);
  });

  it('count decided or not', () => {
    assert.deepEqual(count('abcd', ['A', 'aXcd'], ['A', 'accepts'], ['A', 'aXcY'], ['A', 'accepts']), [2, 2]);
    assert.deepEqual(count('abcd', ['A', 'aXcd'], ['A', 'undoes'], ['found', 'abcd'], ['A', 'abcY']), [2, 2]);
  });
});

describe('The history of a long file', function () {
  this.timeout(60_000);

  it('is replayed without comparing each line with each', () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => (index % 3 === 0 ? '}\n' : `line ${index}\n`));
    let content = text(lines.join(''));
    const steps: Step[] = Array.from({ length: 200 }, (_, index) => {
      const before = content;
      lines.splice((index * 7919) % 20_000, 1, `new ${index}\n`, '}\n');
      content = text(lines.join(''));
      return { kind: 'write', by: index % 3 === 0 ? [] : ['A'], before, after: content };
    });
    assert.deepEqual(replayed(steps), content);
  });
});
