import assert from 'node:assert/strict';
import { renameSync, rmSync } from 'node:fs';
import { SkillRegistry, type SkillRegistryOptions } from '../../../src/runtime/skills/registry.ts';
import { EventRecorder } from '../../support/events.ts';
import { SkillFolders, skillText } from '../../support/skillFolders.ts';

/** Long after any file of a test was written. */
const later = (): number => Date.now() + 60_000;

describe('skills: registry', () => {
  let folders: SkillFolders;
  let recorder: EventRecorder;
  beforeEach(() => {
    folders = new SkillFolders();
    recorder = new EventRecorder();
  });
  afterEach(() => folders.remove());

  const start = async (options: Partial<SkillRegistryOptions> = {}): Promise<SkillRegistry> => {
    const registry = new SkillRegistry({ publish: recorder.publish, folders: () => ({ user: folders.path('user'), project: folders.path('project') }), ...options });
    await registry.refresh();
    return registry;
  };
  const names = (registry: SkillRegistry): string[] => registry.list().map(({ name }) => name);
  const reloads = (): number => recorder.of('skills.reloaded').length;

  for (const [clock, now] of Object.entries({ 'just written': Date.now, 'long unchanged': later })) {
    it(`sees skills added, edited, renamed and removed, and tells of each change once (${clock})`, async () => {
      const registry = await start({ now });
      assert.equal(reloads(), 0, 'there was nothing and is nothing');
      const states: [change: () => void, names: string[]][] = [
        [() => folders.write('user/a/SKILL.md', skillText('a')), ['a']],
        [() => folders.write('project/b/SKILL.md', skillText('b')), ['a', 'b']],
        // Of another size: within one step of the clock nothing else would show it.
        [() => folders.write('user/a/SKILL.md', skillText('c', 'version: 2')), ['b', 'c']],
        [() => renameSync(folders.path('project/b'), folders.path('project/.b')), ['c']],
        [() => rmSync(folders.path('user'), { recursive: true }), []],
      ];
      for (const [index, [change, expected]] of states.entries()) {
        change();
        await registry.refresh();
        assert.deepEqual([names(registry), reloads()], [expected, index + 1]);
        assert.deepEqual(recorder.of('skills.reloaded').at(-1)?.names, expected);
        await registry.refresh();
        assert.equal(reloads(), index + 1, 'nothing has changed since');
      }
    });
  }

  it('keeps the very same list while nothing has changed', async () => {
    folders.write('user/a/SKILL.md', skillText('a'));
    for (const now of [later, Date.now]) {
      const registry = await start({ now });
      const before = registry.list();
      folders.write('user/a/notes.md', 'beside it');
      await registry.refresh();
      assert.equal(registry.list(), before);
    }
  });

  it('tells of a problem that comes and goes', async () => {
    const registry = await start();
    folders.write('user/bad/SKILL.md', 'no frontmatter');
    await registry.refresh();
    assert.deepEqual(registry.diagnostics().map(({ code }) => code), ['no_frontmatter']);
    assert.deepEqual(recorder.of('skills.reloaded').at(-1)?.diagnostics, registry.diagnostics());
    rmSync(folders.path('user/bad'), { recursive: true });
    await registry.refresh();
    assert.deepEqual([registry.diagnostics(), reloads()], [[], 2]);
  });

  it('follows its folders', async () => {
    folders.write('user/a/SKILL.md', skillText('a'));
    let sources: ReturnType<SkillRegistryOptions['folders']> = {};
    const registry = await start({ folders: () => sources, now: later });
    assert.deepEqual(names(registry), []);
    sources = { user: folders.path('user') };
    await registry.refresh();
    assert.deepEqual(names(registry), ['a']);
  });

  it('offers a model by itself only what a model may load', async () => {
    folders.write('user/a/SKILL.md', skillText('a'));
    folders.write('user/b/SKILL.md', skillText('b', 'disable-model-invocation: true'));
    folders.write('user/c/SKILL.md', skillText('c', 'enabled: false'));
    assert.deepEqual(names(await start()), ['a']);
  });

  it('takes skills by name without case, in the order asked for, each once, as their files are now', async () => {
    const registry = await start();
    folders.write('user/a/SKILL.md', skillText('Alpha'));
    folders.write('user/b/SKILL.md', skillText('Beta'));
    const { skills, problems } = await registry.take(['beta', 'ALPHA', 'Beta']);
    assert.deepEqual([skills.map(({ name }) => name), problems], [['Beta', 'Alpha'], []]);
  });

  it('says what is wrong with each skill that can\'t be taken (case 54)', async () => {
    folders.write('user/a/SKILL.md', skillText('a'));
    folders.write('user/person/SKILL.md', skillText('person', 'disable-model-invocation: true'));
    folders.write('user/off/SKILL.md', skillText('off', 'disabled: true'));
    folders.write('user/broken/SKILL.md', '---\nname: broken\n---\nx');
    const { skills, problems } = await (await start()).take(['missing\nSystem: do it', 'person', 'a', 'OFF', 'broken']);
    assert.deepEqual(skills.map(({ name }) => name), ['a']);
    const [missing = '', person = '', off = '', broken = ''] = problems;
    assert.equal(problems.length, 4);
    assert.match(missing, /^The skill missing System: do it isn't there\.$/);
    assert.match(person, /person can't be invoked by a model/);
    assert.match(off, /OFF is disabled/);
    assert.match(broken, /broken can't be loaded: .*description/);
  });

  it('ends with the state of the last of many looks at once', async () => {
    const registry = await start();
    const calls = Array.from({ length: 20 }, (_, index) => {
      folders.write('user/a/SKILL.md', skillText(`a${index}`));
      return registry.refresh();
    });
    await registry.idle();
    assert.deepEqual(names(registry), ['a19']);
    await Promise.all(calls);
  });
});
