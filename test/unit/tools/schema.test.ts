import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonSchema } from '../../../src/runtime/domain/tools.ts';
import { schemaProblem, validateInput, valueProblem } from '../../../src/runtime/tools/schema.ts';

const schema: JsonSchema = {
  type: 'object',
  properties: { path: { type: 'string', minLength: 1 }, limit: { type: 'integer', minimum: 1 }, mode: { enum: ['a', 'b'] } },
  required: ['path'],
  additionalProperties: false,
};

async function refusal(text: string, by: JsonSchema = schema): Promise<string> {
  const result = await validateInput(by, text);
  assert.ok(!result.ok);
  return result.message;
}

/** Definitions each of which refers to the next one twice. */
function doubling(depth: number): JsonSchema {
  const twice = (next: number): JsonSchema => ({ allOf: [{ $ref: `#/$defs/d${next}` }, { $ref: `#/$defs/d${next}` }] });
  const $defs = Object.fromEntries(Array.from({ length: depth }, (_, i) => [`d${i}`, twice(i + 1)]));
  return { $defs: { ...$defs, [`d${depth}`]: {} }, $ref: '#/$defs/d0' };
}

/** Draft 7 wants all of them to differ, which takes a comparison of each with each. */
const slow: JsonSchema = { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', properties: { a: { enum: Array.from({ length: 60_000 }, (_, i) => ({ i })) } } };

describe('validation of tool input', () => {
  it('gives the input, frozen to its depths', async () => {
    const result = await validateInput({ type: 'object' }, '{"a":{"b":[{"c":1}]}}');
    assert.ok(result.ok);
    const input = result.input as { a: { b: { c: number }[] } };
    assert.deepEqual(input, { a: { b: [{ c: 1 }] } });
    assert.ok(Object.isFrozen(input) && Object.isFrozen(input.a) && Object.isFrozen(input.a.b) && Object.isFrozen(input.a.b[0]));
  });

  it('takes no arguments at all as an empty object', async () => {
    assert.deepEqual(await validateInput({ type: 'object' }, ''), { ok: true, input: {} });
    assert.deepEqual(await validateInput({ type: 'object' }, ' \n'), { ok: true, input: {} });
  });

  it('refuses what is not one JSON object', async () => {
    for (const text of ['{"path":', '[]', 'null', '"x"', '1', '{} {}']) await refusal(text, { type: 'object' });
  });

  it('names every field that is wrong, and what is allowed', async () => {
    const message = await refusal('{"limit":"5","mode":"c","extra":1}');
    for (const word of ['"path"', '"limit"', 'integer', '"5"', '"mode"', '["a","b"]', '"extra"', 'path (string, required)']) assert.ok(message.includes(word), word);
  });

  it('does not take inherited members for fields', async () => {
    await refusal('{}', { type: 'object', required: ['constructor'] });
    await refusal('{}', { type: 'object', required: ['toString'] });
  });

  it('refuses keys that could reach a prototype, at any depth', async () => {
    await refusal('{"__proto__":{"polluted":true}}', { type: 'object' });
    await refusal('{"a":[{"__proto__":1}]}', { type: 'object' });
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  });

  it('takes schemas of draft 2020-12, of draft 7, and of draft 7 that do not say so', async () => {
    const tuple = { type: 'object', properties: { pair: { type: 'array', items: [{ type: 'string' }, { type: 'number' }] } } };
    const schemas: JsonSchema[] = [
      { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object', properties: { pair: { prefixItems: [{ type: 'string' }, { type: 'number' }] } } },
      { $schema: 'http://json-schema.org/draft-07/schema#', ...tuple },
      tuple,
    ];
    for (const one of schemas) {
      assert.ok((await validateInput(one, '{"pair":["a",1]}')).ok);
      await refusal('{"pair":[1,"a"]}', one);
    }
  });

  it('takes two schemas with one $id, and unknown formats and keywords', async () => {
    const one: JsonSchema = { $id: 'https://example.org/same', type: 'object', properties: { a: { type: 'string', format: 'made-up', 'x-note': 1 } } };
    assert.ok((await validateInput(one, '{"a":"x"}')).ok);
    assert.ok((await validateInput({ ...one, required: ['b'] }, '{"b":1}')).ok);
  });

  it('takes schemas that are called like those of the drafts, which costs no other schema anything', async () => {
    const drafts = ['http://json-schema.org/draft-07/schema#', 'https://json-schema.org/draft/2020-12/schema'];
    for (const $id of drafts) {
      for (const $schema of drafts) assert.ok((await validateInput({ $schema, $id, type: 'object' }, '{}')).ok);
      assert.ok((await validateInput({ type: 'object', properties: { a: { $id, type: 'string' } } }, '{"a":"x"}')).ok);
    }
    for (const $schema of drafts) assert.ok((await validateInput({ $schema, type: 'object', properties: { schema: { $ref: $schema } } }, '{"schema":{"type":"object"}}')).ok);
    assert.ok((await validateInput({ type: 'object' }, '{}')).ok);
  });

  it('takes schemas that refer to themselves', async () => {
    const schemas: readonly JsonSchema[] = [
      { type: 'object', properties: { child: { $ref: '#' } }, additionalProperties: false },
      { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', properties: { child: { $ref: '#' } }, additionalProperties: false },
      { $id: 'Node', type: 'object', properties: { child: { $ref: 'Node' } }, additionalProperties: false },
      { type: 'object', properties: { child: { type: 'object', properties: { child: { $ref: '#/properties/child' } }, additionalProperties: false } } },
    ];
    for (const one of schemas) {
      assert.ok((await validateInput(one, '{"child":{"child":{}}}')).ok);
      await refusal('{"child":{"child":{"more":1}}}', one);
    }
  });

  it('takes a schema for broken that takes too long to read', async () => {
    assert.match(await refusal('{}', slow), /schema is broken.*takes longer/);
    assert.match(await schemaProblem(slow) ?? '', /takes longer/);
  });

  it('refuses input that takes too long to check', async function () {
    this.timeout(10_000);
    const backtracks = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
    assert.match(await refusal(JSON.stringify({ a: `${'a'.repeat(34)}!` }), backtracks), /can't be checked.*takes longer/);
    const distinct = { type: 'object', properties: { a: { type: 'array', uniqueItems: true } } };
    assert.match(await refusal(JSON.stringify({ a: Array.from({ length: 60_000 }, (_, i) => ({ i })) }), distinct), /can't be checked.*takes longer/);
    assert.match(await refusal('{}', { type: 'object', ...doubling(40) }), /can't be checked.*takes longer/);
    assert.ok((await validateInput(backtracks, '{"a":"aa"}')).ok);
  });

  it('says so when the schema itself is broken', async () => {
    await refusal('{}', { type: 'nonsense' });
    await refusal('{}', { type: 'object', properties: { a: { $ref: 'https://example.org/missing' } } });
  });

  it('takes a schema for broken whose verdict would come later', async () => {
    assert.match(await refusal('{}', { $async: true, type: 'object' }), /\$async/);
  });

  it('survives very deep input', async () => {
    const deep = `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`;
    assert.ok((await validateInput({ type: 'object' }, deep)).ok);
  });
});

describe('validation of a value', () => {
  it('takes any type that the schema wants', async () => {
    const fitting: readonly (readonly [JsonSchema, unknown])[] = [[{ type: 'array', items: { type: 'number' } }, [1]], [{ type: 'string' }, 'x'], [{ enum: [null] }, null], [{}, 3]];
    for (const [wanted, value] of fitting) assert.equal(await valueProblem(wanted, value, 'the answer'), undefined);
  });

  it('names what is wrong, and the value itself as it is told', async () => {
    assert.equal(await valueProblem({ type: 'array' }, 3, 'the answer'), 'the answer must be array, not 3.');
    assert.equal(await valueProblem(schema, { limit: 0 }, 'the answer'), 'field "path" is missing; field "limit" must be >= 1, not 0.');
  });

  it('says so when the value takes too long to check', async () => {
    assert.match(await valueProblem({ pattern: '^(a+)+$' }, `${'a'.repeat(34)}!`, 'the answer') ?? '', /the answer can't be checked.*takes longer/);
  });

  it('says of a schema whether it can be used', async () => {
    assert.equal(await schemaProblem(schema), undefined);
    for (const broken of [{ type: 'nonsense' }, { $ref: 'https://example.org/missing' }, { $async: true }]) assert.notEqual(await schemaProblem(broken), undefined);
  });
});
