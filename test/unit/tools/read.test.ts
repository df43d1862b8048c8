import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { isAppError } from '../../../src/runtime/base/errors.ts';
import { textOf } from '../../../src/runtime/domain/messages.ts';
import { createNodeFiles } from '../../../src/runtime/store/nodeFiles.ts';
import { readTool } from '../../../src/runtime/tools/read.ts';
import { checkedResult } from '../../../src/runtime/tools/result.ts';
import { execute, executeText, temporaryFolder, toolContext } from '../../support/toolContext.ts';

describe('Read', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  async function read(content: string | Uint8Array, range: object = {}): Promise<string> {
    await writeFile(join(folder.path, 'file'), content);
    return executeText(readTool, { file_path: 'file', ...range }, toolContext(folder.path));
  }

  it('numbers lines, whatever ends them, and adds none after the last', async () => {
    assert.equal(await read('one\ntwo\r\nthree\rfour\n'), '1\tone\n2\ttwo\n3\tthree\n4\tfour');
    assert.equal(await read('\n\nthree'), '1\t\n2\t\n3\tthree');
  });

  it('leaves out the byte order mark and reads UTF-16', async () => {
    assert.equal(await read('\ufeffa'), '1\ta');
    assert.equal(await read(Buffer.from('\ufeffä😀\n', 'utf16le')), '1\tä😀');
    assert.equal(await read(Buffer.from('\ufeffä😀\n', 'utf16le').swap16()), '1\tä😀');
  });

  it('bounds its answers itself, longer than others may be, and they pass as they are', async () => {
    await writeFile(join(folder.path, 'file'), `${'x'.repeat(1000)}\n`.repeat(200));
    const context = toolContext(folder.path);
    const result = await execute(readTool, { file_path: 'file' }, context);
    assert.ok(textOf(result.content).length > 90_000);
    assert.deepEqual(await checkedResult(result, readTool, context), result);
  });

  it('gives the range asked for and says how to go on', async () => {
    const text = await read('a\nb\nc\nd\n', { offset: 2, limit: 2 });
    assert.ok(text.startsWith('2\tb\n3\tc\n['));
    assert.ok(text.includes('offset 4'));
    assert.equal(await read('a\nb\n', { offset: 2, limit: 2 }), '2\tb');
  });

  it('gives the first lines of a very long file', async () => {
    const text = await read('x'.repeat(99).concat('\n').repeat(100_000));
    assert.ok(text.length < 110_000);
    assert.match(text, /Lines 1 to \d+ of 100000\. Go on with offset \d+/);
  });

  it('cuts a very long line', async () => {
    const text = await read('😀'.repeat(2_500_000));
    assert.ok(text.length < 3000);
    assert.ok(text.isWellFormed());
  });

  it('refuses an offset past the end; an empty file is no error', async () => {
    await assert.rejects(read('a\n', { offset: 2 }), (error) => isAppError(error, 'invalid_input'));
    assert.match(await read(''), /empty/);
  });

  it('refuses binary files', async () => {
    for (const content of [Buffer.from('ELF\0\x01'), Buffer.from('%PDF-1.7 text'), Buffer.from(Array.from({ length: 300 }, (_, index) => (index % 255) + 1))]) {
      await assert.rejects(read(content), (error) => isAppError(error, 'invalid_input'));
    }
  });

  it('shows text of an unknown encoding, and says so', async () => {
    assert.match(await read(Buffer.from('caf\xe9\n', 'latin1')), /^1\tcafé\n\[.*not UTF-8/);
  });

  it('gives images as images, told by their content', async () => {
    const heads = { 'image/png': '\x89PNG\r\n\x1a\n', 'image/jpeg': '\xff\xd8\xff\xe0', 'image/gif': 'GIF89a', 'image/webp': 'RIFF\x01\x02\x03\x04WEBP' };
    for (const [mimeType, head] of Object.entries(heads)) {
      const bytes = Buffer.from(`${head}rest`, 'latin1');
      await writeFile(join(folder.path, 'file'), bytes);
      const { content } = await execute(readTool, { file_path: 'file' }, toolContext(folder.path));
      assert.deepEqual(content, [{ type: 'image', mimeType, data: bytes.toString('base64') }]);
    }
    await assert.rejects(read(Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(6 * 1024 * 1024)])), (error) => isAppError(error, 'invalid_input'));
  });

  it('refuses folders, missing files, pipes and links', async () => {
    await mkdir(join(folder.path, 'sub'));
    await symlink('nowhere', join(folder.path, 'link'));
    if (process.platform !== 'win32') execFileSync('mkfifo', [join(folder.path, 'pipe')]);
    const context = toolContext(folder.path);
    await assert.rejects(execute(readTool, { file_path: 'sub' }, context), (error) => isAppError(error, 'invalid_input'));
    await assert.rejects(execute(readTool, { file_path: 'none' }, context), (error) => isAppError(error, 'not_found'));
    if (process.platform !== 'win32') await assert.rejects(execute(readTool, { file_path: 'pipe' }, context), (error) => isAppError(error, 'invalid_input'));
    await assert.rejects(execute(readTool, { file_path: 'link' }, context), (error) => isAppError(error, 'invalid_input'));
  });

  it('remembers only what it has shown', async () => {
    await writeFile(join(folder.path, 'bin'), '\0');
    await writeFile(join(folder.path, 'txt'), 'x');
    const context = toolContext(folder.path);
    await assert.rejects(execute(readTool, { file_path: 'bin' }, context));
    await execute(readTool, { file_path: 'txt' }, context);
    assert.equal(context.reads.last(join(folder.path, 'bin')), undefined);
    assert.notEqual(context.reads.last(join(folder.path, 'txt')), undefined);
  });

  it('says when the content is an unsaved editor’s', async () => {
    await writeFile(join(folder.path, 'a'), 'disk');
    const files = { ...createNodeFiles(), read: async () => ({ bytes: Buffer.from('editor'), unsaved: true }) };
    assert.match(await executeText(readTool, { file_path: 'a' }, toolContext(folder.path, { files })), /1\teditor[^]*unsaved/);
  });

  it('describes itself in one line and names its target', () => {
    const input = { file_path: `src/${'a\n\u202e'.repeat(60)}` } as never;
    assert.ok(/^Reading src\/a/.test(readTool.describe(input)) && !/[\n\u202e]/.test(readTool.describe(input)));
    assert.ok(readTool.describe(input).length <= 80);
    assert.equal(readTool.targets(input)[0]?.kind, 'path');
  });
});
