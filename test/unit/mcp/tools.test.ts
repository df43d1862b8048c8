import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { wireName } from '../../../src/runtime/base/wireNames.ts';
import type { ToolDefinition } from '../../../src/runtime/domain/tools.ts';
import { adaptTool } from '../../../src/runtime/mcp/adapter.ts';
import { MAX_TOOLS, readToolList } from '../../../src/runtime/mcp/toolList.ts';
import { connectionToolName } from '../../../src/runtime/mcp/toolNames.ts';
import { execute, previewOf, toolContext } from '../../support/toolContext.ts';

const SCHEMA = { type: 'object' };

describe('a list of tools', () => {
  const namesOf = (items: readonly unknown[]): readonly string[] => readToolList(items).tools.map(({ name }) => name);

  it('keeps what a tool says of itself', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    assert.deepEqual(readToolList([{ name: 'a', title: 'Does A', description: 'A.', inputSchema: schema, annotations: { readOnlyHint: true, title: 'Other' }, more: 1 }]), {
      tools: [{ name: 'a', title: 'Does A', description: 'A.', inputSchema: schema, isReadOnly: true }],
    });
  });

  for (const annotations of [undefined, null, {}, { readOnlyHint: false }, { readOnlyHint: 'true' }, { readOnlyHint: 1 }, { destructiveHint: false }]) {
    it(`takes no tool for read-only with the annotations ${JSON.stringify(annotations)}`, () => assert.equal(readToolList([{ name: 'a', inputSchema: SCHEMA, annotations }]).tools[0]?.isReadOnly, false));
  }

  it('takes the title of the annotations where there is no other', () => {
    assert.equal(readToolList([{ name: 'a', title: ' ', annotations: { title: 'Does A' } }]).tools[0]?.title, 'Does A');
  });

  it('leaves out what is no tool, and nothing else', () => {
    const broken = [null, 3, 'b', [], {}, { name: '' }, { name: 4 }, { name: 'n'.repeat(300) }, { name: 'b', inputSchema: 'text' }, { name: 'b', inputSchema: [] }, { name: 'b', inputSchema: { type: 'string' } }];
    const { tools, problem } = readToolList([{ name: 'a', inputSchema: SCHEMA }, ...broken, { name: 'z', inputSchema: SCHEMA }]);
    assert.deepEqual(tools.map(({ name }) => name), ['a', 'z']);
    assert.match(problem ?? '', /^11 tools can't be used/);
  });

  it('takes the first of two tools with one name', () => {
    const { tools, problem } = readToolList([{ name: 'a', description: 'first' }, { name: 'a', description: 'second' }]);
    assert.deepEqual(tools.map(({ description }) => description), ['first']);
    assert.match(problem ?? '', /1 tool /);
  });

  it('takes a schema for one of an object where it does not say, and refuses an enormous one', () => {
    assert.deepEqual(readToolList([{ name: 'a' }, { name: 'b', inputSchema: { properties: {} } }]).tools.map(({ inputSchema }) => inputSchema), [{ type: 'object' }, { type: 'object', properties: {} }]);
    assert.deepEqual(namesOf([{ name: 'a', inputSchema: { type: 'object', description: 'x'.repeat(200_000) } }]), []);
  });

  it('is cut where it is too long, and says so', () => {
    const items = Array.from({ length: MAX_TOOLS + 20 }, (_, index) => ({ name: `t${index}`, inputSchema: SCHEMA }));
    const { tools, problem } = readToolList(items);
    assert.equal(tools.length, MAX_TOOLS);
    assert.match(problem ?? '', /more tools/);
    assert.equal(readToolList(items.slice(0, MAX_TOOLS)).problem, undefined);
    assert.match(readToolList(items.slice(0, 3), false).problem ?? '', /first 3/);
  });

  it('has descriptions of a bounded length', () => {
    const { tools } = readToolList([{ name: 'a', description: 'd'.repeat(1_000_000), title: 't'.repeat(1_000_000) }]);
    assert.ok((tools[0]?.description.length ?? 0) < 10_000 && (tools[0]?.title?.length ?? 0) < 1_000);
  });
});

describe('the name of a connection tool', () => {
  for (const name of ['get-env', 'a.b/c_d', 'читать', '取得']) it(`is the server's, for ${name}`, () => assert.equal(connectionToolName('s', name), `mcp__s__${name}`));

  // In a rule `*` would mean all tools of the server, and `(` begin a pattern.
  for (const name of ['*', 'a(b:*)', 'a b', 'a\nb', 'a,b', '\u202ea']) {
    it(`holds no character that means something else, for ${JSON.stringify(name)}`, () => assert.match(connectionToolName('s', name), /^mcp__s__[\w.-]+_[0-9a-f]{8}$/));
  }

  it('is another one for each tool, also on the wire', () => {
    const names = ['a b', 'a*b', 'a_b', `${'x'.repeat(100)}1`, `${'x'.repeat(100)}2`].map((name) => connectionToolName('s', name));
    assert.equal(new Set(names).size, names.length);
    assert.equal(new Set(names.map(wireName)).size, names.length);
    for (const name of names) assert.match(wireName(name), /^[A-Za-z0-9_-]{1,64}$/);
  });
});

describe('a connection tool', () => {
  const listed = { name: 'make', description: 'Makes.', inputSchema: SCHEMA, isReadOnly: false };
  const tool = (changes: object = {}, call: Parameters<typeof adaptTool>[2] = async () => ({ content: [] })): ToolDefinition => adaptTool('fac\ntory', { ...listed, ...changes }, call);

  it('says in one plain line what it does', () => {
    assert.equal(tool().describe({} as never), 'fac tory: make');
    assert.equal(tool({ title: 'Make\n[it](command:x)\u202e' }).describe({} as never), 'fac tory: Make [it](command:x)');
    assert.ok(tool({ title: 'x'.repeat(1_000) }).describe({} as never).length <= 120);
  });

  it('touches nothing that a rule could allow', () => assert.deepEqual(tool().targets({} as never), []));

  it('shows before a call what goes to whom', async () => {
    assert.deepEqual(await previewOf(tool({ title: 'Nice words' }), { a: [1] }, toolContext('/')), { kind: 'text', text: 'fac tory: make\n{\n  "a": [\n    1\n  ]\n}' });
  });

  it('sends the very input by the name that the server has, with the signal, and passes on what is said meanwhile', async () => {
    const stop = new AbortController();
    const context = toolContext('/', { signal: stop.signal });
    const sent: unknown[] = [];
    const result = await execute(
      tool({ name: 'ma ke' }, async (name, input, { signal, onProgress }) => {
        onProgress('half');
        sent.push(name, input, signal === stop.signal);
        return { content: [{ type: 'text', text: 'made' }] };
      }),
      { a: 1 },
      context,
    );
    assert.deepEqual(sent, ['ma ke', { a: 1 }, true]);
    assert.deepEqual([result.content, context.reported()], [[{ type: 'text', text: 'made' }], 'half']);
  });
});
