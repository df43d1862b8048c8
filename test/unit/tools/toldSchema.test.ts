import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonSchema, ToolDefinition } from '../../../src/runtime/domain/tools.ts';
import { withToldSchema } from '../../../src/runtime/tools/toldSchema.ts';

describe('the schema that a model is told of a built-in tool', () => {
  const inputSchema: JsonSchema = {
    type: 'object',
    properties: { path: { type: 'string', minLength: 1 }, code: { type: 'string', minLength: 4 }, count: { type: 'integer', minimum: 1, maximum: 9 }, least: { type: 'integer', minimum: 5 }, minLength: { type: 'array', items: { type: 'object', additionalProperties: false } } },
    required: ['path'],
    additionalProperties: false,
  };
  const tool: ToolDefinition = { name: 'T', description: 'd', inputSchema, isReadOnly: true, describe: () => 't', targets: () => [], execute: async () => ({ content: [] }) };

  it('leaves out what models keep to anyway, and nothing else; what is checked stays', () => {
    const lean = withToldSchema(tool);
    assert.deepEqual(lean.schemaFor?.(), {
      type: 'object',
      properties: { path: { type: 'string' }, code: { type: 'string', minLength: 4 }, count: { type: 'integer', maximum: 9 }, least: { type: 'integer', minimum: 5 }, minLength: { type: 'array', items: { type: 'object' } } },
      required: ['path'],
    });
    assert.equal(lean.inputSchema, inputSchema);
  });

  it('is the tool’s own where it has one', () => {
    const own = { ...tool, schemaFor: () => ({ type: 'object', additionalProperties: false }) };
    assert.equal(withToldSchema(own), own);
  });
});
