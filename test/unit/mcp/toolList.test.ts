import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readToolList } from '../../../src/runtime/mcp/toolList.ts';

describe('the tools that a server lists', () => {
  it('are used but for one with a schema that is too deep to be worked with', () => {
    const deep: unknown = JSON.parse(`${'{"properties":'.repeat(9_000)}{}${'}'.repeat(9_000)}`);
    const { tools, problem } = readToolList([{ name: 'good' }, { name: 'deep', inputSchema: deep }]);
    assert.deepEqual(tools.map(({ name }) => name), ['good']);
    assert.match(problem ?? '', /1 tool can't be used: .*100 levels/);
  });
});
