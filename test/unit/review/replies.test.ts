import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parseReplies } from '../../../src/runtime/review/replies.ts';

describe('answers to numbered comments', () => {
  const cases: readonly { readonly what: string; readonly text: string; readonly count?: number; readonly answers: Readonly<Record<number, string>> }[] = [
    { what: 'paragraphs as asked for', text: 'Done.\n\nComment 1: Renamed it.\n\nComment 2: Left as it is,\nsince others call it.', answers: { 1: 'Renamed it.', 2: 'Left as it is,\nsince others call it.' } },
    { what: 'headings, lists, bold', text: '### Comment 1:\nOne.\n- **Comment 2:** Two.\n> comment #3 - Three.', count: 3, answers: { 1: 'One.', 2: 'Two.', 3: 'Three.' } },
    { what: 'bold around the number alone', text: '**Comment 1**: One.', answers: { 1: 'One.' } },
    { what: 'line ends of Windows', text: 'Comment 1: One.\r\nComment 2: Two.\r\n', answers: { 1: 'One.', 2: 'Two.' } },
    { what: 'a number twice: the last one', text: 'Comment 1: I will.\n\nComment 1: I did.', answers: { 1: 'I did.' } },
    { what: 'numbers that no comment has', text: 'Comment 1: One.\nComment 7: still of one.', answers: { 1: 'One.\nComment 7: still of one.' } },
    { what: 'code that only looks so', text: 'Comment 1: I added\n```\nComment 2: in the file\n```\nthere.', answers: { 1: 'I added\n```\nComment 2: in the file\n```\nthere.' } },
    { what: 'an empty answer', text: 'Comment 1:\n\nComment 2: Two.', answers: { 2: 'Two.' } },
    { what: 'running text that speaks of a comment', text: 'As comment 1 says: I changed it.', answers: {} },
    { what: 'no answers', text: 'All is done.', answers: {} },
  ];
  for (const { what, text, count = 2, answers } of cases) {
    it(`reads ${what}`, () => {
      assert.deepEqual(Object.fromEntries(parseReplies(text, count)), answers);
    });
  }

  it('stays quick on a hostile text', () => {
    const text = `${'*_ '.repeat(20_000)}comment\n${'comment 1'.repeat(10_000)}\ncomment${' '.repeat(200_000)}x`;
    assert.equal(parseReplies(text, 2).size, 0);
  });
});
