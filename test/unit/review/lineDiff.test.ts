import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { lineChanges, type LineChange } from '../../../src/runtime/review/lineDiff.ts';
import { letters } from '../../support/fileSteps.ts';

function apply(before: readonly string[], changes: readonly LineChange[]): string[] {
  const result = [...before];
  for (const { start, end, lines } of changes.toReversed()) result.splice(start, end - start, ...lines);
  return result;
}

describe('The changes from lines to others', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 12 });

  it('make the one the other, with a line in common between any two', () => {
    fc.assert(fc.property(lines, lines, (before, after) => {
      const changes = lineChanges(before, after);
      assert.deepEqual(apply(before, changes), after);
      changes.forEach(({ start, end, lines: put }, index) => {
        assert.ok(end - start + put.length > 0);
        assert.ok(index === 0 || start > changes[index - 1]!.end);
      });
    }), { numRuns: 3000 });
  });

  it('never pass over a line that occurs once on either side and stays in order', () => {
    assert.deepEqual(lineChanges(['x', '}', 'one', '}', 'two'], ['}', 'one', '}', 'x', '}', 'two']), [
      { start: 0, end: 1, lines: [] },
      { start: 3, end: 3, lines: ['}', 'x'] },
    ]);
  });

  it('are one for all of a stretch that is too different to look for more', () => {
    const [before, after] = [0, 1].map((odd) => Array.from({ length: 4000 }, (_, index) => String((index * (7 + odd)) % 3)));
    const changes = lineChanges(['top', ...before!, 'end'], ['top', ...after!, 'end']);
    assert.deepEqual(apply(['top', ...before!, 'end'], changes), ['top', ...after!, 'end']);
    assert.equal(changes.length, 1);
  });

  it('are one for a file that comes, goes or becomes one of another kind', () => {
    assert.deepEqual(lineChanges([], letters('ab')), [{ start: 0, end: 0, lines: letters('ab') }]);
    assert.deepEqual(lineChanges(letters('ab'), []), [{ start: 0, end: 3, lines: [] }]);
    const binary = ['\n:binary', '\n#hash'];
    assert.deepEqual(lineChanges(letters('ab'), binary), [{ start: 0, end: 3, lines: binary }]);
  });
});
