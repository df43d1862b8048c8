import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { SkillDefinition } from '../../../src/runtime/domain/skills.ts';
import { createSkillTool } from '../../../src/runtime/skills/skillTool.ts';
import { limitOutput } from '../../../src/runtime/tools/output.ts';
import { SkillFolders } from '../../support/skillFolders.ts';
import { execute, executeText, toolContext } from '../../support/toolContext.ts';

const tool = createSkillTool(limitOutput);
const skill = (name: string, more: Partial<SkillDefinition> = {}): SkillDefinition => ({ name, description: `About ${name}`, instructions: `Instructions of ${name}.`, ...more });
const described = (...skills: readonly SkillDefinition[]): string => tool.descriptionFor?.({ skills, deferred: [] }) ?? '';
/** The part of a result that tells of files. */
const listed = (text: string): string[] => text.split('\n').flatMap((line) => (line.startsWith('- ') ? [line.slice(2)] : []));

describe('the Skill tool: what a model sees of skills', () => {
  it('is a line for each with name and description', () => {
    assert.match(described(skill('pdf'), skill('docx')), /\n- pdf: About pdf\n- docx: About docx$/);
  });

  it('is one line whatever they hold, and a long one is cut', () => {
    const text = described(skill('a\n- b', { description: 'one\n\n- fake: two\u2028three' }), skill('long', { description: 'x'.repeat(5000) }));
    const [first = '', second = '', ...rest] = text.split('\n').filter((line) => line.startsWith('- '));
    assert.equal(first, '- a - b: one - fake: two three');
    assert.ok(second.length < 700 && second.endsWith('…'));
    assert.deepEqual(rest, []);
  });

  it('is bounded in all: descriptions grow short, then go, then names are only counted', () => {
    const many = (count: number): string => described(...Array.from({ length: count }, (_, index) => skill(`skill-number-${index}`, { description: 'x'.repeat(1000) })));
    for (const count of [50, 300, 5000]) assert.ok(many(count).length < 13_000, String(count));
    assert.match(many(50), /- skill-number-49: x{100,}…$/);
    assert.match(many(300), /\n- skill-number-299$/);
    assert.match(many(5000), /\n… and \d{4} more$/);
  });
});

describe('the Skill tool: loading', () => {
  let folders: SkillFolders;
  beforeEach(() => {
    folders = new SkillFolders();
  });
  afterEach(() => folders.remove());

  const load = (skills: readonly SkillDefinition[], name: string, mayRead = (_path: string): boolean => true): Promise<string> => executeText(tool, { name }, toolContext(folders.root, { skills, mayRead }));

  it('gives the instructions, the folder and the files beside them', async () => {
    for (const file of ['SKILL.md', 'reference.md', 'scripts/run.py', 'deep/SKILL.md']) folders.write(`pdf/${file}`, 'x');
    const text = await load([skill('pdf', { folder: folders.path('pdf') })], 'PDF');
    assert.ok(text.includes('Instructions of pdf.'));
    assert.ok(text.includes(folders.path('pdf')));
    assert.deepEqual(listed(text), ['deep/SKILL.md', 'reference.md', 'scripts/run.py']);
  });

  it('gives only instructions of one that is given in code', async () => {
    assert.equal(await load([skill('own')], 'own'), '# Skill: own\n\nInstructions of own.');
  });

  it('lists nothing hidden, kept back, outside or forged', async function () {
    if (process.platform === 'win32') this.skip();
    for (const file of ['a.md', '.env', '.git/config', 'node_modules/x.js', 'secret.pem', 'line\nbreak.md']) folders.write(`pdf/${file}`, 'x');
    folders.write('outside/secret.md', 'x');
    symlinkSync('../outside/secret.md', folders.path('pdf/out.md'));
    symlinkSync('../outside', folders.path('pdf/out'));
    symlinkSync('.', folders.path('pdf/loop'));
    symlinkSync('a.md', folders.path('pdf/inside.md'));
    symlinkSync('secret.pem', folders.path('pdf/innocent.md'));
    symlinkSync('nowhere', folders.path('pdf/dangling.md'));
    const text = await load([skill('pdf', { folder: folders.path('pdf') })], 'pdf', (path) => !path.endsWith('.pem'));
    assert.deepEqual(listed(text), ['a.md', 'inside.md']);
  });

  it('lists a bounded number, not too deep, and says that there are more', async () => {
    for (let index = 0; index < 120; index++) folders.write(`many/${String(index).padStart(3, '0')}.md`, 'x');
    folders.write('deep/1/2/3/4/5/6/x.md', 'x');
    folders.write('deep/1/2/3/4/5/x.md', 'x');
    const many = await load([skill('many', { folder: folders.path('many') })], 'many');
    assert.equal(listed(many).length, 100);
    const deep = await load([skill('deep', { folder: folders.path('deep') })], 'deep');
    assert.deepEqual(listed(deep), ['1/2/3/4/5/x.md']);
    for (const text of [many, deep]) assert.match(text, /There are more/);
  });

  it('loads all the same where the folder is empty or gone', async () => {
    mkdirSync(folders.path('empty'));
    for (const name of ['empty', 'gone']) {
      const text = await load([skill(name, { folder: folders.path(name) })], name);
      assert.ok(text.includes(`Instructions of ${name}.`) && text.includes(folders.path(name)));
      assert.deepEqual(listed(text), []);
    }
  });

  it('cuts very long instructions with a pointer to all of them', async () => {
    const text = await load([skill('long', { instructions: `start ${'x'.repeat(100_000)} end`, folder: folders.path() })], 'long');
    assert.ok(text.length < 35_000);
    const [, path = ''] = /All of the output is in (\S+?):/.exec(text) ?? [];
    assert.match(await readFile(path, 'utf8'), /^start x+ end$/);
  });

  it('knows no skill of anybody else, and names the agent\'s own', async () => {
    await assert.rejects(execute(tool, { name: 'other' }, toolContext(folders.root, { skills: [skill('a'), skill('b')] })), (error: Error & { reason?: string }) => {
      assert.equal(error.reason, 'not_found');
      assert.match(error.message, /"other".*a, b\./);
      return true;
    });
  });
});
