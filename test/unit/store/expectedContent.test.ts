import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { isAppError, type ErrorReason } from '../../../src/runtime/base/errors.ts';
import { createNodeFiles } from '../../../src/runtime/store/nodeFiles.ts';
import { swapLinks } from '../../support/linkSwapper.ts';
import { temporaryFolder } from '../../support/toolContext.ts';

const posix = process.platform !== 'win32';
const isUnprivileged = posix && process.getuid?.() !== 0;

describe('files on the disk that must be as they were', () => {
  const files = createNodeFiles();
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  const at = (...parts: string[]): string => join(folder.path, ...parts);
  const bytes = (text: string): Uint8Array => Buffer.from(text);
  const expecting = (text: string | undefined) => ({ expected: { bytes: text === undefined ? undefined : bytes(text) } });
  const refused = (work: Promise<unknown>, reason: ErrorReason = 'conflict'): Promise<void> => assert.rejects(work, (error) => isAppError(error, reason));
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  it('are written and removed while they are', async () => {
    await files.write(at('deep', 'a.txt'), bytes('one'), expecting(undefined));
    await files.write(at('deep', 'a.txt'), bytes(''), expecting('one'));
    await files.write(at('deep', 'a.txt'), bytes('two'), expecting(''));
    assert.equal(await readFile(at('deep', 'a.txt'), 'utf8'), 'two');
    await files.remove(at('deep', 'a.txt'), expecting('two'));
    assert.deepEqual(await readdir(at('deep')), []);
  });

  it('stay when they hold something else, of the same size too', async () => {
    await writeFile(at('a.txt'), 'mine');
    for (const before of ['them', 'longer', '', undefined]) {
      await refused(files.write(at('a.txt'), bytes('new'), expecting(before)));
      await refused(files.remove(at('a.txt'), expecting(before)));
    }
    assert.equal(await readFile(at('a.txt'), 'utf8'), 'mine');
    assert.deepEqual(await readdir(folder.path), ['a.txt']);
  });

  it('are not made anew when they are gone', async () => {
    await refused(files.write(at('deep', 'a.txt'), bytes('new'), expecting('old')));
    await refused(files.remove(at('a.txt'), expecting('old')));
    assert.deepEqual(await readdir(folder.path), []);
  });

  it('are as good as removed when they are not there and nothing else is expected', async () => {
    await writeFile(at('file'), '');
    for (const path of [at('none'), at('no', 'such', 'folder'), at('file', 'below')]) {
      await files.remove(path);
      await files.remove(path, expecting(undefined));
    }
  });

  it('are too large to be what was expected without being read', async () => {
    await writeFile(at('huge'), '');
    await truncate(at('huge'), 60 * 1024 * 1024);
    await refused(files.write(at('huge'), bytes('new'), expecting('old')));
  });

  it('are neither folders nor links', async () => {
    await mkdir(at('folder'));
    await writeFile(at('target'), 'x');
    await symlink(at('target'), at('link'));
    for (const name of ['folder', 'link']) {
      await refused(files.remove(at(name)), 'invalid_input');
      await refused(files.remove(at(name), expecting('x')), 'invalid_input');
      await refused(files.write(at(name), bytes('y'), expecting('x')), 'invalid_input');
    }
    assert.deepEqual((await readdir(folder.path)).sort(), ['folder', 'link', 'target']);
    assert.equal(await readFile(at('target'), 'utf8'), 'x');
  });

  it('are not removed where the system protects them', async function () {
    if (!isUnprivileged) return this.skip();
    await writeFile(at('a.txt'), 'x');
    await chmod(at('a.txt'), 0o444);
    await refused(files.remove(at('a.txt'), expecting('x')), 'denied');
    await chmod(at('a.txt'), 0o644);
    await chmod(folder.path, 0o555);
    await refused(files.remove(at('a.txt'), expecting('x')), 'denied').finally(() => chmod(folder.path, 0o755));
    assert.equal(await readFile(at('a.txt'), 'utf8'), 'x');
  });

  it('are not removed through a folder that became a link', async () => {
    await mkdir(at('elsewhere'));
    await writeFile(at('elsewhere', 'a.txt'), 'x');
    await mkdir(at('project'));
    await rename(at('project'), at('moved'));
    await symlink(at('elsewhere'), at('project'));
    await refused(files.remove(at('project', 'a.txt')));
    await refused(files.remove(at('project', 'a.txt'), expecting('x')));
    assert.deepEqual(await readdir(at('elsewhere')), ['a.txt']);
  });

  it('are never lost to two who make the same file', async () => {
    for (let round = 0; round < 20; round += 1) {
      const path = at(`${round}.txt`);
      const made = await Promise.allSettled(['a', 'b', 'c', 'd'].map(async (text) => (await files.write(path, bytes(text), expecting(undefined))) && text));
      const winners = made.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
      assert.deepEqual(winners, [await readFile(path, 'utf8')], 'one has made it, the others were refused');
      assert.ok(made.every((each) => each.status === 'fulfilled' || isAppError(each.reason, 'conflict')));
    }
    assert.ok((await readdir(folder.path)).every((name) => /^\d+\.txt$/.test(name)), 'and nothing is left behind');
  });

  it('are removed from no other folder while links are swapped under them', async function () {
    if (process.platform !== 'linux') return this.skip();
    this.timeout(20_000);
    await mkdir(at('project'));
    await mkdir(at('elsewhere'));
    await writeFile(at('elsewhere', 'a.txt'), 'precious');
    const swapper = swapLinks(at('project'), at('elsewhere'));
    let removed = 0;
    while (swapper.swaps() < 300) {
      // Where it really is: by its path it may be the other one.
      await files.write(at('project', 'a.txt'), bytes('x')).catch(() => undefined);
      await files.remove(at('project', 'a.txt')).then(() => (removed += 1), () => undefined);
    }
    await swapper.stop();
    assert.ok(removed > 0);
    assert.equal(await readFile(at('elsewhere', 'a.txt'), 'utf8'), 'precious');
    await rm(at('project'), { recursive: true });
  });
});
