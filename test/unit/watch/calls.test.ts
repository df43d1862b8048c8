import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { createNodeFiles } from '../../../src/runtime/store/nodeFiles.ts';
import type { FilePort, SavedFile } from '../../../src/runtime/domain/ports.ts';
import { deferred } from '../../../src/runtime/base/async.ts';
import { Emitter } from '../../../src/runtime/base/emitter.ts';
import { toDisposable, type Disposable } from '../../../src/runtime/base/lifecycle.ts';
import { GitFolder } from '../../support/gitFolder.ts';
import { wrapGit } from '../../support/gitWrapper.ts';
import { ManualClock } from '../../support/manualClock.ts';

/** Writes as tools do: on what is expected to stand there; nothing is no file. */
function writerOf(folder: GitFolder): { write(name: string, expected: string | undefined, content: string | undefined): Promise<void> } {
  const files = folder.watch.observe(createNodeFiles());
  return {
    async write(name, expected, content) {
      const [path, options] = [join(folder.path, name), { expected: { bytes: expected === undefined ? undefined : Buffer.from(expected) } }];
      if (content === undefined) await files.remove(path, options);
      else await files.write(path, Buffer.from(content), options);
    },
  };
}

/** A host with editors in which a user saves files. */
class Editors {
  readonly #folder: GitFolder;
  readonly #saved = new Emitter<SavedFile>(assert.ifError);
  listeners = 0;

  constructor(folder: GitFolder) {
    this.#folder = folder;
    folder.watch.observe({ ...createNodeFiles(), onDidSave: (listener) => this.#listen(listener) });
  }

  async save(name: string, content: string): Promise<void> {
    await this.#folder.write(name, content);
    this.tell({ path: join(this.#folder.path, name), bytes: Buffer.from(content) });
  }

  tell(saved: SavedFile): void {
    this.#saved.fire(saved);
  }

  #listen(listener: (saved: SavedFile) => void): Disposable {
    this.listeners += 1;
    const listening = this.#saved.event(listener);
    return toDisposable(() => {
      this.listeners -= 1;
      listening.dispose();
    });
  }
}

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
    await folder.init({ 'a.txt': 'a1', 'b.txt': 'b1', 'd.txt': 'd1' });
    const tool = writerOf(folder);
    const call = await folder.watch.begin([folder.path]);
    await tool.write('a.txt', 'a1', 'by a tool');
    await tool.write('b.txt', 'b1', 'by a tool');
    await folder.write('b.txt', 'by the command, later');
    await tool.write('d.txt', 'd1', undefined);
    await tool.write('new.txt', undefined, 'by a tool');
    await tool.write('new.txt', 'by a tool', 'by a tool again');
    assert.deepEqual(await end(call), ['edited b.txt: by a tool > by the command, later']);
    const next = await folder.watch.begin([folder.path]);
    await folder.write('a.txt', 'by the next command');
    assert.deepEqual(await end(next), ['edited a.txt: by a tool > by the next command']);
  });

  it('keep what they changed in a file before a tool wrote it, as unsure', async () => {
    await folder.init({ 'a.txt': 'a1', 'b.txt': 'b1', 'c.txt': 'c1' });
    const tool = writerOf(folder);
    const call = await folder.watch.begin([folder.path]);
    await folder.write('a.txt', 'a2');
    await tool.write('a.txt', 'a2', 'a3');
    await folder.write('b.txt', 'b2');
    await tool.write('b.txt', 'b2', 'b3');
    await folder.write('b.txt', 'b4');
    await folder.write('c.txt', 'c2');
    await tool.write('c.txt', 'c2', 'c1');
    assert.deepEqual(await end(call), ['edited a.txt: a1 > a3 (unsure)', 'edited b.txt: b1 > b3 (unsure)', 'edited b.txt: b3 > b4 (unsure)']);
  });

  it('keep it as well where another call had a look in between', async () => {
    await folder.init({ 'a.txt': 'a1', 'b.txt': 'b1' });
    const tool = writerOf(folder);
    const first = await folder.watch.begin([folder.path]);
    for (const name of ['a', 'b']) await folder.write(`${name}.txt`, `${name}2`);
    const second = await folder.watch.begin([folder.path]);
    await tool.write('a.txt', 'a2', 'a3');
    await tool.write('b.txt', 'b2', 'b3');
    await tool.write('b.txt', 'b3', 'b2');
    assert.deepEqual(await end(second), []);
    assert.deepEqual(await end(first), ['edited a.txt: a1 > a3 (unsure)', 'edited b.txt: b1 > b2 (unsure)']);
  });

  it('keep it as well where it was changed further while two were under way', async () => {
    await folder.init({ 'a.txt': 'a1' });
    const first = await folder.watch.begin([folder.path]);
    await folder.write('a.txt', 'a2');
    const second = await folder.watch.begin([folder.path]);
    await folder.write('a.txt', 'a3');
    assert.deepEqual(await end(second), ['edited a.txt: a2 > a3 (unsure)']);
    assert.deepEqual(await end(first), ['edited a.txt: a1 > a3 (unsure)']);
  });

  it('leave out what the user saves in an editor meanwhile, and are unsure of what was changed after it', async () => {
    await folder.init({ 'a.txt': 'a1', 'b.txt': 'b1', 'c.txt': 'c1', 'd.txt': 'd1' });
    const editors = new Editors(folder);
    const call = await folder.watch.begin([folder.path]);
    await editors.save('a.txt', 'by the user');
    await editors.save('b.txt', 'by the user');
    await folder.write('b.txt', 'by the command, later');
    await editors.save('new.txt', 'by the user');
    await folder.write('c.txt', 'by the command');
    assert.deepEqual(await end(call), ['edited b.txt: b1 > by the command, later (unsure)', 'edited c.txt: c1 > by the command']);
    const next = await folder.watch.begin([folder.path]);
    await folder.write('a.txt', 'by the next command');
    assert.deepEqual(await end(next), ['edited a.txt: by the user > by the next command']);
  });

  it('are unsure of what they changed before the user saved, where another call had a look in between', async () => {
    await folder.init({ 'a.txt': 'a1' });
    const editors = new Editors(folder);
    const first = await folder.watch.begin([folder.path]);
    await folder.write('a.txt', 'a2');
    const second = await folder.watch.begin([folder.path]);
    await editors.save('a.txt', 'a3');
    assert.deepEqual(await end(second), []);
    assert.deepEqual(await end(first), ['edited a.txt: a1 > a3 (unsure)']);
  });

  it('know a file that was saved through a link, by an editor that can not tell the content', async () => {
    await folder.init({ 'a.txt': 'a1' });
    await symlink(folder.path, folder.beside('link'));
    const editors = new Editors(folder);
    const call = await folder.watch.begin([folder.path]);
    await folder.write('a.txt', 'by the user');
    editors.tell({ path: join(folder.beside('link'), 'a.txt') });
    assert.deepEqual(await end(call), []);
  });

  it('listen to no editor any more once the watch is closed', async () => {
    const editors = new Editors(folder);
    assert.equal(editors.listeners, 1);
    await folder.watch.close();
    assert.equal(editors.listeners, 0);
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
    const writing = files.write(join(folder.path, 'a.txt'), Buffer.from('by a tool'), { expected: { bytes: Buffer.from('a1') } });
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

  it('says that a look takes too long, and leaves the folder alone for some time', async () => {
    await using git = await wrapGit('exec sleep 60');
    const clock = new ManualClock();
    folder = await GitFolder.create({ env: git.env, laterLookMs: 0, clock });
    await folder.init({ 'a.txt': '1' });
    const first = await folder.during(() => folder.write('a.txt', '2'));
    assert.deepEqual([first.lines, first.unseen], [[], `What commands change in ${folder.path} is not known for now: looking took too long.`]);
    await git.activate();
    const second = await folder.during(() => folder.write('a.txt', '3'));
    assert.deepEqual([second.lines, second.unseen], [[], first.unseen]);
    assert.equal(await git.calls(), 0);
  });

  it('looks again where a first look failed, once some time has passed', async () => {
    await using git = await wrapGit('echo "No space left on device" >&2; exit 128');
    const clock = new ManualClock();
    folder = await GitFolder.create({ env: git.env, clock });
    await folder.init({ 'a.txt': '1' });
    await git.activate();
    assert.match((await folder.during(() => folder.write('a.txt', '2'))).unseen, /No space left on device/);
    await git.deactivate();
    assert.match((await folder.during(() => folder.write('a.txt', '3'))).unseen, /No space left on device/);
    clock.advance(5 * 60_000);
    const { lines, unseen } = await folder.during(() => folder.write('a.txt', '4'));
    assert.deepEqual([lines, unseen], [['edited a.txt: 3 > 4'], '']);
  });

  it('says that the first look takes too long, and does not try again at once', async () => {
    folder = await GitFolder.create({ firstLookMs: 0 });
    await folder.init({ 'a.txt': '1' });
    for (let round = 0; round < 2; round += 1) {
      const { lines, unseen } = await folder.during(() => folder.write('a.txt', `2${round}`));
      assert.deepEqual(lines, []);
      assert.match(unseen, /too large to look at/);
    }
  });
});
