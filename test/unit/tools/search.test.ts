import assert from 'node:assert/strict';
import { renameSync, symlinkSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { isAppError } from '../../../src/runtime/base/errors.ts';
import type { ToolDefinition } from '../../../src/runtime/domain/tools.ts';
import { createGlobTool } from '../../../src/runtime/tools/glob.ts';
import { createGrepTool } from '../../../src/runtime/tools/grep.ts';
import { findRipgrep } from '../../../src/runtime/tools/ripgrep.ts';
import { executeText, temporaryFolder, toolContext } from '../../support/toolContext.ts';

describe('search', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let glob: ToolDefinition;
  let grep: ToolDefinition;
  before(async () => {
    const ripgrep = await findRipgrep();
    assert.ok(ripgrep, 'The package @vscode/ripgrep has no binary for this platform; install the optional dependencies.');
    glob = createGlobTool(ripgrep);
    grep = createGrepTool(ripgrep);
  });
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  async function make(files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder.path, name)), { recursive: true });
      await writeFile(join(folder.path, name), content);
    }
  }
  const run = (tool: ToolDefinition, input: object, more: object = {}): Promise<string> => executeText(tool, input, toolContext(folder.path, more));

  describe('Glob', () => {
    it('finds files by pattern, in order, hidden ones too', async () => {
      await make({ 'b.ts': '', 'a.ts': '', 'src/c.ts': '', 'src/d.js': '', '.github/w.yml': '', '.git/x.ts': '' });
      assert.equal(await run(glob, { pattern: '*.ts' }), 'a.ts\nb.ts\nsrc/c.ts');
      assert.equal(await run(glob, { pattern: 'src/*' }), 'src/c.ts\nsrc/d.js');
      assert.equal(await run(glob, { pattern: '**/*.{js,yml}' }), '.github/w.yml\nsrc/d.js');
      assert.equal(await run(glob, { pattern: '*', path: 'src' }), 'src/c.ts\nsrc/d.js');
    });

    it('leaves out what is ignored, whatever the pattern', async () => {
      await make({ '.gitignore': 'node_modules/\n*.log\n', 'node_modules/p/i.js': '', 'a.log': '', 'a.js': '' });
      assert.equal(await run(glob, { pattern: '**/*.{js,log}' }), 'a.js');
      assert.equal(await run(glob, { pattern: '**' }), '.gitignore\na.js');
    });

    it('never leaves the folder, neither by link nor by pattern', async () => {
      await make({ 'in/a.txt': '', 'out/secret.txt': '' });
      await symlink('../out', join(folder.path, 'in', 'link'));
      await symlink('../out/secret.txt', join(folder.path, 'in', 'secret.txt'));
      assert.equal(await run(glob, { pattern: '**/*.txt', path: 'in' }), 'in/a.txt');
      for (const pattern of ['../out/*', join(folder.path, 'out', '*'), 'x/../../out/*']) {
        await assert.rejects(run(glob, { pattern, path: 'in' }), (error) => isAppError(error, 'invalid_input'));
      }
    });

    it('stops at its limit and says so; says when nothing matches', async () => {
      await make(Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`f${index}`, ''])));
      assert.match(await run(glob, { pattern: 'f*', head_limit: 3 }), /^f0\nf1\nf10\n\[More than 3/);
      assert.match(await run(glob, { pattern: 'none' }), /No file/);
    });

    it('refuses files and missing folders as place', async () => {
      await make({ a: '' });
      await assert.rejects(run(glob, { pattern: '*', path: 'a' }), (error) => isAppError(error, 'invalid_input'));
      await assert.rejects(run(glob, { pattern: '*', path: 'none' }), (error) => isAppError(error, 'not_found'));
    });

    it('takes any name, and any pattern as a pattern', async () => {
      await make({ 'ünï 😀.txt': '', '-e': '', 'a\\b': '' });
      assert.equal(await run(glob, { pattern: '*😀*' }), 'ünï 😀.txt');
      assert.equal(await run(glob, { pattern: '-e' }), '-e');
      assert.match(await run(glob, { pattern: '--pre=touch x' }), /No file/);
    });
  });

  describe('Grep', () => {
    it('gives matching lines with path and number, in order', async () => {
      await make({ 'b.txt': 'x\r\nhello\r\n', 'a.txt': 'hello\nworld\nhello ä' });
      assert.equal(await run(grep, { pattern: 'hello' }), 'a.txt:1:hello\na.txt:3:hello ä\nb.txt:2:hello');
      assert.equal(await run(grep, { pattern: 'hello$' }), 'a.txt:1:hello\nb.txt:2:hello');
      assert.equal(await run(grep, { pattern: 'HELLO Ä', case_insensitive: true }), 'a.txt:3:hello ä');
      assert.equal(await run(grep, { pattern: 'hello.world', multiline: true }), 'a.txt:1:hello\na.txt:2:world');
    });

    it('gives files, counts and context', async () => {
      await make({ 'a.txt': '1\n2\nx\n4\n5\n6\n7\nx\n', 'b.txt': 'x' });
      assert.equal(await run(grep, { pattern: 'x', output_mode: 'files' }), 'a.txt\nb.txt');
      assert.equal(await run(grep, { pattern: 'x', output_mode: 'count' }), 'a.txt:2\nb.txt:1');
      assert.equal(await run(grep, { pattern: 'x', context: 1, path: 'a.txt' }), 'a.txt-2-2\na.txt:3:x\na.txt-4-4\n--\na.txt-7-7\na.txt:8:x');
    });

    it('filters by glob without letting ignored files in', async () => {
      await make({ '.gitignore': '*.log\ndist/\n', 'a.log': 'x', 'dist/a.ts': 'x', 'src/a.ts': 'x', 'src/b.test.ts': 'x', 'c.js': 'x' });
      assert.equal(await run(grep, { pattern: 'x', glob: '*.{ts,log}' }), 'src/a.ts:1:x\nsrc/b.test.ts:1:x');
      assert.equal(await run(grep, { pattern: 'x', glob: 'src/**' }), 'src/a.ts:1:x\nsrc/b.test.ts:1:x');
      assert.equal(await run(grep, { pattern: 'x', glob: '!*.test.ts' }), 'c.js:1:x\nsrc/a.ts:1:x');
      assert.equal(await run(grep, { pattern: 'x', glob: '**/[bc].{js,test.ts}' }), 'c.js:1:x\nsrc/b.test.ts:1:x');
      assert.match(await run(grep, { pattern: 'x', glob: '--pre=x' }), /No matches/);
    });

    it('takes every pattern as a pattern', async () => {
      await make({ 'a.txt': '-e\n--pre=touch pwned\n--\n-f/etc/passwd\n', '-v': 'x' });
      assert.equal(await run(grep, { pattern: '-e' }), 'a.txt:1:-e');
      assert.equal(await run(grep, { pattern: '--pre=touch pwned' }), 'a.txt:2:--pre=touch pwned');
      assert.equal(await run(grep, { pattern: '^--$' }), 'a.txt:3:--');
      assert.equal(await run(grep, { pattern: '-f/etc/passwd' }), 'a.txt:4:-f/etc/passwd');
      assert.equal(await run(grep, { pattern: 'x', path: '-v' }), '-v:1:x');
      await assert.rejects(run(grep, { pattern: 'a\0b' }), (error) => isAppError(error));
    });

    it('says what is wrong with a pattern', async () => {
      await make({ a: '' });
      await assert.rejects(run(grep, { pattern: '(' }), (error) => isAppError(error, 'invalid_input'));
    });

    it('never leaves the folder by a link', async () => {
      await make({ 'in/a.txt': 'x', 'out/b.txt': 'x' });
      await symlink('../out', join(folder.path, 'in', 'link'));
      await symlink('../out/b.txt', join(folder.path, 'in', 'b.txt'));
      assert.equal(await run(grep, { pattern: 'x', path: 'in' }), 'in/a.txt:1:x');
    });

    it('leaves out binary files, unless one is named', async () => {
      await make({ 'a.bin': 'hello\0', 'a.txt': 'hello' });
      assert.equal(await run(grep, { pattern: 'hello' }), 'a.txt:1:hello');
      assert.equal(await run(grep, { pattern: 'hello', path: 'a.bin' }), 'a.bin: binary file matches');
    });

    it('leaves out files that the run may not read, in every mode', async () => {
      await make({ '.env': 'x', 'a.txt': 'x', 'sub/.env': 'x' });
      const mayRead = (path: string): boolean => !path.endsWith('.env');
      assert.equal(await run(grep, { pattern: 'x' }, { mayRead }), 'a.txt:1:x');
      assert.equal(await run(grep, { pattern: 'x', output_mode: 'files' }, { mayRead }), 'a.txt');
      assert.equal(await run(grep, { pattern: 'x', output_mode: 'count', glob: '.env' }, { mayRead }), '[No matches.]');
      assert.equal(await run(glob, { pattern: '**' }, { mayRead }), 'a.txt');
    });

    it('stops at its limit; cuts long lines; spills what is too long', async () => {
      await make({ 'many.txt': 'match\n'.repeat(100_000), 'long.txt': `match${'y'.repeat(1_000_000)}\n` });
      const text = await run(grep, { pattern: 'match', path: 'many.txt', head_limit: 2 });
      assert.match(text, /^many\.txt:1:match\nmany\.txt:2:match\n\[Stopped after 2/);
      assert.ok((await run(grep, { pattern: 'match', path: 'long.txt' })).length < 2000);
      const spilled = await run(grep, { pattern: 'match', path: 'many.txt', head_limit: 5000 });
      assert.ok(spilled.length < 31_000);
      const path = /All of the output is in (.*?): Read/.exec(spilled)?.[1] ?? '';
      assert.ok((await readFile(path, 'utf8')).startsWith('many.txt:1:match\nmany.txt:2:match\n'));
    });

    it('finds in ten megabytes, unicode and UTF-16', async () => {
      await make({ 'big.txt': `${'filler line\n'.repeat(900_000)}the 針 needle\n`, 'wide.txt': Buffer.from('\ufeffthe 針 needle\n', 'utf16le') });
      assert.equal(await run(grep, { pattern: '針' }), 'big.txt:900001:the 針 needle\nwide.txt:1:the 針 needle');
    });

    it('is killed by an abort', async () => {
      await make({ 'a.txt': 'x\n'.repeat(1_000_000) });
      const abort = new AbortController();
      // Aborts from inside the search, when the first match has come.
      const mayRead = (): boolean => {
        abort.abort();
        return true;
      };
      await assert.rejects(run(grep, { pattern: 'x' }, { mayRead, signal: abort.signal }), (error) => isAppError(error, 'aborted'));
      await assert.rejects(run(glob, { pattern: '**' }, { signal: abort.signal }), (error) => isAppError(error, 'aborted'));
    });
  });

  it('describes itself and names the folder that it reads', () => {
    assert.equal(grep.describe({ pattern: 'x\ny' } as never), 'Searching for "x y"');
    assert.deepEqual(grep.targets({ pattern: 'x' } as never), [{ kind: 'path', access: 'read', path: '.' }]);
    assert.deepEqual(glob.targets({ pattern: 'x', path: 'src' } as never), [{ kind: 'path', access: 'read', path: 'src' }]);
  });

  it('shows nothing of a folder that became a link while it was searched', async () => {
    for (const tool of [grep, glob]) {
      await make({ 'src/a.txt': 'x', 'other/a.txt': 'x' });
      const mayRead = (): boolean => {
        renameSync(join(folder.path, 'src'), join(folder.path, `${tool.name}-moved`));
        symlinkSync('other', join(folder.path, 'src'));
        return true;
      };
      assert.doesNotMatch(await run(tool, { pattern: tool === grep ? 'x' : 'src/*', ...(tool === grep && { glob: 'src/*' }) }, { mayRead }), /a\.txt/);
      renameSync(join(folder.path, 'src'), join(folder.path, `${tool.name}-link`));
    }
  });

  it('says so when ripgrep can not be started', async () => {
    await assert.rejects(run(createGrepTool(join(folder.path, 'missing')), { pattern: 'x' }), (error) => isAppError(error, 'unavailable'));
  });
});

describe('the ripgrep that is used', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  before(async () => {
    folder = await temporaryFolder();
  });
  after(() => folder.remove());

  async function place(...parts: string[]): Promise<string> {
    const path = join(folder.path, ...parts, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, '', { mode: 0o755 });
    return path;
  }

  it('is VS Code’s own, newest layout first, then one on the search path, then the package', async () => {
    const places = { appRoot: join(folder.path, 'app'), path: ['relative', join(folder.path, 'bin')].join(process.platform === 'win32' ? ';' : ':') };
    assert.match((await findRipgrep(places)) ?? '', /ripgrep/);
    const onPath = await place('bin');
    assert.equal(await findRipgrep(places), onPath);
    const unpacked = await place('app', 'node_modules.asar.unpacked', '@vscode', 'ripgrep', 'bin');
    assert.equal(await findRipgrep(places), unpacked);
    const older = await place('app', 'node_modules', '@vscode', 'ripgrep', 'bin');
    assert.equal(await findRipgrep(places), older);
    const universal = await place('app', 'node_modules', '@vscode', 'ripgrep-universal', 'bin', `${process.platform}-${process.arch}`);
    assert.equal(await findRipgrep(places), universal);
  });
});
