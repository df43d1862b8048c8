import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { moveRange } from '../../../src/runtime/review/moveRange.ts';

describe('lines of a text in a later one', () => {
  const before = ['a', 'b', 'c', 'd', 'e'];
  const cases: readonly { readonly what: string; readonly lines: readonly [number, number]; readonly after: readonly string[]; readonly moved: readonly [number, number] | undefined }[] = [
    { what: 'stay where nothing changed', lines: [1, 3], after: before, moved: [1, 3] },
    { what: 'move with what is put in above', lines: [1, 3], after: ['x', 'y', ...before], moved: [3, 5] },
    { what: 'move with what is put in right before them', lines: [1, 3], after: ['a', 'x', 'b', 'c', 'd', 'e'], moved: [2, 4] },
    { what: 'move with what is taken out above', lines: [3, 5], after: ['c', 'd', 'e'], moved: [1, 3] },
    { what: 'stay where something is put in below', lines: [1, 3], after: ['a', 'b', 'c', 'x', 'd', 'e'], moved: [1, 3] },
    { what: 'grow with what is put in between', lines: [1, 3], after: ['a', 'b', 'x', 'c', 'd', 'e'], moved: [1, 4] },
    { what: 'are where others stand in their place', lines: [1, 2], after: ['a', 'B', 'B2', 'c', 'd', 'e'], moved: [1, 3] },
    { what: 'are what is left of them', lines: [1, 4], after: ['a', 'c', 'e'], moved: [1, 2] },
    { what: 'are gone', lines: [1, 3], after: ['a', 'd', 'e'], moved: undefined },
    { what: 'are gone with the file', lines: [0, 5], after: [], moved: undefined },
    { what: 'never were', lines: [7, 9], after: before, moved: undefined },
    { what: 'end with the text', lines: [3, 9], after: before, moved: [3, 5] },
    { what: 'keep a place between two lines', lines: [2, 2], after: ['x', ...before], moved: [3, 3] },
    { what: 'keep the place at the end', lines: [5, 5], after: ['a'], moved: [1, 1] },
  ];
  for (const { what, lines: [start, end], after, moved } of cases) {
    it(what, () => {
      assert.deepEqual(moveRange({ start, end }, before, after), moved && { start: moved[0], end: moved[1] });
    });
  }
});
