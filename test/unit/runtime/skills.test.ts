import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { LiteAgentOptions } from '../../../src/runtime/domain/liteAgent.ts';
import type { ModelRequest } from '../../../src/runtime/domain/models.ts';
import { isRoot, promptOf, startAgent, toolResults, type AgentFixture } from '../../support/agentFixture.ts';
import { heardBy, runGroup, startDefined, type DefinedChildren } from '../../support/definedChildren.ts';
import type { ScriptedTurn } from '../../support/scriptedModel.ts';
import { SkillFolders, skillText } from '../../support/skillFolders.ts';

const skill = (name: string): { readonly name: string; readonly input: object } => ({ name: 'Skill', input: { name } });
const use = (name: string, input: object): { readonly name: string; readonly input: object } => ({ name, input });
const done: ScriptedTurn = { text: 'done' };

/** The names of the skills that a request tells of; nothing where it offers no way to load one. */
function told(request: ModelRequest | undefined): readonly string[] | undefined {
  const description = request?.tools.find(({ name }) => name === 'Skill')?.description;
  return description?.split('\n').flatMap((line) => /^- ([^:]+): /.exec(line)?.[1] ?? []);
}

/** Puts names of skills into definitions that are loaded without any. */
function giveSkills({ agent }: AgentFixture, skills: Readonly<Record<string, readonly string[]>>): void {
  const loaded = agent.definitions.list.bind(agent.definitions);
  agent.definitions.list = () => loaded().map((definition) => ({ ...definition, ...(skills[definition.name] && { skills: skills[definition.name] }) }));
}

describe('skills of an agent', () => {
  let folders: SkillFolders;
  let fixture: AgentFixture;
  let skills: NonNullable<LiteAgentOptions['skills']>;
  beforeEach(() => {
    folders = new SkillFolders();
    skills = { user: folders.path('user'), project: folders.path('project') };
  });
  afterEach(async () => {
    await fixture.end();
    folders.remove();
    fixture.model.assertClean();
  });

  const results = (): { readonly text: string; readonly isError: boolean }[] => fixture.model.requests.flatMap(toolResults);
  const say = async (text = 'hello'): Promise<void> => {
    await (await fixture.agent.openSession()).send(text);
  };
  /** Runs children on definitions that name skills, and gives what the requests of each were told of. */
  const runChildren = async (named: Readonly<Record<string, readonly string[]>>, children: DefinedChildren, options: Partial<LiteAgentOptions> = {}): Promise<Record<string, readonly string[] | undefined>> => {
    fixture = await startDefined(children, { skills, ...options });
    giveSkills(fixture, named);
    await runGroup(fixture);
    return Object.fromEntries(Object.keys(children).map((name) => [name, told(fixture.model.requests.find((request) => !isRoot(request) && promptOf(request) === name))]));
  };

  it('offers the root those in its folders, and loads one with the files beside it', async () => {
    folders.write('user/pdf/SKILL.md', skillText('pdf'));
    folders.write('user/pdf/forms.md', 'How to fill forms');
    folders.write('project/notes/SKILL.md', skillText('notes'));
    folders.write('project/private/SKILL.md', skillText('private', 'disable-model-invocation: true'));
    fixture = await startAgent([{ calls: [skill('pdf')] }, { calls: [use('Read', { file_path: folders.path('user/pdf/forms.md') })] }, done], { skills });
    assert.deepEqual(fixture.agent.skills.list().map(({ name }) => name), ['notes', 'pdf'], 'from the start');
    await say();
    assert.deepEqual(told(fixture.model.requests[0]), ['notes', 'pdf']);
    const [loaded, read] = results();
    assert.match(loaded?.text ?? '', /Instructions of pdf\.[^]*\n- forms\.md/);
    assert.match(read?.text ?? '', /How to fill forms/);
    assert.deepEqual(fixture.recorder.of('approval.wanted'), []);
    assert.deepEqual(fixture.recorder.of('permission.denied'), []);
  });

  it('offers no tool where there are none', async () => {
    fixture = await startAgent([done], { skills });
    await say();
    assert.equal(told(fixture.model.requests[0]), undefined);
  });

  it('counts a changed, a new and a removed file at the next turn, and tells of it', async () => {
    folders.write('user/pdf/SKILL.md', skillText('pdf'));
    fixture = await startAgent([{ calls: [skill('pdf')] }, done, { calls: [skill('pdf')] }, done], { skills });
    await say();
    folders.write('user/pdf/SKILL.md', skillText('pdf').replace('Instructions', 'New instructions'));
    folders.write('user/docx/SKILL.md', skillText('docx'));
    await say();
    assert.match(results().at(0)?.text ?? '', /^Instructions of pdf/m);
    assert.match(results().at(-1)?.text ?? '', /^New instructions of pdf/m);
    assert.deepEqual(told(fixture.model.requests.at(-1)), ['docx', 'pdf']);
    assert.deepEqual(fixture.recorder.of('skills.reloaded').at(-1)?.names, ['docx', 'pdf']);
  });

  it('follows its folders when they are configured anew', async () => {
    folders.write('other/docx/SKILL.md', skillText('docx'));
    fixture = await startAgent([], { skills });
    fixture.agent.configure({ skills: { user: folders.path('other') } });
    assert.deepEqual((await fixture.recorder.until('skills.reloaded')).names, ['docx']);
    assert.deepEqual(fixture.agent.skills.list().map(({ name }) => name), ['docx']);
  });

  it('replaces them by those that are given in code', async () => {
    folders.write('user/pdf/SKILL.md', skillText('pdf'));
    folders.write('coded/table.md', 'The table');
    const capabilities = { skills: [{ name: 'own', description: 'Mine', instructions: 'Do it my way.' }, { name: 'filed', description: 'Mine too', instructions: 'See table.md.', folder: folders.path('coded') }] };
    fixture = await startAgent([{ calls: [skill('own'), skill('pdf'), use('Read', { file_path: folders.path('coded/table.md') })] }, done], { skills, capabilities });
    await say();
    assert.deepEqual(told(fixture.model.requests[0]), ['own', 'filed']);
    const [own, foreign, read] = results();
    assert.match(own?.text ?? '', /Do it my way\./);
    assert.equal(foreign?.isError, true);
    assert.match(foreign?.text ?? '', /own, filed/);
    assert.match(read?.text ?? '', /The table/);
  });

  it('gives a child those that its definition names, and nobody else\'s', async () => {
    for (const name of ['pdf', 'docx', 'notes']) folders.write(`user/${name}/SKILL.md`, skillText(name));
    const seen = await runChildren(
      { a: ['PDF'], b: ['docx'], limited: ['notes'] },
      { a: { fields: [], turns: [{ calls: [skill('pdf'), skill('docx'), skill('notes')] }, done] }, b: { fields: [], turns: [done] }, limited: { fields: ['tools: Read'], turns: [{ calls: [skill('notes')] }, done] }, plain: { fields: [], turns: [done] }, standard: { turns: [done] } },
    );
    assert.deepEqual(seen, { a: ['pdf'], b: ['docx'], limited: ['notes'], plain: undefined, standard: undefined });
    const [own = '', ...others] = heardBy(fixture, 'a');
    assert.match(own, /Instructions of pdf\./);
    for (const text of others) assert.match(text, /no skill called .* Yours are: pdf\./);
    assert.match(heardBy(fixture, 'limited')[0] ?? '', /Instructions of notes\./);
    assert.deepEqual(told(fixture.model.requests.find(isRoot)), ['docx', 'notes', 'pdf']);
  });

  it('tells the child, its transcript and whoever watches what is missing (case 54)', async () => {
    folders.write('user/pdf/SKILL.md', skillText('pdf'));
    folders.write('user/off/SKILL.md', skillText('off', 'enabled: false'));
    folders.write('user/person/SKILL.md', skillText('person', 'disable-model-invocation: true'));
    const seen = await runChildren({ a: ['missing', 'off', 'person', 'pdf'], b: ['missing'] }, { a: { fields: [], turns: [done] }, b: { fields: [], turns: [done] } });
    assert.deepEqual(seen, { a: ['pdf'], b: undefined });
    const [group] = fixture.agent.groups();
    const child = group?.children.find(({ displayName }) => displayName === 'a');
    assert.ok(child);
    const expected = [/missing isn't there/, /off is disabled/, /person can't be invoked by a model/];
    const notes = (await fixture.agent.transcript(child.agentId)).flatMap((entry) => (entry.type === 'note' ? [entry.text] : []));
    const events = fixture.recorder.of('child.noted').flatMap(({ agentId, text }) => (agentId === child.agentId ? [text] : []));
    const system = fixture.model.requests.find((request) => promptOf(request) === 'a')?.system ?? '';
    for (const texts of [notes, events, child.notes ?? []]) {
      assert.equal(texts.length, expected.length);
      expected.forEach((pattern, index) => assert.match(texts[index] ?? '', pattern));
    }
    for (const pattern of expected) assert.match(system, pattern);
    assert.equal(child.outcome?.status, 'completed', 'it worked all the same');
  });

  it('gives a child that goes on those of its definition as it started, with what the files say now', async () => {
    folders.write('user/pdf/SKILL.md', skillText('pdf'));
    await runChildren({ a: ['pdf', 'docx'] }, { a: { fields: [], turns: [done, { calls: [skill('docx')] }, done] } });
    const agentId = fixture.agent.groups()[0]?.children[0]?.agentId ?? '';
    folders.write('user/docx/SKILL.md', skillText('docx'));
    const { groupId } = await fixture.agent.resumeChild(agentId, { prompt: 'again' });
    await fixture.recorder.until('group.settled', (event) => event.groupId === groupId);
    assert.match(heardBy(fixture, 'a')[0] ?? '', /Instructions of docx\./);
    assert.deepEqual(told(fixture.model.requests.filter((request) => !isRoot(request)).at(-1)), ['pdf', 'docx']);
  });

  it('lets a child read, find and search in the folders of its own skills alone, and never through a link out of them', async () => {
    folders.write('user/pdf/SKILL.md', skillText('pdf'));
    folders.write('user/pdf/forms.md', 'needle in forms');
    folders.write('user/pdf/.env', 'needle=secret-4711');
    folders.write('user/docx/SKILL.md', skillText('docx'));
    folders.write('user/docx/table.md', 'needle in table');
    folders.write('outside/secret.md', 'needle outside');
    symlinkSync('../../outside/secret.md', folders.path('user/pdf/out.md'));
    symlinkSync('../../outside', folders.path('user/pdf/out'));
    // As people do who keep skills elsewhere.
    symlinkSync(folders.path('user'), folders.path('project'));
    const inPdf = (path: string): string => folders.path('project/pdf', path);
    const free = [use('Read', { file_path: inPdf('forms.md') }), use('Glob', { pattern: '**', path: inPdf('') }), use('Grep', { pattern: 'needle', path: inPdf('') })];
    const refused = [inPdf('.env'), inPdf('out.md'), inPdf('out/secret.md'), inPdf('../docx/table.md'), folders.path('user/docx/table.md')].map((file_path) => use('Read', { file_path }));
    const writes = [use('Write', { file_path: inPdf('forms.md'), content: 'x' })];
    await runChildren({ a: ['pdf'] }, { a: { fields: [], turns: [{ calls: [...free, ...refused, ...writes] }, done] } });
    const [read = '', glob = '', grep = '', ...others] = heardBy(fixture, 'a');
    assert.match(read, /needle in forms/);
    assert.match(glob, /forms\.md/);
    assert.match(grep, /needle in forms/);
    for (const text of [glob, grep]) assert.doesNotMatch(text, /out|4711|\.env|table/);
    assert.equal(others.length, refused.length + writes.length);
    for (const text of others) assert.doesNotMatch(text, /needle|created|replaced/i);
    assert.equal(fixture.recorder.of('tool.ended').filter(({ isDenied }) => isDenied).length, others.length);
  });

  it('reads a linked folder of a project without giving its secrets away', async () => {
    fixture = await startAgent((request) => (toolResults(request).length > 0 ? done : { calls: [skill('deploy'), use('Read', { file_path: 'deploy/.env' })] }), { workspace: { 'deploy/SKILL.md': skillText('deploy'), 'deploy/.env': 'KEY=4711', 'skills/x': '' } });
    symlinkSync('../deploy', `${fixture.cwd}/skills/deploy`);
    fixture.agent.configure({ skills: { project: `${fixture.cwd}/skills` } });
    await say();
    const [loaded, secret] = results();
    assert.match(loaded?.text ?? '', /Instructions of deploy/);
    assert.doesNotMatch(loaded?.text ?? '', /\.env/);
    assert.equal(secret?.isError, true);
  });
});
