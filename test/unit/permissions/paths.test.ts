import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isAppError } from '../../../src/runtime/base/errors.ts';
import type { PathScope } from '../../../src/runtime/domain/ports.ts';
import { resolveJudged, resolveTarget } from '../../../src/runtime/permissions/paths.ts';
import { tempFolder } from '../../support/permissionsCalls.ts';

const refused = (error: unknown): boolean => isAppError(error, 'denied');

describe('real paths', function () {
  let base: string;
  let root: string;
  let outside: string;
  let scope: PathScope;
  let remove: () => Promise<void>;

  beforeEach(async () => {
    ({ folder: base, remove } = await tempFolder());
    root = path.join(base, 'work');
    outside = path.join(base, 'outside');
    await mkdir(path.join(root, 'src'), { recursive: true });
    await mkdir(outside);
    await writeFile(path.join(root, 'src', 'a.ts'), 'a');
    await writeFile(path.join(outside, 'secret'), 's');
    scope = { cwd: root, roots: [root], ownFolders: [path.join(base, 'spill')] };
  });
  afterEach(() => remove());

  const resolved = async (given: string): Promise<{ real: string; inside: boolean; relative: string; own: boolean }> => {
    const { real, inside, relative, own } = await resolveTarget(given, scope);
    return { real, inside, relative, own };
  };

  it('takes relative, absolute, dotted and URI forms of a file as the same', async () => {
    const expected = { real: path.join(root, 'src', 'a.ts'), inside: true, relative: 'src/a.ts', own: false };
    for (const given of ['src/a.ts', './src//a.ts', 'src/x/../a.ts', 'src/../../work/src/a.ts', path.join(root, 'src/a.ts'), pathToFileURL(path.join(root, 'src/a.ts')).href]) {
      assert.deepEqual(await resolved(given), expected, given);
    }
  });

  it('calls the workspace folder itself "."', async () => assert.equal((await resolved('.')).relative, '.'));

  it('starts relative paths at the current folder, which may lie deeper', async () => {
    assert.equal((await resolveTarget('a.ts', { ...scope, cwd: path.join(root, 'src') })).relative, 'src/a.ts');
  });

  it('sees that .. leads out, and that a folder of a similar name is outside', async () => {
    await mkdir(path.join(base, 'work2'));
    for (const given of ['../outside/secret', 'src/../../outside/secret', '../work2/x', `${root}2/x`, '%2e%2e/../../outside/secret', '..']) assert.equal((await resolved(given)).inside, false, given);
    assert.equal((await resolved('..a')).inside, true);
  });

  it('resolves ~ to the home folder, and only ~ itself', async () => {
    const home = await resolveTarget('~/x-that-is-not-there', scope);
    assert.equal(path.basename(home.real), 'x-that-is-not-there');
    assert.equal(home.asked, path.join(homedir(), 'x-that-is-not-there'));
    assert.equal((await resolved('~x')).relative, '~x');
  });

  it('resolves a link in the last position', async () => {
    await symlink(path.join(outside, 'secret'), path.join(root, 'link'));
    assert.deepEqual(await resolved('link'), { real: path.join(outside, 'secret'), inside: false, relative: path.join(outside, 'secret'), own: false });
  });

  it('30: resolves a link in the middle, also for files that do not exist yet', async () => {
    await symlink(outside, path.join(root, 'src', 'out'));
    for (const given of ['src/out/secret', 'src/out/new', 'src/out/new/deep/file']) {
      const { real, inside } = await resolved(given);
      assert.equal(inside, false, given);
      assert.ok(real.startsWith(outside + path.sep), given);
    }
  });

  it('resolves chains of links, and links back into the workspace', async () => {
    await symlink('../outside', path.join(root, 'one'));
    await symlink('one', path.join(root, 'two'));
    await symlink(path.join(root, 'src'), path.join(outside, 'back'));
    assert.equal((await resolved('two/secret')).real, path.join(outside, 'secret'));
    assert.equal((await resolved('two/back/a.ts')).relative, 'src/a.ts');
  });

  it('resolves a dangling link to where a write would land', async () => {
    await symlink('../outside/new', path.join(root, 'dangling'));
    await symlink('dangling', path.join(root, 'twice'));
    await symlink('../outside/nowhere', path.join(root, 'folder'));
    for (const [given, real] of [['dangling', 'new'], ['twice', 'new'], ['folder/x', 'nowhere/x']] as const) {
      assert.deepEqual(await resolved(given), { real: path.join(outside, real), inside: false, relative: path.join(outside, real), own: false }, given);
    }
  });

  it('keeps the name of a link, so that rules for it bind', async () => {
    await symlink('src', path.join(root, 'alias'));
    const { relative, relatives } = await resolveTarget('alias/a.ts', scope);
    assert.equal(relative, 'src/a.ts');
    assert.deepEqual([...relatives].sort(), ['alias/a.ts', 'src/a.ts']);
  });

  it('refuses loops of links', async () => {
    await symlink('b', path.join(root, 'a'));
    await symlink('a', path.join(root, 'b'));
    await assert.rejects(resolveTarget('a', scope), refused);
    await assert.rejects(resolveTarget('a/x', scope), refused);
  });

  it('works when the workspace folder is itself a link', async () => {
    const linked = path.join(base, 'linked');
    await symlink(root, linked);
    const through = { ...scope, cwd: linked, roots: [linked] };
    for (const given of ['src/a.ts', path.join(linked, 'src/a.ts'), path.join(root, 'src/a.ts'), 'src/new.ts']) assert.equal((await resolveTarget(given, through)).inside, true, given);
  });

  it('is relative to the innermost of several folders and knows the others', async () => {
    const nested = { ...scope, roots: [root, path.join(root, 'src')] };
    const { relative, relatives } = await resolveTarget('src/a.ts', nested);
    assert.equal(relative, 'a.ts');
    assert.ok(relatives.includes('src/a.ts'));
  });

  it("knows the run's own folders, also before they exist, and not by a link out of them", async () => {
    assert.equal((await resolved(path.join(base, 'spill', 'x'))).own, true);
    await mkdir(path.join(base, 'spill'));
    await symlink(outside, path.join(base, 'spill', 'out'));
    assert.equal((await resolved(path.join(base, 'spill', 'out', 'secret'))).own, false);
  });

  it('knows the folders that the run was given to read, also by a link to them, and not by a link out of them', async () => {
    const skill = path.join(base, 'skill');
    await mkdir(skill);
    await symlink(outside, path.join(skill, 'out'));
    await symlink(skill, path.join(root, 'linked'));
    const given = { ...scope, readFolders: [path.join(root, 'linked')] };
    for (const [asked, granted] of [['linked/a', true], [path.join(skill, 'deep/a'), true], [skill, true], ['linked/out/secret', false], [path.join(skill, '../outside/secret'), false], ['src/a.ts', false]] as const) {
      const { own, ...found } = await resolveTarget(asked, given);
      assert.deepEqual([own, found.granted], [false, granted], asked);
    }
  });

  it('refuses empty paths, NUL bytes and URIs of other machines', async () => {
    for (const given of ['', 'a\0b', 'file:///a%00b', 'file://host/share/a', 'file:///a%2fb', 'FILE://host/x']) await assert.rejects(resolveTarget(given, scope), refused, given);
  });

  it('refuses devices, pipes and the files of the system', async function () {
    if (process.platform === 'win32') this.skip();
    execFileSync('mkfifo', [path.join(root, 'pipe')]);
    await symlink('/dev/null', path.join(root, 'null'));
    await symlink('pipe', path.join(root, 'piped'));
    for (const given of ['pipe', 'piped', 'null', '/dev/null', '/dev/new', '/dev/../dev/zero', '/proc/self/environ', '/proc/self/cwd/src/a.ts', '/proc/self/root/etc/hosts', '/sys/x']) {
      await assert.rejects(resolveTarget(given, scope), refused, given);
    }
    await assert.rejects(resolveTarget('/proc/self/environ', { ...scope, roots: ['/'] }), refused);
  });

  it('finds the true case of a name on file systems that ignore it', async function () {
    await writeFile(path.join(root, 'Name'), '');
    const { real } = await resolveTarget('NAME', scope);
    assert.ok([path.join(root, 'Name'), path.join(root, 'NAME')].includes(real));
  });

  it('treats a file used as a folder as something that is not there', async () => {
    assert.equal((await resolved('src/a.ts/x')).relative, 'src/a.ts/x');
  });

  it('refuses at the moment of use what was swapped since the check', async () => {
    const { real } = await resolveTarget('src/a.ts', scope);
    assert.equal(await resolveJudged('src/a.ts', scope, [real]), real);
    await rename(path.join(root, 'src'), path.join(root, 'moved'));
    await symlink(outside, path.join(root, 'src'));
    await assert.rejects(resolveJudged('src/a.ts', scope, [real]), refused);
    await rm(path.join(root, 'src'));
    await assert.rejects(resolveJudged('moved/a.ts', scope, [real]), refused);
  });
});
