import assert from 'node:assert/strict';
import fc from 'fast-check';
import { changeBetween, decodeText, encodeText, hasBom, lineEndOf } from '../../../src/host/fileText.ts';

describe('text of a file', () => {
  it('loses its BOM on the way in and gets it back on the way out', () => {
    const bytes = encodeText('aé', true);
    assert.equal(hasBom(bytes), true);
    assert.equal(decodeText(bytes), 'aé');
    assert.deepEqual(encodeText('aé', false), Buffer.from('aé'));
  });

  it('is none for bytes that are not UTF-8 text', () => {
    assert.equal(decodeText(new Uint8Array([0xff, 0xfe, 0x61])), undefined);
    assert.equal(decodeText(new Uint8Array([0x61, 0x00])), undefined);
  });

  it('knows its line ends', () => {
    assert.deepEqual(['a', 'a\nb', 'a\r\nb', 'a\nb\r\n', 'a\rb'].map(lineEndOf), ['none', '\n', '\r\n', 'mixed', 'mixed']);
  });

  it('changes by the smallest replacement', () => {
    assert.equal(changeBetween('abc', 'abc'), undefined);
    assert.deepEqual(changeBetween('one two three', 'one 2 three'), { start: 4, end: 7, text: '2' });
    assert.deepEqual(changeBetween('aa', 'aaa'), { start: 2, end: 2, text: 'a' });
  });

  it('is changed to what was wanted, never inside a pair of surrogates or a CRLF', () => {
    const texts = fc.array(fc.constantFrom('a', 'b', '\r\n', '\n', '😀', '😁', 'é'), { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const change = changeBetween(before, after);
        if (!change) return assert.equal(before, after);
        assert.equal(before.slice(0, change.start) + change.text + before.slice(change.end), after);
        for (const at of [change.start, change.end]) assert.doesNotMatch(before.slice(at - 1, at + 1), /^(?:\r\n|[\ud800-\udbff][\udc00-\udfff])$/);
        return undefined;
      }),
      { numRuns: 500 },
    );
  });
});
