import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { errorText, isAppError } from '../../../src/runtime/base/errors.ts';
import { editTool } from '../../../src/runtime/tools/edit.ts';
import { applyEdit, normaliseEnds } from '../../../src/runtime/tools/editText.ts';
import { readTool } from '../../../src/runtime/tools/read.ts';
import { contentHash } from '../../../src/runtime/base/textFile.ts';
import { createNodeFiles } from '../../../src/runtime/store/nodeFiles.ts';
import { execute, executeText, previewOf, temporaryFolder, toolContext } from '../../support/toolContext.ts';

describe('Edit', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let file: string;
  beforeEach(async () => {
    folder = await temporaryFolder();
    file = join(folder.path, 'file.txt');
  });
  afterEach(() => folder.remove());

  /** Reads and edits the file; gives its bytes afterwards as Latin-1, so that every byte can be seen. */
  async function edit(before: string | Uint8Array, oldString: string, newString: string, more: object = {}): Promise<string> {
    await writeFile(file, before);
    const context = toolContext(folder.path);
    await execute(readTool, { file_path: file }, context);
    await execute(editTool, { file_path: file, old_string: oldString, new_string: newString, ...more }, context);
    return readFile(file, 'latin1');
  }

  async function refusal(before: string, oldString: string, newString = 'new'): Promise<string> {
    try {
      await edit(before, oldString, newString);
    } catch (error) {
      assert.equal(await readFile(file, 'utf8'), before);
      return errorText(error);
    }
    assert.fail('The edit was made.');
  }

  it('replaces exact text and nothing else', async () => {
    assert.equal(await edit('a b c', 'b', 'x'), 'a x c');
    assert.equal(await edit('a $b c', '$b', '$& $1 $$'), 'a $& $1 $$ c');
    assert.equal(await edit('a\nb\n', 'b\n', ''), 'a\n');
  });

  it('keeps CRLF, in the lines around and in those that are new', async () => {
    assert.equal(await edit('a\r\nb\r\nc\r\n', 'a\nb', 'a\nx\ny'), 'a\r\nx\r\ny\r\nc\r\n');
    assert.equal(await edit('a\r\nb', 'a\r\nb', 'a\r\nc'), 'a\r\nc');
    assert.equal(await edit('a\r\nb\r\nc', '\nb\n', '\n'), 'a\r\nc');
  });

  it('keeps mixed line ends where it changes nothing', async () => {
    assert.equal(await edit('a\r\nb\nc\r\nd\n', 'a\nb\nc\nd', 'a\nb\nX\nd'), 'a\r\nb\nX\r\nd\n');
    assert.equal(await edit('1\r\n2\n3\r\n', '2', '2\n2.5'), '1\r\n2\n2.5\n3\r\n');
  });

  it('keeps lone CR line ends', async () => {
    assert.equal(await edit('a\rb\rc', 'b', 'x\ny'), 'a\rx\ry\rc');
  });

  it('keeps the byte order mark and a missing last line end', async () => {
    assert.equal(await edit('\ufeffa\nb', 'a', 'c'), '\xef\xbb\xbfc\nb');
  });

  it('keeps UTF-16', async () => {
    const before = Buffer.from('\ufeffä\r\nb', 'utf16le');
    assert.equal(await edit(before, 'ä\nb', '😀\nb'), Buffer.from('\ufeff😀\r\nb', 'utf16le').toString('latin1'));
  });

  it('keeps bytes that are not UTF-8, and refuses to add characters they could not hold', async () => {
    assert.equal(await edit(Buffer.from('caf\xe9 one', 'latin1'), 'one', 'two'), 'caf\xe9 two');
    await assert.rejects(edit(Buffer.from('caf\xe9', 'latin1'), 'caf', '文'), (error) => isAppError(error, 'invalid_input'));
  });

  it('replaces every occurrence when told to', async () => {
    assert.equal(await edit('a\r\na\na', 'a', 'aa', { replace_all: true }), 'aa\r\naa\naa');
    assert.equal(await edit('xxxx', 'xx', 'y', { replace_all: true }), 'yy');
  });

  it('refuses text that is not unique, overlapping too, and says where it stands', async () => {
    assert.match(await refusal('a\nb\na\n', 'a'), /2 times.*line 1, 3/);
    assert.match(await refusal('aaa', 'aa'), /2 times/);
    assert.match(await refusal('a\n'.repeat(100_000), 'a'), /100000 times/);
  });

  it('gives the nearest thing when the text is not there', async () => {
    assert.match(await refusal('one\ntwo\n', '1\tone\n2\ttwo'), /without the line numbers/);
    assert.match(await refusal('if (x) {\n\treturn;\n}\n', '    return;'), /line 2.*white space[^]*\treturn;/);
    assert.match(await refusal('say “hi”\n', 'say "hi"'), /line 1[^]*“hi”/);
    assert.match(await refusal('a\nnew\n', 'old thing'), /already there, at line 2/);
    assert.match(await refusal('x\nconst total = sum(items);\n', 'const total = sum(values);', 'y'), /line is 2/);
    assert.match(await refusal('abc', 'zzzzz'), /Nothing in the file resembles/);
  });

  it('refuses to change nothing', async () => {
    await refusal('a\r\nb', 'a\nb', 'a\r\nb');
  });

  it('refuses a file not read in this run, changed since, missing or binary', async () => {
    const context = toolContext(folder.path);
    const change = (): Promise<unknown> => execute(editTool, { file_path: 'file.txt', old_string: 'a', new_string: 'b' }, context);
    await assert.rejects(change(), (error) => isAppError(error, 'not_found'));
    await writeFile(file, 'a');
    await assert.rejects(change(), (error) => isAppError(error, 'invalid_input'));
    await execute(readTool, { file_path: file }, context);
    await writeFile(file, 'a2');
    await assert.rejects(change(), (error) => isAppError(error, 'conflict'));
    await writeFile(file, '\0a');
    context.reads.seen(file, contentHash(Buffer.from('\0a')));
    await assert.rejects(change(), (error) => isAppError(error, 'invalid_input'));
  });

  it('may go on editing what it has edited, and reports the change', async () => {
    await writeFile(file, 'a');
    const context = toolContext(folder.path);
    await execute(readTool, { file_path: file }, context);
    await execute(editTool, { file_path: file, old_string: 'a', new_string: 'b' }, context);
    assert.deepEqual(context.changes.map(({ path, kind }) => ({ path, kind })), [{ path: file, kind: 'edited' }]);
    await execute(editTool, { file_path: file, old_string: 'b', new_string: 'c' }, context);
    assert.equal(await readFile(file, 'utf8'), 'c');
  });

  it('takes what stands after a formatting save as known, and says that it differs', async () => {
    await writeFile(file, 'a');
    const disk = createNodeFiles();
    const files = { ...disk, write: async (path: string) => ({ ...(await disk.write(path, Buffer.from('formatted'))), note: 'A note.' }) };
    const context = toolContext(folder.path, { files });
    await execute(readTool, { file_path: file }, context);
    assert.match(await executeText(editTool, { file_path: file, old_string: 'a', new_string: 'b' }, context), /Read it before.*A note\./);
    await execute(editTool, { file_path: file, old_string: 'formatted', new_string: 'x' }, context);
  });

  it('writes nothing once aborted', async () => {
    await writeFile(file, 'a');
    const abort = new AbortController();
    const context = toolContext(folder.path, { signal: abort.signal });
    await execute(readTool, { file_path: file }, context);
    abort.abort();
    await assert.rejects(execute(editTool, { file_path: file, old_string: 'a', new_string: 'b' }, context), (error) => isAppError(error, 'aborted'));
    assert.equal(await readFile(file, 'utf8'), 'a');
  });

  it('shows before and after, or why it can do nothing', async () => {
    await writeFile(file, 'a\r\nb');
    const context = toolContext(folder.path);
    assert.deepEqual(await previewOf(editTool, { file_path: file, old_string: 'b', new_string: 'c' }, context), { kind: 'diff', path: file, before: 'a\r\nb', after: 'a\r\nc' });
    assert.equal((await previewOf(editTool, { file_path: file, old_string: 'z', new_string: 'c' }, context)).kind, 'text');
  });
});

describe('a replacement in text', () => {
  const piece = fc.array(fc.constantFrom('a', 'b', '\n', '\r\n', '\r', '😀'), { maxLength: 12 }).map((parts) => parts.join(''));

  it('is the plain replacement in normalised text, and leaves the bytes around it', () => {
    fc.assert(
      fc.property(piece, piece, piece, piece, (before, oldString, after, newString) => {
        fc.pre(oldString !== '' && !before.endsWith('\r') && !oldString.endsWith('\r'));
        const outcome = applyEdit(before + oldString + after, { oldString, newString, replaceAll: false });
        if (outcome.kind !== 'edited') return outcome.kind === 'not_unique';
        assert.ok(outcome.text.startsWith(before) && outcome.text.endsWith(after));
        // A text that mixes in lone CRs can gain a CRLF where two pieces meet; all others normalise to the plain result.
        return outcome.text.includes('\r') || normaliseEnds(outcome.text) === normaliseEnds(before) + normaliseEnds(newString) + normaliseEnds(after);
      }),
    );
  });
});
