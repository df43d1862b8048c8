import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { createNodeFiles } from '../../../src/runtime/store/nodeFiles.ts';
import type { FilePort } from '../../../src/runtime/domain/ports.ts';
import { deferred } from '../../../src/runtime/base/async.ts';
import { GitFolder } from '../../support/gitFolder.ts';

describe('watched calls', function () {
  this.timeout(20_000);
  let folder: GitFolder;
  beforeEach(async () => {
    folder = await GitFolder.create();
  });
  afterEach(() => folder.end());

  const end = async (call: Awaited<ReturnType<GitFolder['watch']['begin']>>): Promise<readonly string[]> => folder.lines((await call.end()).changes);

  it('at the same time: a change is told once, as unsure where it may be the work of either', async () => {
    await folder.init({ 'a.txt': '1', 'b.txt': '1', 'c.txt': '1' });
    const first = await folder.watch.begin([folder.path]);
    await folder.write('a.txt', 'only the first was there');
    const second = await folder.watch.begin([folder.path]);
    await folder.write('b.txt', 'either');
    const firstLines = await end(first);
    await folder.write('c.txt', 'only the second is left');
    assert.deepEqual(firstLines, ['edited a.txt: 1 > only the first was there', 'edited b.txt: 1 > either (unsure)']);
    assert.deepEqual(await end(second), ['edited c.txt: 1 > only the second is left']);
  });

  it('at the same time: a file that is changed in both spans is one change of the first', async () => {
    await folder.init({ 'a.txt': '1' });
    const first = await folder.watch.begin([folder.path]);
    await folder.write('a.txt', '2');
    const second = await folder.watch.begin([folder.path]);
    await folder.write('a.txt', '3');
    assert.deepEqual(await end(first), ['edited a.txt: 1 > 3 (unsure)']);
    assert.deepEqual(await end(second), []);
  });

  it('in great number leave nothing out and tell nothing twice', async () => {
    await folder.init({ 'a.txt': '1' });
    const results = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const call = await folder.watch.begin([folder.path]);
        await folder.write(`f${index}`, String(index));
        return end(call);
      }),
    );
    const told = results.flat().map((line) => line.replace(' (unsure)', '')).sort();
    assert.deepEqual(told, Array.from({ length: 12 }, (_, index) => `created f${index}: - > ${index}`).sort());
  });

  it('end once, however often they are told to', async () => {
    await folder.init({ 'a.txt': '1' });
    const call = await folder.watch.begin([folder.path]);
    await folder.write('a.txt', '2');
    assert.deepEqual(await Promise.all([end(call), end(call)]), [['edited a.txt: 1 > 2'], ['edited a.txt: 1 > 2']]);
  });

  it('leave out what is written to the observed files meanwhile, and only that', async () => {
    await folder.init({ 'a.txt': 'a1', 'b.txt': 'b1', 'c.txt': 'c1', 'd.txt': 'd1' });
    const files = folder.watch.observe(createNodeFiles());
    const path = (name: string): string => join(folder.path, name);
    const call = await folder.watch.begin([folder.path]);
    await files.write(path('a.txt'), Buffer.from('by a tool'));
    await files.write(path('b.txt'), Buffer.from('by a tool'));
    await folder.write('b.txt', 'by the command, later');
    await folder.write('c.txt', 'by the command, earlier');
    await files.write(path('c.txt'), Buffer.from('by a tool'));
    await files.remove(path('d.txt'));
    await files.write(path('new.txt'), Buffer.from('by a tool'));
    assert.deepEqual(await end(call), ['edited b.txt: by a tool > by the command, later (unsure)']);
    const next = await folder.watch.begin([folder.path]);
    await folder.write('a.txt', 'by the next command');
    assert.deepEqual(await end(next), ['edited a.txt: by a tool > by the next command']);
  });

  it('say of a file that a tool wrote, too, that the parts of the two can not be told apart', async () => {
    await folder.init({ 'a.txt': '1\n2\n3\n', 'b.txt': '1' });
    const files = folder.watch.observe(createNodeFiles());
    const call = await folder.watch.begin([folder.path]);
    await folder.write('a.txt', '1 by the command\n2\n3\n');
    await files.write(join(folder.path, 'a.txt'), Buffer.from('1 by the command\n2\n3 by the tool\n'));
    await folder.write('a.txt', '1 by the command\n2 again\n3 by the tool\n');
    await folder.write('b.txt', '2');
    const { changes } = await call.end();
    assert.deepEqual(changes.map(({ path, unsure }) => [path, unsure?.includes('file tool')]), [[join(folder.path, 'a.txt'), true], [join(folder.path, 'b.txt'), undefined]]);
    const next = await folder.watch.begin([folder.path]);
    await folder.write('a.txt', 'later');
    assert.equal((await next.end()).changes[0]?.unsure, undefined);
  });

  it('leave out a write that stands on the disk already and has not ended yet', async () => {
    await folder.init({ 'a.txt': 'a1' });
    const [written, release] = [deferred<void>(), deferred<void>()];
    const slow: FilePort = {
      ...createNodeFiles(),
      async write(path, bytes) {
        await writeFile(path, bytes);
        written.resolve();
        await release.promise;
        return { bytes };
      },
    };
    const files = folder.watch.observe(slow);
    const call = await folder.watch.begin([folder.path]);
    const writing = files.write(join(folder.path, 'a.txt'), Buffer.from('by a tool'));
    await written.promise;
    const ending = end(call);
    release.resolve();
    assert.deepEqual(await ending, []);
    await writing;
  });

  it('pass on what observed files reject with', async () => {
    await folder.init({ 'a.txt': '1' });
    const files = folder.watch.observe(createNodeFiles());
    const call = await folder.watch.begin([folder.path]);
    await assert.rejects(files.write(join(folder.path, 'a.txt'), Buffer.from('2'), { expected: { bytes: undefined } }), { reason: 'conflict' });
    await assert.rejects(files.read(join(folder.path, 'none')), { reason: 'not_found' });
    assert.equal((await files.stat(join(folder.path, 'a.txt')))?.size, 1);
    assert.deepEqual(await end(call), []);
  });

  it('work in a folder that is no repository, with its ignore files', async () => {
    await folder.write('a.txt', '1');
    await folder.write('.gitignore', 'out\n');
    await folder.write('out/x', '1');
    const { lines, unseen } = await folder.during(async () => {
      await folder.write('a.txt', '2');
      await folder.write('b/c.txt', 'new');
      await folder.write('out/x', '2');
    });
    assert.deepEqual([lines, unseen], [['created b/c.txt: - > new', 'edited a.txt: 1 > 2'], '']);
    assert.equal(existsSync(join(folder.path, '.git')), false);
    const made = await folder.during(() => folder.git('init', '-q'));
    assert.deepEqual([made.lines, made.unseen], [[], '']);
    assert.deepEqual((await folder.during(() => folder.write('a.txt', '3'))).lines, ['edited a.txt: 2 > 3']);
  });

  it('see nothing in the folder where the product keeps its own', async () => {
    for (const name of ['own', 'odd [name]* \\ #1']) {
      const inner = await GitFolder.create({ ownFolder: folder.path });
      const outer = await GitFolder.create({ ownFolder: join(inner.path, name) });
      assert.deepEqual((await inner.during(() => inner.write('a', '1'))).lines, ['created a: - > 1']);
      const call = await outer.watch.begin([inner.path]);
      await inner.write(`${name}/x`, '1');
      await inner.write('b', '1');
      assert.deepEqual((await call.end()).changes.map(({ path }) => path), [join(inner.path, 'b')]);
      await Promise.all([inner.end(), outer.end()]);
    }
  });

  it('work in several folders, of which some are not there', async () => {
    await folder.write('x/a.txt', '1');
    await folder.write('y/a.txt', '1');
    const places = [join(folder.path, 'x'), join(folder.path, 'y'), join(folder.path, 'none'), join(folder.path, 'x')];
    const { lines, unseen } = await folder.during(async () => {
      for (const name of ['x/a.txt', 'y/a.txt']) await folder.write(name, '2');
    }, places);
    assert.deepEqual([lines, unseen], [['edited x/a.txt: 1 > 2', 'edited y/a.txt: 1 > 2'], '']);
  });

  it('leave no trace once the watch is closed, also of calls that never ended', async () => {
    await folder.init({ 'a.txt': '1' });
    await folder.watch.begin([folder.path]);
    assert.equal(existsSync(folder.watchFolder), true);
    await folder.watch.close();
    await folder.watch.close();
    assert.equal(existsSync(folder.watchFolder), false);
    const { changes, unseen } = await (await folder.watch.begin([folder.path])).end();
    assert.deepEqual(changes, []);
    assert.notEqual(unseen, undefined);
  });
});

describe('a call of which nothing can be known', () => {
  let folder: GitFolder;
  afterEach(() => folder.end());

  it('says that there is no git', async () => {
    folder = await GitFolder.create({ env: { PATH: '/nowhere' } });
    await folder.write('a.txt', '1');
    const { lines, unseen } = await folder.during(() => folder.write('a.txt', '2'));
    assert.deepEqual(lines, []);
    assert.match(unseen, /no git is found/);
  });

  it('says that a folder without a repository holds too much', async () => {
    folder = await GitFolder.create({ maxNewFiles: 3 });
    for (const name of ['a', 'b', 'c', 'd']) await folder.write(`dir/${name}`, '');
    const { lines, unseen } = await folder.during(() => folder.write('dir/a', '2'));
    assert.deepEqual(lines, []);
    assert.match(unseen, /more than 3 files/);
    assert.deepEqual(await readdir(folder.watchFolder), []);
  });

  it('says that too much came at once', async () => {
    folder = await GitFolder.create({ maxNewFiles: 3 });
    await folder.init({ 'a.txt': '1' });
    const { lines, unseen } = await folder.during(async () => {
      for (const name of ['a', 'b', 'c', 'd']) await folder.write(name, '');
    });
    assert.deepEqual(lines, []);
    assert.match(unseen, /more than 3 files/);
    for (const name of ['a', 'b']) await folder.delete(name);
    assert.deepEqual((await folder.during(() => folder.write('c', '2'))).lines, ['edited c:  > 2']);
  });

  it('says that the first look takes too long, and does not try again', async () => {
    folder = await GitFolder.create({ firstLookMs: 0 });
    await folder.init({ 'a.txt': '1' });
    for (let round = 0; round < 2; round += 1) {
      const { lines, unseen } = await folder.during(() => folder.write('a.txt', `2${round}`));
      assert.deepEqual(lines, []);
      assert.match(unseen, /too large to look at/);
    }
  });
});
