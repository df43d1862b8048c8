import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DefinitionRegistry, type DefinitionSettings } from '../../../src/runtime/definitions/registry.ts';
import type { FoundDefinition } from '../../../src/runtime/domain/definitions.ts';
import type { DefinitionApprovals } from '../../../src/runtime/domain/liteAgent.ts';
import { EventRecorder } from '../../support/events.ts';

const agent = (name: string): string => `---\nname: ${name}\ndescription: About ${name}\n---\nPrompt of ${name}.\n`;

describe('definitions: what was found', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'found-'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const write = (path: string, content: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  const start = async (settings: Partial<DefinitionSettings> = {}, approvals?: DefinitionApprovals): Promise<DefinitionRegistry> => {
    const folders = { user: join(root, 'user'), github_project: join(root, 'github'), project: join(root, 'project') };
    const registry = new DefinitionRegistry({ publish: new EventRecorder().publish, settings: () => ({ folders, ...settings }), ...(approvals && { approvals }) });
    await registry.reload();
    return registry;
  };
  const line = (found: FoundDefinition): string => {
    const place = `${found.source} ${found.name} ${found.status}`;
    return found.status === 'shadowed' ? `${place} by ${found.by.source}` : place;
  };

  it('is every file, winner or not, by source and then by name without case, with what became of it', async () => {
    write('user/b.md', agent('reviewer'));
    write('user/a.md', agent('Alone'));
    write('user/z.md', agent('alto'));
    write('project/reviewer.md', agent('Reviewer'));
    write('project/broken.md', '---\nname: claimed\n---\n');
    const registry = await start({}, { isApproved: () => false, approve: async () => undefined });
    assert.deepEqual(registry.found().map(line), [
      'builtin Explore active', 'builtin general-purpose active',
      'user Alone active', 'user alto active', 'user reviewer shadowed by project',
      'project claimed refused', 'project Reviewer unapproved',
    ]);
    assert.deepEqual(registry.found().map(({ path }) => path?.slice(root.length + 1)), [undefined, undefined, 'user/a.md', 'user/z.md', 'user/b.md', 'project/broken.md', 'project/reviewer.md']);
  });

  it('says of each file what is wrong with it, and of two files of one name in a folder which one counts', async () => {
    write('project/a.md', agent('same'));
    write('project/b.md', agent('same'));
    write('project/odd.md', '---\ndescription: x\ntools: Read, Nothing\n---\nPrompt\n');
    const found = new Map((await start()).found().map((one) => [one.path?.slice(root.length + 1) ?? one.name, one]));
    const [first, second, odd] = ['project/a.md', 'project/b.md', 'project/odd.md'].map((path) => found.get(path));
    assert.deepEqual([first?.status, second?.status, odd?.status], ['active', 'shadowed', 'active']);
    assert.equal(second?.status === 'shadowed' && second.by.path, join(root, 'project/a.md'));
    assert.deepEqual([first, second, odd].map((one) => one?.diagnostics.map(({ code }) => code)), [[], ['duplicate'], ['unknown_tool']]);
  });

  it('is nothing of folders that are called like a file, of documentation, and of folders that are missing', async () => {
    mkdirSync(join(root, 'project', 'folder.md'), { recursive: true });
    write('github/README.md', '# About these agents\n');
    const registry = await start();
    assert.deepEqual(registry.found().map(({ source }) => source), ['builtin', 'builtin']);
  });

  it('is nothing at all where delegation is switched off, which has no folders either', async () => {
    const off = await start({ folders: false });
    assert.deepEqual([off.found(), off.folders()], [[], undefined]);
    assert.deepEqual((await start()).folders(), { user: join(root, 'user'), github_project: join(root, 'github'), project: join(root, 'project') });
  });

  it('is what is given in code, too', async () => {
    write('project/clerk.md', agent('clerk'));
    const [inCode] = (await start()).list();
    assert.ok(inCode);
    const registry = await start({ inCode: [{ ...inCode, name: 'Clerk', source: 'code' }] });
    assert.deepEqual(registry.found().slice(2).map(line), ['project clerk shadowed by code', 'code Clerk active']);
  });
});
