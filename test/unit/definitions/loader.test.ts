import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { builtinAgents } from '../../../src/runtime/definitions/builtin.ts';
import { AgentLoader, type LoadedDefinitions } from '../../../src/runtime/definitions/loader.ts';
import type { DefinitionFolders } from '../../../src/runtime/definitions/scan.ts';
import { delegableDefinitions, findDefinition } from '../../../src/runtime/definitions/names.ts';

const agent = (name: string, ...lines: string[]): string => `---\nname: ${name}\ndescription: About ${name}\n${lines.map((line) => `${line}\n`).join('')}---\nPrompt of ${name}.\n`;

describe('definitions: loader', () => {
  let root: string;
  const loader = new AgentLoader();
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'definitions-'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const write = (path: string, content: string | Uint8Array): string => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  };
  const load = (): Promise<LoadedDefinitions> => loader.load({ bundled: join(root, 'bundled'), user: join(root, 'user'), project: join(root, 'project'), directory: join(root, 'directory') });
  const own = (loaded: LoadedDefinitions): string[] => loaded.definitions.filter(({ source }) => source !== 'builtin').map(({ name }) => name);
  const found = (loaded: LoadedDefinitions): string[] => loaded.diagnostics.map(({ code, path }) => `${code} ${path.slice(root.length + 1)}`);

  it('has the built-in ones without any folder', async () => {
    for (const loaded of [await load(), await loader.load({})]) {
      assert.deepEqual(loaded.definitions.map(({ name }) => name), ['Explore', 'general-purpose']);
      assert.deepEqual(loaded.diagnostics, []);
    }
    assert.ok(builtinAgents.every(({ prompt, description }) => prompt.length > 1000 && description.length > 80));
  });

  it('loads three good files beside a bad one, and the bad one gives the same error twice', async () => {
    for (const name of ['a', 'b', 'c']) write(`project/${name}.md`, agent(name));
    write('project/bad.md', '---\nname: bad\ndescription: Bad: colon\n---\n');
    const first = await load();
    assert.deepEqual(own(first), ['a', 'b', 'c']);
    assert.deepEqual(found(first), ['yaml project/bad.md']);
    assert.equal(first.diagnostics[0]?.line, 3);
    assert.deepEqual(await load(), first);
  });

  it('lets later sources win, without case, and marks the losers (case 48)', async () => {
    const sources = ['bundled', 'user', 'project', 'directory'];
    for (const source of sources) write(`${source}/x.md`, agent(source === 'user' ? 'REVIEWER' : 'reviewer'));
    write('user/explore.md', agent('EXPLORE'));
    const loaded = await load();
    assert.equal(findDefinition(loaded.definitions, 'Reviewer')?.source, 'directory');
    assert.equal(findDefinition(loaded.definitions, 'Explore')?.source, 'user');
    assert.equal(loaded.definitions.length, 3);
    assert.deepEqual(found(loaded), ['bundled', 'user', 'project'].map((source) => `shadowed ${source}/x.md`));
    assert.ok(loaded.diagnostics.every(({ severity }) => severity === 'information'));
    assert.equal(loaded.all.length, 7);
  });

  it('settles one name twice in a folder by path (case 48)', async () => {
    write('project/b.md', agent('Same'));
    write('project/a.md', agent('same'));
    write('project/c.md', agent('SAME'));
    const loaded = await load();
    assert.deepEqual(own(loaded), ['same']);
    assert.deepEqual(found(loaded), ['duplicate project/b.md', 'duplicate project/c.md']);
    write('directory/z.md', agent('same'));
    assert.deepEqual(found(await load()).sort(), ['duplicate project/b.md', 'duplicate project/c.md', 'shadowed project/a.md']);
  });

  it('says what runs instead of a broken override', async () => {
    write('project/general-purpose.md', '---\ndescription: Mine\nisolation: remote\n---\n');
    const loaded = await load();
    assert.equal(findDefinition(loaded.definitions)?.source, 'builtin');
    assert.ok(found(loaded).includes('fallback project/general-purpose.md'));
  });

  it('reads subfolders where the product does, whatever they are called', async () => {
    const claude = join(root, 'claude');
    for (const path of ['a.md', 'review/b.md', 'review/deep/c.md', '.hidden/d.md', 'node_modules/e.md']) write(`claude/${path}`, agent(path.replace(/\W/g, '-')));
    symlinkSync(claude, join(claude, 'review/loop'));
    mkdirSync(join(claude, 'review/folder.md'));
    const loaded = await loader.load({ claude_project: claude });
    assert.deepEqual(own(loaded), ['a-md', 'review-b-md', 'review-deep-c-md']);
    assert.deepEqual(found(loaded), ['not_a_file claude/review/folder.md']);
  });

  it('stops at very deep and very full folders, and says so', async () => {
    write(`claude/${Array(9).fill('d').join('/')}/x.md`, agent('deep'));
    for (let index = 0; index < 502; index++) write(`project/${String(index).padStart(3, '0')}.md`, agent(`n${index}`));
    const loaded = await loader.load({ claude_project: join(root, 'claude'), project: join(root, 'project') });
    assert.equal(own(loaded).length, 500);
    assert.deepEqual(found(loaded), [`too_deep claude/${Array(9).fill('d').join('/')}`, 'too_many project']);
  });

  it('takes the name without `.agent`, and one of two files that then have the same', async () => {
    write('github/reviewer.agent.md', '---\ndescription: First\n---\nx');
    write('github/Reviewer.md', '---\ndescription: Second\n---\nx');
    write('github/nested/other.agent.md', agent('other'));
    const loaded = await loader.load({ github_project: join(root, 'github') });
    assert.deepEqual(own(loaded), ['Reviewer']);
    assert.deepEqual(found(loaded), ['duplicate github/reviewer.agent.md']);
  });

  it('takes a README of another product for documentation, unless it has frontmatter', async () => {
    for (const source of ['claude', 'github', 'project']) write(`${source}/README.md`, '# Agents\n');
    const folders = { claude_project: join(root, 'claude'), github_project: join(root, 'github'), project: join(root, 'project') };
    assert.deepEqual(found(await loader.load(folders)), ['documentation claude/README.md', 'documentation github/README.md', 'no_frontmatter project/README.md']);
    write('claude/README.md', agent('readme'));
    assert.deepEqual(own(await loader.load(folders)), ['readme']);
  });

  it('reads a folder once that two sources name, and lets the project\'s word stand', async () => {
    write('same/x.md', agent('x'));
    symlinkSync(join(root, 'same'), join(root, 'link'));
    const sources = async (folders: DefinitionFolders): Promise<string[]> => {
      const loaded = await loader.load(folders);
      assert.deepEqual(loaded.diagnostics, []);
      return loaded.all.filter(({ source }) => source !== 'builtin').map(({ source }) => source);
    };
    const [same, link] = [join(root, 'same'), join(root, 'link')];
    assert.deepEqual(await sources({ user: same, directory: link }), ['directory']);
    assert.deepEqual(await sources({ project: same, directory: link }), ['project'], 'whoever filled the project is not the user');
    assert.deepEqual(await sources({ claude_user: same, claude_project: link }), ['claude_project']);
  });

  it('gives each definition the hash of its file', async () => {
    const text = `\uFEFF${agent('a')}`;
    write('project/a.md', text);
    const [definition] = (await load()).definitions.filter(({ source }) => source === 'project');
    assert.equal(definition?.hash, createHash('sha256').update(text).digest('hex'));
  });

  it('takes only .md files directly in the folder', async () => {
    write('project/good.md', agent('good'));
    write('project/UPPER.MD', agent('upper'));
    write('project/notes.txt', 'x');
    write('project/good.md.bak', 'x');
    write('project/deep/inner.md', agent('inner'));
    assert.deepEqual(own(await load()), ['good', 'upper']);
    assert.deepEqual((await load()).diagnostics, []);
  });

  it('survives folders, links, pipes, encodings and sizes', async () => {
    write('project/good.md', agent('good'));
    mkdirSync(join(root, 'project/folder.md'));
    symlinkSync(join(root, 'nowhere'), join(root, 'project/dangling.md'));
    symlinkSync(join(root, 'project/loop.md'), join(root, 'project/loop.md'));
    symlinkSync(write('elsewhere/linked', agent('linked')), join(root, 'project/linked.md'));
    write('project/latin1.md', Buffer.from('---\ndescription: caf\xe9\n---\n', 'latin1'));
    write('project/utf16.md', Buffer.from(`\uFEFF${agent('utf16')}`, 'utf16le'));
    write('project/utf16plain.md', Buffer.from(agent('utf16'), 'utf16le'));
    write('project/utf16swapped.md', Buffer.from(`\uFEFF${agent('utf16')}`, 'utf16le').swap16());
    write('project/zero.md', `${agent('zero')}ab\0c`);
    write('project/huge.md', agent('huge') + 'x'.repeat(300 * 1024));
    write('project/empty.md', '');
    if (process.platform !== 'win32') execFileSync('mkfifo', [join(root, 'project/pipe.md')]);
    const loaded = await load();
    assert.deepEqual(own(loaded), ['good', 'linked']);
    const expected = ['missing project/dangling.md', 'no_frontmatter project/empty.md', 'not_a_file project/folder.md', 'too_large project/huge.md', 'not_utf8 project/latin1.md', 'unreadable project/loop.md'];
    if (process.platform !== 'win32') expected.push('not_a_file project/pipe.md');
    assert.deepEqual(found(loaded), [...expected, ...['utf16', 'utf16plain', 'utf16swapped', 'zero'].map((name) => `not_utf8 project/${name}.md`)]);
    const messages = loaded.diagnostics.filter(({ path }) => path.includes('utf16')).map(({ message }) => message);
    assert.ok(messages.length === 3 && messages.every((message) => message.includes('UTF-16')));
    const zero = loaded.diagnostics.find(({ path }) => path.endsWith('zero.md'));
    assert.deepEqual([zero?.line, zero?.column], [6, 3]);
    const latin1 = loaded.diagnostics.find(({ path }) => path.endsWith('latin1.md'));
    assert.deepEqual([latin1?.line, latin1?.column], [2, 17]);
    assert.deepEqual(await load(), loaded);
  });

  it('reports a file or folder that may not be read', async function () {
    if (process.platform === 'win32' || process.getuid?.() === 0) this.skip();
    chmodSync(write('project/secret.md', agent('secret')), 0o000);
    write('project/good.md', agent('good'));
    assert.deepEqual(own(await load()), ['good']);
    assert.deepEqual(found(await load()), ['unreadable project/secret.md']);
  });

  it('reports a folder that is a file', async () => {
    write('project', 'x');
    write('user/good.md', agent('good'));
    const loaded = await load();
    assert.deepEqual(own(loaded), ['good']);
    assert.deepEqual(found(loaded), ['unreadable project']);
  });

  it('sees what changed since the last call', async () => {
    const file = write('project/a.md', agent('a'));
    assert.deepEqual(own(await load()), ['a']);
    writeFileSync(file, agent('b'));
    assert.deepEqual(own(await load()), ['b']);
    rmSync(file);
    assert.deepEqual(own(await load()), []);
  });
});

describe('definitions: selection', () => {
  const hidden = { ...builtinAgents[0]!, name: 'hidden', delegable: false };
  const definitions = [...builtinAgents, hidden];

  it('takes the default without a name, and never guesses', () => {
    assert.equal(findDefinition(definitions)?.name, 'general-purpose');
    assert.equal(findDefinition(definitions, 'EXPLORE')?.name, 'Explore');
    for (const name of ['Explor', '', 'general', '*']) assert.equal(findDefinition(definitions, name), undefined, name);
  });

  it('does not show a model what is not delegable', () => {
    assert.deepEqual(delegableDefinitions(definitions), builtinAgents);
    assert.equal(findDefinition(definitions, 'hidden'), hidden);
  });
});
