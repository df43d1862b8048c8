import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { withBriefSchema } from '../../../src/runtime/tools/briefSchema.ts';
import { customTool } from '../../support/customTool.ts';

describe('the schema that a model is told', () => {
  it('leaves out what goes without saying, at every depth, and checks calls as before', () => {
    const inputSchema = {
      type: 'object',
      properties: {
        // Names of fields that are keywords elsewhere.
        minimum: { type: 'integer', minimum: 1, maximum: 9 },
        additionalProperties: { type: 'array', items: { type: 'object', properties: { a: { type: 'string', minLength: 1 } }, additionalProperties: false } },
        long: { type: 'string', minLength: 8 },
      },
      required: ['minimum'],
      additionalProperties: false,
    };
    const before = structuredClone(inputSchema);
    const tool = withBriefSchema({ ...customTool('x'), inputSchema });
    assert.deepEqual(tool.schemaFor?.(), {
      type: 'object',
      properties: {
        minimum: { type: 'integer', maximum: 9 },
        additionalProperties: { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } },
        long: { type: 'string', minLength: 8 },
      },
      required: ['minimum'],
    });
    assert.equal(tool.inputSchema, inputSchema);
    assert.deepEqual(inputSchema, before);
  });

  it('is the tool\'s own where it has one', () => {
    const own = { type: 'object', additionalProperties: false };
    assert.equal(withBriefSchema({ ...customTool('x'), schemaFor: () => own }).schemaFor?.(), own);
  });
});
