import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { readMcpFile } from '../../../src/host/mcp/mcpFile.ts';
import { parseDefinition } from '../../../src/runtime/definitions/parse.ts';

describe('the documentation of MCP servers', () => {
  let blocks: readonly { readonly language: string; readonly text: string }[];

  before(async () => {
    const text = await readFile(new URL('../../../docs/mcp.md', import.meta.url), 'utf8');
    blocks = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', block = '']) => ({ language, text: block }));
  });

  const block = (language: string): string => blocks.find((one) => one.language === language)?.text ?? assert.fail(`no ${language}`);

  it('has a file of servers that has no problem', () => {
    const { servers, inputs, problems } = readMcpFile(block('jsonc'));
    assert.deepEqual([servers.map(({ name }) => name), inputs.map(({ id }) => id), problems], [['files', 'tracker'], ['token'], []]);
  });

  it('has a definition that has no problem, and the tools that it says', async () => {
    const { definition, diagnostics } = await parseDefinition({ path: '/agents/triager.md', text: block('markdown'), source: 'project' }, { servers: ['files', 'tracker'] });
    assert.deepEqual(diagnostics, []);
    assert.deepEqual(definition?.tools, ['Read', 'Grep']);
    assert.deepEqual(definition.servers?.map(({ server, tools }) => [server, tools]), [['tracker', ['search']], ['calendar', ['list_events']], ['files', 'all']]);
  });
});
