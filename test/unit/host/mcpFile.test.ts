import assert from 'node:assert/strict';
import { McpFiles } from '../../../src/host/mcp/mcpFiles.ts';
import { readMcpFile, type McpFileProblem } from '../../../src/host/mcp/mcpFile.ts';
import { SILENT_LOG } from '../../../src/runtime/domain/ports.ts';

const kinds = (text: string): readonly string[] => readMcpFile(text).problems.map(({ kind }) => kind);
const names = (text: string): readonly string[] => readMcpFile(text).servers.map(({ name }) => name);
/** The text that a problem points at, on one line. */
const pointedAt = (text: string, { at }: McpFileProblem): string => (text.split('\n')[at.line - 1] ?? '').slice(at.column - 1, at.endLine === at.line ? at.endColumn - 1 : undefined);

describe('a file of MCP servers', () => {
  it('is read as VS Code writes it, with comments and trailing commas, in its order', () => {
    const file = readMcpFile(`\uFEFF// ours
      {
        "inputs": [
          { "type": "promptString", "id": "key", "description": "The key", "password": true },
          { "type": "promptString", "id": "host", "default": "localhost" },
          { "type": "pickString", "id": "level", "options": ["low", { "label": "High", "value": "high" }], "default": "high", },
          { "type": "command", "id": "run", "command": "x.y" },
        ],
        "servers": {
          "one": { "type": "stdio", "command": "npx", "args": ["-y", "pkg"], "env": { "PORT": 80, "OFF": null, "A": "b" }, "envFile": ".env", "cwd": "sub", "dev": { "watch": "x" }, "gallery": true },
          "two": { "url": "https://example.org/mcp", "headers": { "Authorization": "Bearer \${input:key}" } },
          "three": { "type": "sse", "url": "http://localhost/sse" }, /* the last */
        },
      }`);
    assert.deepEqual(file.problems, []);
    assert.deepEqual(file.servers.map(({ name, server }) => [name, server]), [
      ['one', { type: 'stdio', command: 'npx', args: ['-y', 'pkg'], env: { PORT: '80', A: 'b' }, envFile: '.env', cwd: 'sub' }],
      ['two', { type: 'http', url: 'https://example.org/mcp', headers: { Authorization: 'Bearer ${input:key}' } }],
      ['three', { type: 'sse', url: 'http://localhost/sse' }],
    ]);
    assert.deepEqual(file.inputs, [
      { kind: 'text', id: 'key', description: 'The key', isSecret: true },
      { kind: 'text', id: 'host', preset: 'localhost', isSecret: false },
      { kind: 'choice', id: 'level', preset: 'high', choices: [{ label: 'low', value: 'low' }, { label: 'High', value: 'high' }] },
      { kind: 'command', id: 'run' },
    ]);
  });

  it('may be empty', () => {
    for (const text of ['', '  \n', '// nothing yet', '{}', '{ "servers": {} }']) assert.deepEqual(readMcpFile(text), { servers: [], inputs: [], problems: [] }, text);
  });

  it('has no servers where its syntax is broken, and says where', () => {
    const text = '{\r\n  "servers": {\r\n    "a": { "command": "x" }\r\n    "b": { "command": "y" }\r\n  }\r\n}';
    const { servers, problems } = readMcpFile(text);
    assert.deepEqual(servers, []);
    assert.deepEqual(problems.map(({ kind, at }) => [kind, at.line, at.column]), [['syntax', 4, 5]]);
    for (const broken of ['{', '{ "servers": { "a": { "command": "x" ', '{ "servers": ] }', '{} {}', 'servers:']) assert.deepEqual([kinds(broken), names(broken)], [['syntax'], []], broken);
  });

  it('has a problem for what is no object or list', () => {
    for (const [text, kind] of [['[]', 'no_object'], ['"x"', 'no_object'], ['{ "servers": [] }', 'bad_servers'], ['{ "servers": {}, "inputs": {} }', 'bad_inputs'], ['{ "mcpServers": {} }', 'no_servers']] as const) {
      assert.deepEqual(kinds(text), [kind], text);
    }
  });

  const bad: readonly (readonly [server: string, fault: string, at: string])[] = [
    ['3', 'not_an_object', '"bad"'], ['{}', 'neither', '"bad"'], ['{ "type": "stdio", "url": "x" }', 'no_command', '"bad"'], ['{ "type": "http", "command": "x" }', 'no_url', '"bad"'],
    ['{ "type": "ws", "url": "x" }', 'unknown_type', '"ws"'], ['{ "command": 7 }', 'not_text', '7'], ['{ "command": "" }', 'no_command', '"bad"'], ['{ "command": "x", "args": "y" }', 'not_texts', '"y"'],
    ['{ "command": "x", "args": ["y", 1] }', 'not_texts', '["y", 1]'], ['{ "command": "x", "env": ["y"] }', 'not_pairs', '["y"]'], ['{ "url": "x", "headers": { "a": {} } }', 'not_pairs', '{ "a": {} }'],
    ['{ "command": "x", "cwd": [] }', 'not_text', '[]'], ['{ "command": "x", "envFile": false }', 'not_text', 'false'],
  ];
  for (const [server, fault, at] of bad) {
    it(`leaves out ${server}, and keeps the others`, () => {
      const text = `{ "servers": {\n"bad": ${server},\n"good": { "command": "x" } } }`;
      const { servers, problems } = readMcpFile(text);
      assert.deepEqual(servers.map(({ name }) => name), ['good']);
      assert.deepEqual(problems.map((problem) => problem.kind === 'bad_server' && [problem.name, problem.fault.kind, pointedAt(text, problem)]), [['bad', fault, at]]);
    });
  }

  it('leaves out an input that nobody could be asked for', () => {
    for (const input of ['3', '{}', '{ "id": "a" }', '{ "type": "promptString" }', '{ "type": "pickString", "id": "a" }', '{ "type": "pickString", "id": "a", "options": [] }', '{ "type": "other", "id": "a" }']) {
      const file = readMcpFile(`{ "servers": {}, "inputs": [${input}, { "type": "promptString", "id": "good" }] }`);
      assert.deepEqual([file.problems.map(({ kind }) => kind), file.inputs.map(({ id }) => id)], [['bad_input'], ['good']], input);
    }
  });

  it('points at variables that can’t be replaced, and at no others', () => {
    const text = `{
      "inputs": [{ "type": "command", "id": "run" }, { "type": "promptString", "id": "key" }],
      "servers": { "a": {
        "command": "\${workspaceFolder}/x", "args": ["\${file}", "\${input:none}", "\${input:key}", "\${env:A}\${pathSeparator}"],
        "env": { "\${notLooked}": "\${input:run}" }, "note": "\${ignored}" } } }`;
    const { servers, problems } = readMcpFile(text);
    assert.deepEqual(problems.map((problem) => [problem.kind, pointedAt(text, problem)]), [['unknown_variable', '"${file}"'], ['undeclared_input', '"${input:none}"'], ['command_input', '"${input:run}"']]);
    assert.equal(servers.length, 1, 'it stays, so that its failure can be told');
  });
});

describe('the files of MCP servers', () => {
  it('are read in the order of the folders, tell when they say something else, and lose nothing to one that can’t be read', async () => {
    const texts = new Map<string, string | Error>([['/b/.vscode/mcp.json', '{ "servers": { "b": { "command": "x" } } }'], ['/c/.vscode/mcp.json', new Error('EACCES')]]);
    const files = new McpFiles({
      read: async (path) => {
        const text = texts.get(path);
        if (text instanceof Error) throw text;
        return text;
      },
      log: SILENT_LOG,
    });
    let told = 0;
    files.onDidChange(() => told++);
    await files.load(['/c', '/a', '/b']);
    assert.deepEqual(files.files.map(({ folder, servers, problems }) => [folder, servers.length, problems.map(({ kind }) => kind)]), [['/c', 0, ['unreadable']], ['/b', 1, []]]);
    await files.load(['/c', '/a', '/b']);
    assert.equal(told, 1, 'nothing has changed');
    texts.set('/a/.vscode/mcp.json', '{');
    await files.load(['/a', '/b']);
    assert.deepEqual([told, files.files.map(({ folder, problems }) => [folder, problems.map(({ kind }) => kind)])], [2, [['/a', ['syntax']], ['/b', []]]]);
    await files.load([]);
    assert.deepEqual([told, files.files], [3, []]);
  });
});
