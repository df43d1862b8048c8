import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { contentHash } from '../../../src/runtime/base/textFile.ts';
import { fileOf, linesOf, mayFollow } from '../../../src/runtime/review/fileLines.ts';

const files: readonly (readonly [name: string, bytes: Uint8Array, lines: number])[] = [
  ['an empty one', Buffer.from(''), 0],
  ['one with a last line that ends', Buffer.from('a\nb\n'), 2],
  ['one with a last line that has no end', Buffer.from('a\nb'), 2],
  ['one with every kind of line end', Buffer.from('a\r\nb\rc\n\n\r\r\n'), 6],
  ['one with a byte order mark', Buffer.from('\ufeffa\n'), 1],
  ['UTF-16, little end first', Buffer.from('\ufeffä\nb', 'utf16le'), 2],
  ['UTF-16, big end first', Buffer.from('\ufeffä\nb', 'utf16le').swap16(), 2],
  ['one of no known encoding', Buffer.from([0x61, 0xe9, 0x0a, 0xff, 0x62]), 2],
  ['one that only looks like our marks', Buffer.from('\n:utf8\n\n#x'), 4],
];

describe('A file as lines', () => {
  for (const [name, bytes, count] of files) {
    it(`is the same file again: ${name}`, () => {
      const lines = linesOf(bytes);
      assert.equal(lines.length, count + 1);
      assert.deepEqual(fileOf(lines), { kind: 'bytes', bytes: Buffer.from(bytes) });
    });
  }

  it('is nothing where no file is', () => {
    assert.deepEqual(linesOf(undefined), []);
    assert.deepEqual(fileOf([]), { kind: 'absent' });
  });

  it('is a hash where it is binary', () => {
    const bytes = Buffer.from([0, 1, 2]);
    assert.deepEqual(fileOf(linesOf(bytes)), { kind: 'stored', hash: contentHash(bytes) });
  });

  it('is any bytes again', () => {
    const bytes = fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.string({ unit: fc.constantFrom('a', 'ä', '\r', '\n', '\ufeff', '\n:utf8', '\0') }).map((text) => new Uint8Array(Buffer.from(text))));
    fc.assert(fc.property(bytes, (content) => {
      const file = fileOf(linesOf(content));
      assert.deepEqual(file.kind === 'bytes' ? Buffer.from(file.bytes) : file, file.kind === 'bytes' ? Buffer.from(content) : { kind: 'stored', hash: contentHash(content) });
    }), { numRuns: 2000 });
  });

  it('has no two lines that would be others side by side', () => {
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom('a', '\r', '\n') }), (text) => {
      const lines = linesOf(Buffer.from(text));
      for (const [index, line] of lines.entries()) if (index + 1 < lines.length) assert.ok(mayFollow(line, lines[index + 1]!));
    }));
    assert.deepEqual([mayFollow('a', 'b\n'), mayFollow('a\r', '\n'), mayFollow('a\r', 'b')], [false, false, true]);
  });

  it('is no file without its marker', () => {
    assert.throws(() => fileOf(['a\n']), { reason: 'invalid_input' });
  });
});
