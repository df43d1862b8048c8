import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, link, lstat, mkdir, readdir, readFile, rename, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { isAppError } from '../../../src/runtime/base/errors.ts';
import { createNodeFiles } from '../../../src/runtime/store/nodeFiles.ts';
import { createSpill } from '../../../src/runtime/store/spill.ts';
import { temporaryFolder } from '../../support/toolContext.ts';

const posix = process.platform !== 'win32';

describe('files on the disk', () => {
  const files = createNodeFiles();
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  const at = (...parts: string[]): string => join(folder.path, ...parts);
  const bytes = (text: string): Uint8Array => Buffer.from(text);
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  it('reads what was written, also empty and not text', async () => {
    for (const content of [Buffer.alloc(0), Buffer.from([0, 255, 10, 13]), Buffer.alloc(10 * 1024 * 1024, 'x')]) {
      await files.write(at('a.bin'), content);
      assert.ok(content.equals((await files.read(at('a.bin'))).bytes));
    }
  });

  it('makes missing folders', async () => {
    await files.write(at('a', 'b', 'c.txt'), bytes('x'));
    assert.equal(await readFile(at('a', 'b', 'c.txt'), 'utf8'), 'x');
  });

  it('says that a missing file is not found, and has no stat of it', async () => {
    assert.equal(await files.stat(at('none')), undefined);
    await writeFile(at('file'), '');
    assert.equal(await files.stat(at('file', 'below')), undefined);
    await assert.rejects(files.read(at('none')), (error) => isAppError(error, 'not_found'));
  });

  it('tells files, folders and other things apart', async () => {
    await symlink('nowhere', at('link'));
    await writeFile(at('file'), '12345');
    assert.deepEqual(await files.stat(at('file')), { kind: 'file', size: 5 });
    assert.equal((await files.stat(folder.path))?.kind, 'directory');
    assert.equal((await files.stat(at('link')))?.kind, 'other');
  });

  it('refuses folders for reading and writing', async () => {
    await assert.rejects(files.read(folder.path), (error) => isAppError(error, 'invalid_input'));
    await assert.rejects(files.write(folder.path, bytes('')), (error) => isAppError(error, 'invalid_input'));
  });

  it('refuses a link in the last position, dangling ones too, and leaves its target alone', async () => {
    await writeFile(at('target'), 'secret');
    await symlink(at('target'), at('link'));
    await symlink(at('nowhere'), at('dangling'));
    for (const name of ['link', 'dangling']) {
      await assert.rejects(files.read(at(name)), (error) => isAppError(error, 'invalid_input'));
      await assert.rejects(files.write(at(name), bytes('x')), (error) => isAppError(error, 'invalid_input'));
    }
    assert.equal(await readFile(at('target'), 'utf8'), 'secret');
    assert.equal(await files.stat(at('nowhere')), undefined);
  });

  it('refuses pipes and devices without blocking', async function () {
    if (!posix) return this.skip();
    execFileSync('mkfifo', [at('pipe')]);
    for (const path of [at('pipe'), '/dev/zero']) {
      await assert.rejects(files.read(path), (error) => isAppError(error, 'invalid_input'));
      await assert.rejects(files.write(path, bytes('x')), (error) => isAppError(error, 'invalid_input'));
    }
    assert.ok((await lstat(at('pipe'))).isFIFO());
  });

  it('refuses what is larger than its limit', async () => {
    await writeFile(at('huge'), '');
    await truncate(at('huge'), 51 * 1024 * 1024);
    await assert.rejects(files.read(at('huge')), (error) => isAppError(error, 'invalid_input'));
  });

  it('keeps the mode of a file it replaces', async function () {
    if (!posix) return this.skip();
    await writeFile(at('run.sh'), 'old');
    await chmod(at('run.sh'), 0o750);
    await files.write(at('run.sh'), bytes('new'));
    assert.equal((await stat(at('run.sh'))).mode & 0o777, 0o750);
  });

  it('makes a file of a given mode, which an existing one keeps its own instead of', async function () {
    if (!posix) this.skip();
    await files.write(at('key'), bytes('1'), { mode: 0o600 });
    await files.write(at('run.sh'), bytes('1'), { mode: 0o4755 });
    await files.write(at('key'), bytes('2'), { mode: 0o644 });
    assert.deepEqual([(await stat(at('key'))).mode & 0o7777, (await stat(at('run.sh'))).mode & 0o7777], [0o600, 0o755]);
  });

  it('takes the place of a folder without files only where it is to', async () => {
    await mkdir(at('f', 'a', 'b'), { recursive: true });
    await assert.rejects(files.write(at('f'), bytes('1')), (error) => isAppError(error, 'invalid_input'));
    await writeFile(at('f', 'a', 'mine'), 'mine');
    await assert.rejects(files.write(at('f'), bytes('1'), { replacesFolder: true }), (error) => isAppError(error, 'invalid_input'));
    assert.deepEqual((await readdir(at('f'), { recursive: true })).sort(), ['a', join('a', 'b'), join('a', 'mine')]);
    await rm(at('f', 'a', 'mine'));
    await files.write(at('f'), bytes('1'), { replacesFolder: true, expected: { bytes: undefined } });
    assert.equal(await readFile(at('f'), 'utf8'), '1');
  });

  it('replaces the name and leaves another name of the old file alone', async () => {
    await writeFile(at('a'), 'old');
    await link(at('a'), at('other'));
    await files.write(at('a'), bytes('new'));
    assert.equal(await readFile(at('other'), 'utf8'), 'old');
  });

  it('refuses a folder of the path that became a link, and leaves nothing behind', async () => {
    await mkdir(at('elsewhere'));
    await mkdir(at('project'));
    await rename(at('project'), at('moved'));
    await symlink(at('elsewhere'), at('project'));
    for (const path of [at('project', 'a.txt'), at('project', 'deep', 'a.txt')]) {
      await assert.rejects(files.write(path, bytes('x')), (error) => isAppError(error, 'conflict'));
    }
    assert.deepEqual(await readdir(at('elsewhere')), []);
  });

  it('leaves only whole contents and no temporary file when many write at once', async () => {
    const contents = Array.from({ length: 20 }, (_, index) => String(index).repeat(5000));
    await Promise.all(contents.map((content) => files.write(at('a.txt'), bytes(content))));
    assert.ok(contents.includes(await readFile(at('a.txt'), 'utf8')));
    assert.deepEqual(await readdir(folder.path), ['a.txt']);
  });

  it('takes names with any characters', async () => {
    for (const name of ['ünï 文件 😀.txt', '-e', ' x ', 'n'.repeat(200)]) {
      await files.write(at(name), bytes(name));
      assert.equal(Buffer.from((await files.read(at(name))).bytes).toString(), name);
    }
  });

  it('spills into files of its own that only the owner can read', async () => {
    const spill = createSpill(at('deep', 'spilled'));
    const paths = await Promise.all([spill('bash', 'one'), spill('bash', 'two'), spill('../../evil/\0', 'three')]);
    assert.equal(new Set(paths).size, 3);
    assert.ok(paths.every((path) => path.startsWith(at('deep', 'spilled'))));
    assert.deepEqual(await Promise.all(paths.map((path) => readFile(path, 'utf8'))), ['one', 'two', 'three']);
    if (posix) assert.equal((await stat(at('deep', 'spilled'))).mode & 0o777, 0o700);
    if (posix) assert.equal((await stat(paths[0] ?? '')).mode & 0o777, 0o600);
    await rm(at('deep'), { recursive: true });
    assert.equal(await readFile(await spill('again', 'four'), 'utf8'), 'four');
  });
});
