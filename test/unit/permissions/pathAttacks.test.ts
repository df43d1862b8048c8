import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { link, mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PermissionLists } from '../../../src/runtime/domain/permissions.ts';
import type { ReadLedger } from '../../../src/runtime/domain/tools.ts';
import { contentHash } from '../../../src/runtime/base/textFile.ts';
import { gatedTools, type ToolOutcome } from '../../support/gatedTools.ts';
import { swapLinks } from '../../support/linkSwapper.ts';
import { tempFolder } from '../../support/permissionsCalls.ts';

const SECRET = 'outside-secret-4711';
/** All that the user can allow without naming a place outside. */
const FREE: PermissionLists = { allow: ['Read(**)', 'Edit(**)'] };
/** As if the run had read every file as it is outside: what keeps an edit out must be its path. */
const KNOWS_ALL: ReadLedger = { seen: () => undefined, last: () => contentHash(Buffer.from(SECRET)) };

describe('attacks by path', function () {
  if (process.platform === 'win32') return;
  let base: string;
  let root: string;
  let outside: string;
  let remove: () => Promise<void>;
  let before: string;

  beforeEach(async () => {
    ({ folder: base, remove } = await tempFolder());
    root = path.join(base, 'work');
    outside = path.join(base, 'outside');
    await mkdir(path.join(root, 'src', 'deep'), { recursive: true });
    await mkdir(path.join(outside, 'sub'), { recursive: true });
    await writeFile(path.join(root, 'src', 'a.ts'), 'inside');
    for (const name of ['secret.txt', 'a.ts', 'sub/secret.txt']) await writeFile(path.join(outside, name), SECRET);
    for (const [name, target] of Object.entries(LINKS(outside))) await symlink(target, path.join(root, name));
    execFileSync('mkfifo', [path.join(root, 'pipe')]);
    before = await snapshot(outside);
  });
  afterEach(() => remove());

  const tools = (user: PermissionLists = FREE, roots = [root], cwd = roots[0] ?? root): ReturnType<typeof gatedTools> => gatedTools({ user, reads: KNOWS_ALL, scope: { cwd, roots, ownFolders: [] } });

  /** Every file tool on that path. */
  async function tryAll(run: Awaited<ReturnType<typeof gatedTools>>, given: string): Promise<Readonly<Record<string, ToolOutcome>>> {
    const write = { file_path: given, content: 'overwritten' };
    const edit = { file_path: given, old_string: SECRET, new_string: 'overwritten' };
    return {
      Read: await run('Read', { file_path: given }),
      Grep: await run('Grep', { pattern: 'secret|root', path: given, output_mode: 'content' }),
      Glob: await run('Glob', { pattern: '*', path: given }),
      Edit: await run('Edit', edit),
      Write: await run('Write', write),
    };
  }

  async function assertUntouched(results: Readonly<Record<string, ToolOutcome>>, given: string): Promise<void> {
    for (const [tool, { text }] of Object.entries(results)) assert.ok(!text.includes(SECRET), `${tool} ${given}: ${text}`);
    assert.equal(await snapshot(outside), before, `${given} changed something outside`);
  }

  const NOBODY = /nobody is there|outside the workspace/;
  const ways: [string, (places: { readonly root: string; readonly outside: string }) => readonly string[], RegExp][] = [
    ['out of the workspace by ..', () => ['../outside/secret.txt', 'src/../../outside/secret.txt', './/..//outside/./secret.txt', 'missing/../../outside/secret.txt'], NOBODY],
    ['by an absolute path', ({ outside: out }) => [`${out}/secret.txt`, `//${out}/secret.txt`, '/etc/passwd', '~/.bashrc', '~'], NOBODY],
    ['by a file: URI', ({ outside: out, root: own }) => [`${pathToFileURL(out).href}/secret.txt`, `file://localhost${out}/secret.txt`, `FILE://${out}/secret.txt`, `file://${own}/%2e%2e/outside/secret.txt`], NOBODY],
    ['by a link in the last position', () => ['file-link', 'chain', 'to-etc'], NOBODY],
    ['by a link in the middle', () => ['folder-link/secret.txt', 'folder-link/sub/secret.txt', 'src/up/outside/secret.txt', 'folder-link/new.txt', 'chained-folder/new/deeper.txt', 'folder-link/../folder-link/secret.txt'], NOBODY],
    ['by a dangling link', () => ['dangling', 'dangling-twice', 'dangling-folder/new.txt', 'dangling-folder/a/b.txt'], NOBODY],
    ['by a loop of links', () => ['loop-a', 'loop-b/x', 'self', 'self/self/x'], /loop of links/],
    ['to devices', () => ['/dev/zero', '/dev/tty', '/dev/fd/0', '/dev/new', 'to-null', 'src/../../../../../../../../dev/zero'], /system|device/],
    ['to a pipe', () => ['pipe', 'to-pipe'], /device, a pipe or a socket/],
    ['through /proc and /sys', ({ outside: out }) => ['/proc/self/environ', '/proc/self/cwd/package.json', `/proc/self/root${out}/secret.txt`, '/proc/1/environ', 'to-environ', '/sys/kernel/notes'], /system/],
    ['with a NUL', ({ outside: out }) => ['src/a.ts\0', `src/a.ts\0/../../..${out}/secret.txt`, 'file:///tmp/a%00b'], /NUL/],
    ['with URIs that hide a separator or name another machine', () => ['file:///tmp%2f..%2fetc', 'file://host.example/share/secret.txt', 'file:///%'], /URI/],
  ];
  for (const [name, paths, expected] of ways) {
    it(`${name}: no tool reads or writes, and each says why`, async () => {
      const run = await tools();
      for (const given of paths({ root, outside })) {
        const results = await tryAll(run, given);
        for (const [tool, { isError, text }] of Object.entries(results)) {
          assert.ok(isError, `${tool} ${given}: ${text}`);
          assert.match(text, expected, `${tool} ${given}`);
        }
        await assertUntouched(results, given);
      }
    });
  }

  it('names that only look like a way out stay inside', async () => {
    const run = await tools();
    const lookalikes = ['．．/outside/secret.txt', '..\\outside\\secret.txt', '%2e%2e/outside/secret.txt', ' ../outside/secret.txt', '.. /outside/secret.txt', '…/outside/secret.txt', 'FOLDER-LINK/secret.txt', 'folder-link /secret.txt', 'folder\u2010link/secret.txt', '~root/.bashrc', '$HOME/x'];
    for (const given of lookalikes) {
      await assertUntouched(await tryAll(run, given), given);
      assert.match((await run('Read', { file_path: given })).text, /overwritten/, given);
    }
  });

  it('a denied place is reached by no other name', async () => {
    await mkdir(path.join(root, 'private'));
    for (const name of ['key', 'café']) await writeFile(path.join(root, 'private', name.normalize('NFC')), SECRET);
    await symlink('private', path.join(root, 'public'));
    await symlink('private/key', path.join(root, 'readme'));
    const own = await snapshot(path.join(root, 'private'));
    for (const deny of [['Read(private/**)', 'Edit(private/**)'], ['Read(PRIVATE)', 'Edit(Private/)'], [`Read(/${root}/private/**)`, `Edit(/${root}/private/**)`], ['Read(private/{key,cafe\u0301})', 'Edit(**/private/*)']]) {
      const run = await tools({ ...FREE, deny });
      for (const given of ['private/key', './private//key', 'src/../private/key', 'public/key', 'readme', 'private/café'.normalize('NFC'), `${root}/private/key`, pathToFileURL(`${root}/private/key`).href]) {
        const results = await tryAll(run, given);
        await assertUntouched(results, given);
        for (const tool of ['Read', 'Edit', 'Write']) assert.match(results[tool]?.text ?? '', /Denied/, `${tool} ${given} under ${String(deny)}`);
      }
      const searched = [await run('Grep', { pattern: 'secret' }), await run('Glob', { pattern: '**' }), await run('Grep', { pattern: 'secret', path: 'public' })];
      for (const { text } of searched) assert.doesNotMatch(text, /4711|key|caf/);
      assert.equal(await snapshot(path.join(root, 'private')), own);
    }
  });

  it('searches from inside follow no link out', async () => {
    const run = await tools();
    for (const [name, input] of [['Grep', { pattern: 'secret' }], ['Grep', { pattern: 'secret', glob: 'folder-link/**' }], ['Glob', { pattern: '**/*.txt' }], ['Glob', { pattern: '../**' }], ['Glob', { pattern: 'folder-link/*' }]] as const) {
      const { text } = await run(name, input);
      assert.doesNotMatch(text, /4711|secret\.txt/, `${name} ${JSON.stringify(input)}`);
    }
  });

  it('an edit of a hard link leaves the file outside as it was', async () => {
    await link(path.join(outside, 'secret.txt'), path.join(root, 'hard'));
    const run = await tools();
    assert.equal((await run('Edit', { file_path: 'hard', old_string: SECRET, new_string: 'changed' })).isError, false);
    assert.equal(await readFile(path.join(root, 'hard'), 'utf8'), 'changed');
    assert.equal(await readFile(path.join(outside, 'secret.txt'), 'utf8'), SECRET);
  });

  it('a workspace that is itself a link is the same workspace, and nothing else becomes one', async () => {
    const linked = path.join(base, 'linked');
    await symlink(root, linked);
    const run = await tools(FREE, [linked]);
    for (const given of ['src/a.ts', `${linked}/src/a.ts`, `${root}/src/a.ts`]) assert.match((await run('Read', { file_path: given })).text, /inside/, given);
    assert.equal((await run('Write', { file_path: 'src/new.ts', content: 'new' })).isError, false);
    assert.equal(await readFile(path.join(root, 'src/new.ts'), 'utf8'), 'new');
    assert.match((await run('Grep', { pattern: 'inside' })).text, /src\/a\.ts/);
    for (const given of ['../outside/secret.txt', 'folder-link/secret.txt', `${linked}/../outside/secret.txt`]) {
      const results = await tryAll(run, given);
      for (const { isError } of Object.values(results)) assert.ok(isError, given);
      await assertUntouched(results, given);
    }
  });

  it('several folders are all inside, also by a link from one into another', async () => {
    const second = path.join(base, 'second');
    await mkdir(second);
    await writeFile(path.join(second, 'b.ts'), 'second');
    await symlink(second, path.join(root, 'to-second'));
    const run = await tools(FREE, [root, second]);
    for (const given of ['../second/b.ts', `${second}/b.ts`, 'to-second/b.ts']) assert.match((await run('Read', { file_path: given })).text, /second/, given);
    assert.equal((await run('Write', { file_path: 'to-second/c.ts', content: 'c' })).isError, false);
    await assertUntouched(await tryAll(run, '../outside/secret.txt'), '../outside/secret.txt');
    await assertUntouched(await tryAll(await tools(FREE, [second]), `${root}/src/../folder-link/secret.txt`), 'folder-link');
  });

  it('a folder that is swapped for a link all the time never leads a read, an edit or a write out', async function () {
    this.timeout(60_000);
    const run = await tools();
    const swapper = swapLinks(path.join(root, 'src'), outside);
    try {
      for (let round = 0; round < 300 || swapper.swaps() < 300; round++) {
        const results = await Promise.all([
          run('Read', { file_path: 'src/a.ts' }),
          run('Edit', { file_path: 'src/a.ts', old_string: SECRET, new_string: 'overwritten' }),
          run('Write', { file_path: `src/new-${round}.ts`, content: 'new' }),
          run('Write', { file_path: `src/deep/${round}/new.ts`, content: 'new' }),
        ]);
        for (const { text } of results) assert.ok(!text.includes(SECRET), text);
      }
    } finally {
      await swapper.stop();
    }
    assert.equal(await snapshot(outside), before);
    assert.equal((await run('Write', { file_path: 'src/end.ts', content: 'new' })).isError, false);
  });

  it('a search in a folder that is swapped for a link all the time shows nothing from outside', async function () {
    this.timeout(60_000);
    const run = await tools();
    const swapper = swapLinks(path.join(root, 'src'), outside);
    try {
      for (let round = 0; round < 60 || swapper.swaps() < 100; round++) {
        const results = await Promise.all([run('Grep', { pattern: 'secret|inside', path: 'src' }), run('Glob', { pattern: '**', path: 'src' })]);
        for (const { text } of results) assert.doesNotMatch(text, /4711|secret\.txt/);
      }
    } finally {
      await swapper.stop();
    }
  });
});

const LINKS = (outside: string): Readonly<Record<string, string>> => ({
  'file-link': `${outside}/secret.txt`,
  'folder-link': '../outside',
  'chain': 'file-link',
  'chained-folder': 'folder-link',
  'src/up': '../..',
  'to-etc': '/etc/passwd',
  'dangling': '../outside/new.txt',
  'dangling-twice': 'dangling',
  'dangling-folder': `${outside}/new-folder`,
  'loop-a': 'loop-b',
  'loop-b': 'loop-a',
  'self': 'self',
  'to-null': '/dev/null',
  'to-pipe': 'pipe',
  'to-environ': '/proc/self/environ',
});

/** Every file, link and folder below, with what is in it. */
async function snapshot(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const lines = await Promise.all(
    entries.map(async (entry) => {
      const file = path.join(entry.parentPath, entry.name);
      const content = entry.isFile() ? await readFile(file, 'utf8') : entry.isSymbolicLink() ? await readlink(file) : '';
      return `${file}: ${content}`;
    }),
  );
  return lines.sort().join('\n');
}
