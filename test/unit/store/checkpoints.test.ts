import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { isAppError } from '../../../src/runtime/base/errors.ts';
import type { FileState } from '../../../src/runtime/domain/tools.ts';
import { createCheckpoints } from '../../../src/runtime/store/checkpoints.ts';
import { temporaryFolder } from '../../support/toolContext.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);

describe('kept contents of files', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  const inside = (): string => join(folder.path, 'deep', 'checkpoints');
  const checkpoints = () => createCheckpoints(inside());
  const fileOf = (hash: string): string => join(inside(), hash.slice(0, 2), hash);
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  async function kept(content: Uint8Array): Promise<string> {
    const state = await checkpoints().keep(content);
    assert.ok(state.kind === 'kept', JSON.stringify(state));
    return state.hash;
  }
  const whyUnknown = (state: FileState): string => (state.kind === 'unknown' ? state.why : assert.fail(`it is ${state.kind}`));

  it('come back byte for byte, also after a restart, empty ones and those that are no text', async () => {
    for (const content of [bytes(''), bytes('a\r\n'), Buffer.from([0, 255, 0xd8]), Buffer.alloc(10 * 1024 * 1024, 'x')]) {
      const hash = await kept(content);
      assert.ok(Buffer.from(await checkpoints().read(hash)).equals(content));
    }
  });

  it('are told with the permissions that the file had, where they are known', async () => {
    const states = await Promise.all([checkpoints().keep(bytes('a'), 0o100600), checkpoints().keep(bytes('a'), 0o4755), checkpoints().keep(bytes('a'))]);
    assert.deepEqual(states.map((state) => (state.kind === 'kept' ? state.mode : state.kind)), [0o600, 0o755, undefined]);
  });

  it('are files that only their owner can read, each content once', async () => {
    const hashes = await Promise.all([kept(bytes('secret')), kept(bytes('secret')), kept(bytes('other'))]);
    assert.equal(new Set(hashes).size, 2);
    const files = (await readdir(inside(), { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    assert.equal(files.length, 2);
    if (process.platform === 'win32') return;
    for (const hash of hashes) {
      assert.equal((await stat(fileOf(hash))).mode & 0o777, 0o600);
      assert.equal((await stat(join(inside(), hash.slice(0, 2)))).mode & 0o777, 0o700);
    }
    assert.equal((await stat(inside())).mode & 0o777, 0o700);
  });

  it('say that no file is no content', async () => {
    assert.deepEqual(await checkpoints().keep(undefined), { kind: 'absent' });
  });

  it('are of up to 20 MB, and else unknown with the reason', async () => {
    const largest = Buffer.alloc(20 * 1024 * 1024);
    await kept(largest);
    assert.match(whyUnknown(await checkpoints().keep(Buffer.concat([largest, bytes('x')]))), /20 MB/);
  });

  it('are not found once they are damaged or gone, and are kept anew when they come again', async () => {
    const hash = await kept(bytes('right'));
    for (const damage of ['wrong', 'longer than right', '']) {
      await writeFile(fileOf(hash), damage);
      await assert.rejects(checkpoints().read(hash), (error) => isAppError(error, 'not_found'));
      assert.equal(await kept(bytes('right')), hash);
      assert.equal(await readFile(fileOf(hash), 'utf8'), 'right');
    }
    await rm(inside(), { recursive: true });
    await assert.rejects(checkpoints().read(hash), (error) => isAppError(error, 'not_found'));
    assert.equal(await kept(bytes('right')), hash);
  });

  it('are named by hashes only, so that nothing else can be read', async () => {
    await writeFile(join(folder.path, 'other'), 'secret');
    for (const name of ['', '..', '../../other', join(folder.path, 'other'), 'x'.repeat(43)]) {
      await assert.rejects(checkpoints().read(name), (error) => isAppError(error, 'not_found'));
    }
  });

  it('are unknown where the folder can not be used, which rejects nothing', async () => {
    await mkdir(join(folder.path, 'deep'));
    await writeFile(inside(), 'no folder');
    assert.match(whyUnknown(await checkpoints().keep(bytes('x'))), /could not be kept \(ENOTDIR\)/);
  });

});
