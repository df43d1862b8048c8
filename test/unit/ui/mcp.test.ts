import assert from 'node:assert/strict';
import type { ConfiguredServer } from '../../../src/host/mcp/configuredServers.ts';
import { readMcpFile } from '../../../src/host/mcp/mcpFile.ts';
import type { ServerView } from '../../../src/runtime/domain/mcp.ts';
import { ServerFailures } from '../../../src/ui/mcp/failures.ts';
import { fileProblemWords } from '../../../src/ui/mcp/fileProblemWords.ts';
import { serverRow } from '../../../src/ui/mcp/serverWords.ts';
import { english as l10n } from './fakes.ts';

const server = (patch: Partial<ServerView> = {}): ServerView => ({ name: 'everything', transport: 'stdio', status: 'ready', tools: ['echo', 'add'], ...patch });

describe('the list of MCP servers', () => {
  const row = (view: ServerView, origin?: ConfiguredServer['origin']) => serverRow(view, origin, '.vscode/mcp.json', l10n);

  it('says state, tools and transport in words, and where each comes from', () => {
    const at = { line: 1, column: 1, endLine: 1, endColumn: 2 };
    assert.deepEqual([row(server(), { kind: 'settings' }), row(server({ transport: 'http', tools: ['echo'] }), { kind: 'file', path: '/w/.vscode/mcp.json', at }), row(server({ status: 'closed', transport: 'sse', tools: [] }))].map(({ description, detail }) => [description, detail]), [
      ['ready · 2 tools · stdio', 'from your settings'], ['ready · 1 tool · HTTP', 'from .vscode/mcp.json'], ['starts when it is needed · SSE', 'brought by a subagent'],
    ]);
  });

  it('says what is wrong, in one line', () => {
    const { description, detail, icon } = row(server({ status: 'failed', tools: [], error: 'It ended\nat once. Check `args`.' }), { kind: 'settings' });
    assert.deepEqual([description, detail, icon], ['failed · stdio', 'It ended at once. Check “args”.', 'error']);
  });
});

describe('the failures of MCP servers that are told', () => {
  it('are the first, and the first after it was ready', () => {
    const failures = new ServerFailures();
    const news = (['connecting', 'failed', 'connecting', 'failed', 'ready', 'connecting', 'ready', 'failed', 'closed', 'connecting', 'failed'] as const).map((status) => failures.isNews({ name: 'a', status }));
    assert.deepEqual(news, [false, true, false, false, false, false, false, true, false, false, false]);
    assert.equal(failures.isNews({ name: 'b', status: 'failed' }), true, 'another server');
  });
});

describe('the problems of a file of MCP servers', () => {
  it('are told with the names they are about', () => {
    const { problems } = readMcpFile('{ "inputs": [{ "type": "command", "id": "run" }], "servers": { "a": { "command": "${file}", "args": ["${input:none}", "${input:run}"] }, "b": { "command": 1 } } }');
    assert.deepEqual(problems.map((problem) => fileProblemWords(problem, l10n)), [
      '${file} means nothing to Subagent Panel, so it can’t start the server a.',
      'The input “none” is not declared in “inputs”, so Subagent Panel can’t start the server a.',
      'The input “run” would run a command, which Subagent Panel doesn’t do, so it can’t start the server a.',
      'The server b is left out. “command” must be text.',
    ]);
  });
});
