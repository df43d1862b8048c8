import assert from 'node:assert/strict';
import { chmod, mkdir, rename, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { GitFolder } from '../../support/gitFolder.ts';
import { wrapGit } from '../../support/gitWrapper.ts';

describe('what a call changed', function () {
  this.timeout(20_000);
  let folder: GitFolder;
  beforeEach(async () => {
    folder = await GitFolder.create();
  });
  afterEach(() => folder.end());

  it('is every file that it edited, created, deleted and renamed, with both contents', async () => {
    await folder.init({ 'a.txt': 'a1\n', 'b.txt': 'b1\n', 'c.txt': 'c1\n', 'dir/d.txt': 'd1\n' });
    const { lines, unseen } = await folder.during(async () => {
      await folder.write('a.txt', 'a2\n');
      await folder.delete('b.txt');
      await folder.write('new/e.txt', 'e1\n');
      await rename(join(folder.path, 'dir/d.txt'), join(folder.path, 'dir/f.txt'));
    });
    assert.deepEqual(lines, ['created dir/f.txt: - > d1\n', 'created new/e.txt: - > e1\n', 'deleted b.txt: b1\n > -', 'deleted dir/d.txt: d1\n > -', 'edited a.txt: a1\n > a2\n']);
    assert.equal(unseen, '');
  });

  it('is told against what stood there when it began, committed or not', async () => {
    await folder.init({ 'a.txt': 'committed\n', 'gone.txt': 'x' });
    await folder.write('a.txt', 'dirty\n');
    await folder.write('untracked.txt', 'u1\n');
    await folder.delete('gone.txt');
    const { lines } = await folder.during(async () => {
      await folder.write('a.txt', 'mine\n');
      await folder.write('untracked.txt', 'u2\n');
      await folder.write('gone.txt', 'back');
    });
    assert.deepEqual(lines, ['created gone.txt: - > back', 'edited a.txt: dirty\n > mine\n', 'edited untracked.txt: u1\n > u2\n']);
  });

  it('holds nothing that others changed before it or between two calls', async () => {
    await folder.init({ 'a.txt': '1' });
    await folder.during(() => folder.write('a.txt', '2'));
    await folder.write('a.txt', 'by the user');
    await folder.write('b.txt', 'by the user');
    assert.deepEqual((await folder.during(() => folder.write('a.txt', '3'))).lines, ['edited a.txt: by the user > 3']);
  });

  it('is nothing where contents stay the same', async () => {
    await folder.init({ 'a.txt': 'same', 'b.sh': 'x' });
    const { lines } = await folder.during(async () => {
      await folder.write('a.txt', 'same');
      await utimes(join(folder.path, 'a.txt'), 1, 1);
      await chmod(join(folder.path, 'b.sh'), 0o755);
      await folder.write('c.txt', 'for a moment');
      await folder.delete('c.txt');
    });
    assert.deepEqual(lines, []);
  });

  it('is seen also within one moment and with the same size, many times over', async () => {
    await folder.init({ 'a.txt': '00' });
    for (let round = 10; round < 30; round += 1) {
      const before = round === 10 ? '00' : String(round - 1);
      assert.deepEqual((await folder.during(() => folder.write('a.txt', String(round)))).lines, [`edited a.txt: ${before} > ${round}`]);
    }
  });

  it('keeps binary contents byte for byte', async () => {
    const bytes = Buffer.from(Array.from({ length: 512 }, (_, index) => index % 256));
    await folder.init({ 'a.bin': bytes });
    const { lines } = await folder.during(() => folder.write('a.bin', Buffer.from([0, 255, 13, 10])));
    assert.deepEqual(lines, [`edited a.bin: ${bytes.toString('latin1')} > \0\xff\r\n`]);
  });

  it('names files as they are named, whatever is in the name', async () => {
    const names = ['with space', 'new\nline', 'quote"\'', 'tab\t', 'ünïcode 漢字', '-dash', ':colon', '*star?', '[a]', '!bang', '#hash', '  ctime: 1', ' end '];
    await folder.init(Object.fromEntries(names.map((name) => [`${name}.old`, 'x'])));
    const { lines } = await folder.during(async () => {
      for (const name of names) {
        await folder.write(name, 'n');
        await folder.write(`${name}.old`, 'y');
      }
    });
    assert.deepEqual(lines, names.flatMap((name) => [`created ${name}: - > n`, `edited ${name}.old: x > y`]).sort());
  });

  it('leaves out what git ignores, also where the call itself stops ignoring it', async () => {
    await folder.init({ '.gitignore': 'out/\n*.log\n' });
    await folder.write('out/a.js', 'old');
    await folder.write('b.log', 'old');
    await folder.write('out/c.js', 'old');
    const first = await folder.during(() => folder.write('out/a.js', 'built'));
    assert.deepEqual(first.lines, []);
    const { lines, changes, unseen } = await folder.during(async () => {
      await folder.write('.gitignore', '');
      await folder.write('b.log', 'new');
      await folder.write('d.txt', 'new');
    });
    assert.equal(unseen, '');
    assert.deepEqual(lines, ['created d.txt: - > new', 'edited .gitignore: out/\n*.log\n > ', 'edited b.log: ? > new']);
    assert.match(JSON.stringify(changes), /Git ignored the file until now/);
  });

  it('sees tracked files that are ignored, and what the user marked as unchanged', async () => {
    await folder.init({ '.gitignore': '*.cfg\n', 'a.cfg': '1', 'b.txt': '1', 'c.txt': '1' });
    folder.git('update-index', '--assume-unchanged', 'b.txt');
    folder.git('update-index', '--skip-worktree', 'c.txt');
    const { lines } = await folder.during(async () => {
      for (const name of ['a.cfg', 'b.txt', 'c.txt']) await folder.write(name, '2');
    });
    assert.deepEqual(lines, ['edited a.cfg: 1 > 2', 'edited b.txt: 1 > 2', 'edited c.txt: 1 > 2']);
  });

  it('follows files that become folders and folders that become files', async () => {
    await folder.init({ 'a': 'file', 'b/c': 'inner' });
    const { lines } = await folder.during(async () => {
      await folder.delete('a');
      await folder.write('a/x', 'inner');
      await folder.delete('b');
      await folder.write('b', 'file');
    });
    assert.deepEqual(lines, ['created a/x: - > inner', 'created b: - > file', 'deleted a: file > -', 'deleted b/c: inner > -']);
    assert.deepEqual((await folder.during(() => folder.write('a/x', 'again'))).lines, ['edited a/x: inner > again']);
  });

  it('says that links can not be shown, and never follows one', async () => {
    await folder.init({ 'a.txt': 'a', 'dir/b.txt': 'b' });
    await mkdir(folder.beside('outside'));
    const { lines, unseen } = await folder.during(async () => {
      await symlink('a.txt', join(folder.path, 'link'));
      await folder.delete('dir');
      await symlink(folder.beside('outside'), join(folder.path, 'dir'));
    });
    assert.deepEqual(lines, ['deleted dir/b.txt: b > -']);
    assert.match(unseen, /symbolic links.*\(?(?:dir, link|link, dir)/);
    const next = await folder.during(() => folder.write('a.txt', 'a2'));
    assert.deepEqual([next.lines, next.unseen], [['edited a.txt: a > a2'], '']);
  });

  it('tells of a file that becomes a link, or is too large, that its content is not kept', async () => {
    await folder.init({ 'a.txt': 'a', 'b.bin': 'b' });
    await folder.write('large.bin', Buffer.alloc(20 * 1024 * 1024 + 1));
    const { lines } = await folder.during(async () => {
      await folder.delete('a.txt');
      await symlink('b.bin', join(folder.path, 'a.txt'));
      await folder.write('b.bin', Buffer.alloc(20 * 1024 * 1024 + 1, 1));
    });
    assert.deepEqual(lines, ['edited a.txt: a > ?', 'edited b.bin: b > ?']);
    const after = await folder.during(() => folder.delete('large.bin'));
    assert.deepEqual(after.lines, ['deleted large.bin: ? > -']);
  });

  it('is told where a file becomes a folder while it is looked at', async () => {
    await using git = await wrapGit('case "$*" in *"update-index --add"*) rm -f d; mkdir -p d; echo inside > d/x;; esac');
    const other = await GitFolder.create({ env: git.env });
    await other.init({ 'a.txt': 'a1' });
    await git.activate();
    const { lines, unseen } = await other.during(async () => {
      await other.write('a.txt', 'a2');
      await other.write('d', 'd1');
    });
    assert.deepEqual([lines, unseen], [['created d: - > d1', 'edited a.txt: a1 > a2'], '']);
    assert.deepEqual((await other.during(() => other.write('a.txt', 'a3'))).lines, ['edited a.txt: a2 > a3']);
    await other.end();
  });

  it('is told without the content of a file that never stands still, and of all others with it', async () => {
    await using git = await wrapGit('case "$*" in *"update-index --add"*) rm -f d; mkdir d; restless=1;; esac', '[ -z "$restless" ] || { rmdir d; echo back > d; }');
    const other = await GitFolder.create({ env: git.env });
    await other.init({ 'a.txt': 'a1', 'z.txt': 'z1' });
    await git.activate();
    const first = await other.during(async () => {
      for (const name of ['a.txt', 'd', 'z.txt']) await other.write(name, 'new');
    });
    assert.deepEqual([first.lines, first.unseen], [['created d: - > ?', 'edited a.txt: a1 > new', 'edited z.txt: z1 > new'], '']);
    await git.deactivate();
    assert.deepEqual((await other.during(() => other.write('d', 'd2'))).lines, ['edited d: back\n > d2']);
    await other.end();
  });

  it('is told of thousands of files, without contents from a certain number on', async () => {
    await folder.init();
    const { lines, unseen } = await folder.during(() => Promise.all(Array.from({ length: 2100 }, (_, index) => folder.write(`f${index}`, 'x'))));
    assert.deepEqual([lines.length, lines.filter((line) => line.endsWith(': - > ?')).length, unseen], [2100, 100, '']);
    const gone = await folder.during(() => Promise.all(Array.from({ length: 2100 }, (_, index) => folder.delete(`f${index}`))));
    assert.deepEqual([gone.lines.length, gone.lines.filter((line) => line.endsWith(': ? > -')).length], [2100, 100]);
  });

  it('is gathered over many files', async () => {
    await folder.init(Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`f${index}`, `old ${index}`])));
    const { changes } = await folder.during(async () => {
      for (let index = 0; index < 300; index += 1) await folder.write(`f${index}`, `new ${index}`);
    });
    assert.equal(changes.length, 300);
    assert.ok(folder.lines(changes).includes('edited f299: old 299 > new 299'));
  });
});
