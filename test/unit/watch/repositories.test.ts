import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { GitFolder } from '../../support/gitFolder.ts';

/** Every file below a folder with a hash of its content and when it last changed. */
async function inventory(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(files.sort().map(async (path) => `${path} ${lstatSync(path, { bigint: true }).mtimeNs} ${createHash('sha256').update(await readFile(path)).digest('hex')}`));
}

describe('watching a repository', function () {
  this.timeout(20_000);
  let folder: GitFolder;
  beforeEach(async () => {
    folder = await GitFolder.create();
  });
  afterEach(() => folder.end());

  it('writes nothing to it', async () => {
    await folder.init({ 'a.txt': 'a1', 'b.txt': 'b1' });
    await folder.write('c.txt', 'b1');
    const before = await inventory(join(folder.path, '.git'));
    const { lines } = await folder.during(async () => {
      await folder.write('a.txt', 'b1');
      await folder.delete('b.txt');
      await folder.write('new.txt', 'a1');
    });
    await folder.during(() => folder.write('a.txt', 'a1'));
    assert.equal(lines.length, 3);
    assert.deepEqual(await inventory(join(folder.path, '.git')), before);
  });

  it('runs none of the programs that its settings name', async () => {
    const marker = folder.beside('marker');
    const program = folder.beside('program.sh');
    await writeFile(program, `#!/bin/sh\necho ran >> '${marker}'\ncat\n`);
    await chmod(program, 0o755);
    await folder.init({ 'a.dat': 'plain', 'b.txt': 'b1' });
    await folder.write('.gitattributes', '*.dat filter=evil diff=evil merge=evil\n*.txt filter=late\n');
    for (const [key, value] of [['filter.evil.clean', program], ['filter.evil.smudge', program], ['filter.evil.process', program], ['filter.evil.required', 'true'], ['filter.late.clean', program], ['diff.evil.textconv', program], ['core.fsmonitor', program], ['core.pager', program], ['core.editor', program], ['core.sshCommand', program]]) folder.git('config', key ?? '', value ?? '');
    for (const hook of ['post-index-change', 'pre-commit', 'post-checkout', 'reference-transaction', 'fsmonitor-watchman']) {
      await writeFile(join(folder.path, '.git/hooks', hook), `#!/bin/sh\necho ran >> '${marker}'\n`);
      await chmod(join(folder.path, '.git/hooks', hook), 0o755);
    }
    const { lines, unseen } = await folder.during(async () => {
      await folder.write('a.dat', 'PLAIN');
      await folder.write('new.dat', 'new');
      await folder.write('b.txt', 'b2');
    });
    assert.deepEqual(lines, ['created new.dat: - > new', 'edited a.dat: ? > PLAIN', 'edited b.txt: ? > b2']);
    assert.equal(unseen, '');
    // Once seen, its content is known as it is on the disk.
    assert.deepEqual((await folder.during(() => folder.write('a.dat', 'again'))).lines, ['edited a.dat: PLAIN > again']);
    assert.equal(existsSync(marker), false);
  });

  for (const [what, settings, attributes] of [
    ['core.autocrlf', ['core.autocrlf', 'true'], ''],
    ['text=auto and core.eol', ['core.eol', 'crlf'], '* text=auto\n'],
    ['eol=crlf', ['core.autocrlf', 'false'], '*.txt eol=crlf\n'],
  ] as const) {
    it(`keeps line ends as they are on the disk under ${what}`, async () => {
      await folder.init({ '.gitattributes': attributes, 'crlf.txt': 'one\ntwo\n', 'other.bin': 'x\0\ny' });
      folder.git('config', ...settings);
      await folder.delete('crlf.txt');
      folder.git('checkout', '--', 'crlf.txt');
      assert.equal(await readFile(join(folder.path, 'crlf.txt'), 'utf8'), 'one\r\ntwo\r\n');
      await folder.age('crlf.txt', 'other.bin');
      const { lines } = await folder.during(async () => {
        await folder.write('crlf.txt', 'one\r\ntwo\nthree\r\n');
        await folder.write('new.txt', 'n\r\n');
        await folder.write('other.bin', 'x\0\r\ny');
      });
      assert.deepEqual(lines, ['created new.txt: - > n\r\n', 'edited crlf.txt: one\r\ntwo\r\n > one\r\ntwo\nthree\r\n', 'edited other.bin: x\0\ny > x\0\r\ny']);
    });
  }

  it('knows no content before of files that git keeps in another encoding or with its own marks', async () => {
    await folder.init({ '.gitattributes': '*.u16 working-tree-encoding=UTF-16LE\n*.id ident\n', 'a.u16': Buffer.from('ab\n', 'utf16le'), 'b.id': '$Id$\n' });
    for (const name of ['a.u16', 'b.id']) await folder.delete(name);
    folder.git('checkout', '--', '.');
    assert.match(await readFile(join(folder.path, 'b.id'), 'utf8'), /\$Id: /);
    await folder.age('a.u16', 'b.id');
    const { changes, lines } = await folder.during(async () => {
      await folder.write('a.u16', Buffer.from('cd\n', 'utf16le'));
      await folder.write('b.id', '$Id$\n');
    });
    assert.deepEqual(lines, ['edited a.u16: ? > c\0d\0\n\0', 'edited b.id: ? > $Id$\n']);
    assert.match(JSON.stringify(changes), /another form than it has on the disk/);
  });

  it('works before the first commit, in the middle of a merge, and with files that are only announced', async () => {
    folder.git('init', '-q', '-b', 'main');
    await folder.write('a.txt', '1');
    await folder.write('b.txt', '1');
    folder.git('add', 'a.txt');
    folder.git('add', '-N', 'b.txt');
    const unborn = await folder.during(async () => {
      await folder.write('a.txt', '2');
      await folder.write('b.txt', '2');
    });
    assert.deepEqual(unborn.lines, ['edited a.txt: 1 > 2', 'edited b.txt: 1 > 2']);
    folder.git('add', '-A');
    folder.git('commit', '-q', '-m', 'first');
    folder.git('checkout', '-q', '-b', 'other');
    await folder.write('a.txt', 'theirs');
    folder.git('commit', '-q', '-a', '-m', 'theirs');
    folder.git('checkout', '-q', 'main');
    await folder.write('a.txt', 'ours');
    folder.git('commit', '-q', '-a', '-m', 'ours');
    const merging = await folder.during(() => assert.throws(() => folder.git('merge', '-q', 'other')));
    assert.match(merging.lines.join(), /^edited a\.txt: ours > <<<<<<< /);
    assert.deepEqual((await folder.during(() => folder.write('a.txt', 'solved'))).lines.length, 1);
  });

  it('works in the middle of a merge that began before', async () => {
    await folder.init({ 'a.txt': 'base' });
    folder.git('checkout', '-q', '-b', 'other');
    await folder.write('a.txt', 'theirs');
    folder.git('commit', '-q', '-a', '-m', 'theirs');
    folder.git('checkout', '-q', 'main');
    await folder.write('a.txt', 'ours');
    folder.git('commit', '-q', '-a', '-m', 'ours');
    assert.throws(() => folder.git('merge', '-q', 'other'));
    const conflict = await readFile(join(folder.path, 'a.txt'), 'utf8');
    const { lines, unseen } = await folder.during(() => folder.write('a.txt', 'solved'));
    assert.deepEqual([lines, unseen], [[`edited a.txt: ${conflict} > solved`], '']);
  });

  it('sees what git itself changes in the work tree', async () => {
    await folder.init({ 'a.txt': '1' });
    await folder.write('a.txt', '2');
    folder.git('commit', '-q', '-a', '-m', 'second');
    assert.deepEqual((await folder.during(() => folder.git('checkout', '-q', 'HEAD~1'))).lines, ['edited a.txt: 2 > 1']);
    assert.deepEqual((await folder.during(() => folder.git('checkout', '-q', 'main'))).lines, ['edited a.txt: 1 > 2']);
  });

  it('works in a linked work tree, and in one of a bare repository', async () => {
    await folder.init({ 'a.txt': '1' });
    folder.git('worktree', 'add', '-q', folder.beside('linked'));
    folder.git('clone', '-q', '--bare', folder.path, folder.beside('bare.git'));
    folder.git('--git-dir', folder.beside('bare.git'), 'worktree', 'add', '-q', folder.beside('of-bare'), 'main');
    for (const name of ['linked', 'of-bare']) {
      const place = folder.beside(name);
      const before = await inventory(folder.beside('bare.git'));
      const { changes } = await folder.during(() => writeFile(join(place, 'a.txt'), '2'), [place]);
      assert.deepEqual(changes.map(({ path, before: old }) => [path, folder.checkpoints.shown(old)]), [[join(place, 'a.txt'), '1']]);
      assert.deepEqual(await inventory(folder.beside('bare.git')), before);
    }
  });

  it('works with a sparse checkout and a sparse index', async () => {
    await folder.init({ 'in/a.txt': '1', 'out/b.txt': '1', 'c.txt': '1' });
    folder.git('sparse-checkout', 'init', '--cone', '--sparse-index');
    folder.git('sparse-checkout', 'set', 'in');
    assert.equal(existsSync(join(folder.path, 'out')), false);
    const { lines } = await folder.during(async () => {
      await folder.write('in/a.txt', '2');
      await folder.write('out/b.txt', '2');
    });
    assert.deepEqual(lines, ['created out/b.txt: - > 2', 'edited in/a.txt: 1 > 2']);
  });

  it('works with an index in two parts, packed objects and another hash', async () => {
    folder.git('init', '-q', '-b', 'main', '--object-format=sha256');
    await folder.write('a.txt', '1');
    await folder.write('b.txt', '1');
    folder.git('add', '-A');
    folder.git('commit', '-q', '-m', 'first');
    folder.git('gc', '-q');
    folder.git('update-index', '--split-index');
    await folder.write('b.txt', '2');
    folder.git('add', 'b.txt');
    const { lines } = await folder.during(async () => {
      await folder.write('a.txt', '3');
      await folder.write('b.txt', '3');
    });
    assert.deepEqual(lines, ['edited a.txt: 1 > 3', 'edited b.txt: 2 > 3']);
  });

  it('looks into submodules and repositories inside, and says where a new one is made', async () => {
    await folder.init({ 'a.txt': '1' });
    await mkdir(folder.beside('module'));
    folder.git('-C', folder.beside('module'), 'init', '-q');
    await writeFile(join(folder.beside('module'), 'm.txt'), '1');
    folder.git('-C', folder.beside('module'), 'add', '-A');
    folder.git('-C', folder.beside('module'), 'commit', '-q', '-m', 'first');
    folder.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', folder.beside('module'), 'sub');
    folder.git('clone', '-q', folder.beside('module'), join(folder.path, 'inner'));
    const { lines, unseen } = await folder.during(async () => {
      await folder.write('sub/m.txt', '2');
      await folder.write('inner/m.txt', '2');
      folder.git('clone', '-q', folder.beside('module'), join(folder.path, 'new'));
    });
    assert.deepEqual(lines, ['edited inner/m.txt: 1 > 2', 'edited sub/m.txt: 1 > 2']);
    assert.match(unseen, /new repository.*\/new\./);
    assert.deepEqual((await folder.during(() => folder.write('new/m.txt', '2'))).lines, ['edited new/m.txt: 1 > 2']);
  });

  it('looks into a repository in an ignored folder where that is the folder to watch', async () => {
    await folder.init({ '.gitignore': 'vendor/\n', 'a.txt': '1' });
    await folder.write('vendor/x/b.txt', '1');
    folder.git('-C', join(folder.path, 'vendor/x'), 'init', '-q');
    const work = async (): Promise<void> => {
      await folder.write('a.txt', '2');
      await folder.write('vendor/x/b.txt', '2');
    };
    assert.deepEqual((await folder.during(work)).lines, ['edited a.txt: 1 > 2']);
    await folder.write('vendor/x/b.txt', '1');
    await folder.write('a.txt', '1');
    assert.deepEqual((await folder.during(work, [folder.path, join(folder.path, 'vendor/x')])).lines, ['edited a.txt: 1 > 2', 'edited vendor/x/b.txt: 1 > 2']);
  });

  it('looks only at the folder where that is a part of a repository', async () => {
    await folder.init({ 'a.txt': '1', 'part/b.txt': '1', 'part/in/c.txt': '1' });
    const { lines } = await folder.during(async () => {
      for (const name of ['a.txt', 'part/b.txt', 'part/in/c.txt']) await folder.write(name, '2');
    }, [join(folder.path, 'part'), join(folder.path, 'part/in')]);
    assert.deepEqual(lines, ['edited part/b.txt: 1 > 2', 'edited part/in/c.txt: 1 > 2']);
  });

  it("respects the user's own ignore file and the repository's private one", async () => {
    await folder.init({ 'a.txt': '1' });
    await mkdir(folder.beside('config/git'), { recursive: true });
    await writeFile(folder.beside('config/git/ignore'), '*.mine\n');
    await writeFile(join(folder.path, '.git/info/exclude'), '*.ours\n');
    const { lines } = await folder.during(async () => {
      for (const name of ['x.mine', 'x.ours', 'x.txt']) await folder.write(name, '1');
    });
    assert.deepEqual(lines, ['created x.txt: - > 1']);
  });

  it('says of names that are no text that they can not be shown', async function () {
    if (process.platform !== 'linux') this.skip();
    await folder.init({ 'a.txt': '1' });
    const odd = Buffer.concat([Buffer.from(`${folder.path}/`), Buffer.from([0x6f, 0xff, 0x64])]);
    await writeFile(odd, '1');
    const { lines, unseen } = await folder.during(async () => {
      await writeFile(odd, '22');
      await folder.write('a.txt', '2');
    });
    assert.deepEqual(lines, ['edited a.txt: 1 > 2']);
    assert.match(unseen, /names are no text/);
    assert.equal((await folder.during(() => folder.write('a.txt', '3'))).unseen, '');
  });

  it('has no content before where the repository was not fetched whole', async () => {
    await folder.init({ 'a.txt': '1' });
    const object = folder.git('rev-parse', ':a.txt').trim();
    await folder.during(() => undefined);
    const path = join(folder.path, '.git/objects', object.slice(0, 2), object.slice(2));
    await chmod(path, 0o644);
    await folder.delete(path.slice(folder.path.length + 1));
    assert.deepEqual((await folder.during(() => folder.write('a.txt', '2'))).lines, ['edited a.txt: ? > 2']);
  });
});
