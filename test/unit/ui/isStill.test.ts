import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isStill } from '../../../src/ui/approvals/isStill.ts';

describe('whether a file is still what a request was made on', () => {
  for (const [what, before, present, expected] of [
    ['the same text', 'one\n', Buffer.from('one\n'), true],
    ['another text', 'one\n', Buffer.from('two\n'), false],
    ['other line ends alone', 'a\r\nb\n', Buffer.from('a\nb\n'), true],
    ['a byte order mark', 'one', Buffer.from('\ufeffone'), true],
    ['another encoding', 'ä', Buffer.from('\ufeffä', 'utf16le'), true],
    ['no file, as then', '', undefined, true],
    ['a file that came', '', Buffer.from('x'), false],
    ['a file that went', 'x', undefined, false],
    ['a binary file, of which nothing is known', '[binary content, 2 bytes]', Buffer.from([0, 1]), true],
  ] as const) {
    it(`${expected ? 'holds' : 'does not hold'} for ${what}`, () => assert.equal(isStill(before, present), expected));
  }
});
