import assert from 'node:assert/strict';
import { toolPool } from '../../../src/runtime/agent/resolveAgent.ts';
import { listsOf } from '../../../src/runtime/agent/toolLists.ts';
import { parseDefinition } from '../../../src/runtime/definitions/parse.ts';
import { tool } from '../../support/permissionsCalls.ts';

const SERVERS = ['github', 'My Server'];
const CONNECTED = ['mcp__github__search', 'mcp__github__delete', 'mcp__My Server__search'];

describe('what a definition takes away of servers', () => {
  const left: Record<string, readonly string[]> = {
    '[mcp__github]': ['Read', 'mcp__My Server__search'],
    '[github/*, my_server/search]': ['Read'],
    '[github/delete, mcp__my_server__search]': ['Read', 'mcp__github__search'],
    '[mcp__*]': ['Read'],
    '["*"]': [],
    '[search]': ['Read', ...CONNECTED],
  };
  for (const [written, expected] of Object.entries(left)) {
    it(`isn't among its tools: \`${written}\``, async () => {
      const { definition } = await parseDefinition({ path: '/x.md', text: `---\ndescription: x\ndisallowedTools: ${written}\n---\nx`, source: 'project' }, { servers: SERVERS });
      assert.ok(definition);
      const capabilities = { ...listsOf(definition), connectionTools: CONNECTED.map((name) => tool(name)) };
      assert.deepEqual(toolPool({ builtinTools: [tool('Read')] }, capabilities, definition, { kind: 'child' }).map(({ name }) => name), expected);
    });
  }
});
