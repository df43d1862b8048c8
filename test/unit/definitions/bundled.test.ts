import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AgentLoader } from '../../../src/runtime/definitions/loader.ts';

const AGENTS = fileURLToPath(new URL('../../../agents', import.meta.url));
const READ_ONLY = ['bug-hunter', 'code-reviewer', 'dependency-auditor', 'security-reviewer'];
const WRITING = ['doc-writer', 'test-writer'];

describe('definitions: bundled', () => {
  it('load without any diagnostic', async () => {
    const { definitions, diagnostics } = await new AgentLoader().load({ bundled: AGENTS });
    assert.deepEqual(diagnostics, []);
    const bundled = definitions.filter(({ source }) => source === 'bundled');
    assert.deepEqual(bundled.map(({ name }) => name), [...READ_ONLY, ...WRITING].sort());
    for (const { name, path, prompt, description, tools } of bundled) {
      assert.ok(path !== undefined && basename(path) === `${name}.md`);
      assert.ok(prompt.length > 2000, `${name} has a prompt worth having`);
      assert.match(description, /Use it /);
      assert.ok(Array.isArray(tools));
      if (READ_ONLY.includes(name)) assert.deepEqual(tools, ['Read', 'Grep', 'Glob', 'Bash']);
    }
  });
});
