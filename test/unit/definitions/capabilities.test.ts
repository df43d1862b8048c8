import assert from 'node:assert/strict';
import { parseDefinition, type ParsedDefinition, type ParseOptions } from '../../../src/runtime/definitions/parse.ts';

const read = (lines: readonly string[], options: ParseOptions = {}): Promise<ParsedDefinition> =>
  parseDefinition({ path: '/agents/x.md', text: ['---', 'description: Does things', ...lines, '---', 'Prompt.', ''].join('\n'), source: 'project' }, options);
const found = ({ diagnostics }: ParsedDefinition): string[] => diagnostics.map(({ severity, code, line }) => `${severity}:${code}:${line}`);

describe('definitions: skills', () => {
  it('are a list or text with commas, each once', async () => {
    for (const line of ['skills: [review, testing, review]', 'skills: review, testing, review']) {
      const parsed = await read([line]);
      assert.deepEqual([parsed.definition?.skills, found(parsed)], [['review', 'testing'], []]);
    }
    for (const line of ['skills: []', 'skills:']) assert.equal((await read([line])).definition?.skills, undefined);
  });

  it('that aren\'t there are warned of, naming those that are (case 54)', async () => {
    const parsed = await read(['skills: [Review, gone]'], { skills: ['review', 'testing'] });
    assert.deepEqual([parsed.definition?.skills, found(parsed)], [['Review', 'gone'], ['warning:unknown_skill:3']]);
    assert.match(parsed.diagnostics[0]?.message ?? '', /`gone`.*`review`, `testing`/);
  });

  it('bring the tool that loads them, unless there is to be none', async () => {
    const added = await read(['skills: [a]', 'tools: [Read]']);
    assert.deepEqual([added.definition?.tools, found(added)], [['Read', 'Skill'], ['information:tools_added:3']]);
    for (const [tools, expected] of [['tools: [Skill]', ['Skill']], ['tools: []', []], ['tools: "*"', 'inherit']] as const) assert.deepEqual((await read(['skills: [a]', tools])).definition?.tools, expected);
    assert.deepEqual((await read(['skills: [a]', 'tools: [Read]', 'disallowedTools: [Skill]'])).definition?.tools, ['Read']);
  });
});

describe('definitions: readOnly', () => {
  it('loads, and says what it drops of the list of tools', async () => {
    const plain = await read(['readOnly: true', 'tools: [Read, Bash]']);
    assert.deepEqual([plain.definition?.readOnly, found(plain)], [true, []]);
    const writing = await read(['readOnly: true', 'tools: [Read, Write, Edit]']);
    assert.deepEqual([writing.definition?.readOnly, found(writing)], [true, ['information:tools_dropped:3']]);
    assert.match(writing.diagnostics[0]?.message ?? '', /`Write`, `Edit`/);
    assert.equal((await read(['readOnly: false'])).definition?.readOnly, undefined);
  });
});

describe('definitions: resultSchema', () => {
  it('becomes plain JSON', async () => {
    const { definition, diagnostics } = await read(['resultSchema:', '  type: object', '  properties:', '    count: {type: integer, minimum: 0}', '    kind: {enum: [a, null, 1.5, true]}', '  required: [count]', '  additionalProperties: false']);
    assert.deepEqual(definition?.resultSchema, { type: 'object', properties: { count: { type: 'integer', minimum: 0 }, kind: { enum: ['a', null, 1.5, true] } }, required: ['count'], additionalProperties: false });
    assert.deepEqual(JSON.parse(JSON.stringify(definition.resultSchema)), definition.resultSchema);
    assert.deepEqual(diagnostics, []);
  });

  it('may be of any type that JSON has', async () => {
    for (const schema of ['{type: array}', '{type: [string, "null"]}', '{enum: [yes, no]}', '{}']) assert.ok((await read([`resultSchema: ${schema}`])).definition?.resultSchema, schema);
  });

  const wrong: Record<string, string> = { '': '3:15', './schema.json': '3:15', '[object]': '3:15', '{type: objekt}': '3:22', '{type: []}': '3:22', '{type: [string, 3]}': '3:22', '{type: object, default: .inf}': '3:39', '{default: [{a: !!binary aGk=}]}': '3:39' };
  for (const [written, place] of Object.entries(wrong)) {
    it(`is refused with its place: \`${written}\``, async () => {
      const parsed = await read([`resultSchema: ${written}`]);
      assert.equal(parsed.definition, undefined);
      assert.deepEqual(parsed.diagnostics.filter(({ severity }) => severity === 'error').map(({ line, column }) => `${line}:${column}`), [place]);
    });
  }
});

describe('definitions: color', () => {
  it('is one of a few, and costs nothing otherwise', async () => {
    for (const written of ['blue', 'BLUE', '" Blue "']) assert.equal((await read([`color: ${written}`])).definition?.color, 'blue');
    for (const written of ['"#00897B"', 'magenta', '3', '[red]', '{a: b}']) {
      const parsed = await read([`color: ${written}`]);
      assert.ok(parsed.definition);
      assert.deepEqual([parsed.definition.color, found(parsed)], [undefined, ['information:ignored:3']], written);
    }
  });
});
