import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { wireName } from '../../../src/runtime/base/wireNames.ts';

describe('the name under which a model knows a tool', () => {
  it('is its own where every provider takes it', () => {
    for (const name of ['Read', 'mcp__hub__list-all', 'x'.repeat(64)]) assert.equal(wireName(name), name);
  });

  it('is readable, always the same, and never that of another tool', () => {
    assert.match(wireName('mcp__my server__list/all'), /^mcp__my_server__list_all_[0-9a-f]{8}$/);
    const alike = ['a b', 'a/b', 'a.b', 'ä_b', '', ' ', `${'x'.repeat(64)}1`, `${'x'.repeat(64)}2`];
    assert.equal(new Set(alike.map(wireName)).size, alike.length);
    for (const name of alike) assert.equal(wireName(name), wireName(name));
  });

  it('is one that every provider takes, whatever the tool is called', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (name) => assert.match(wireName(name), /^[A-Za-z0-9_-]{1,64}$/)));
  });
});
