import assert from 'node:assert/strict';
import type { AgentDefinition, DefinitionSource } from '../../../src/runtime/domain/definitions.ts';
import { parseDefinition, type ParsedDefinition, type ParseOptions } from '../../../src/runtime/definitions/parse.ts';

const read = (lines: readonly string[], options: ParseOptions = {}, source: DefinitionSource = 'project'): Promise<ParsedDefinition> =>
  parseDefinition({ path: '/agents/x.md', text: ['---', 'description: Does things', ...lines, '---', 'Prompt.', ''].join('\n'), source }, options);
const found = ({ diagnostics }: ParsedDefinition): string[] => diagnostics.map(({ severity, code, line }) => `${severity}:${code}:${line}`);
const errors = ({ diagnostics }: ParsedDefinition): string[] => diagnostics.filter(({ severity }) => severity === 'error').map(({ line, column }) => `${line}:${column}`);
const servers = async (lines: readonly string[], options?: ParseOptions): Promise<AgentDefinition['servers']> => (await read(lines, options)).definition?.servers;

describe('definitions: tools of servers in a list', () => {
  const ALL: AgentDefinition['servers'] = [{ server: 'github', tools: 'all' }];
  const ONE: AgentDefinition['servers'] = [{ server: 'github', tools: ['search'] }];
  const forms: Record<string, typeof ALL> = { 'github/*': ALL, mcp__github: ALL, 'mcp__github__*': ALL, MCP__github: ALL, 'github/search': ONE, mcp__github__search: ONE };
  for (const [form, expected] of Object.entries(forms)) {
    it(`are named by \`${form}\`, whether or not the server is known`, async () => {
      for (const options of [{}, { servers: ['github'] }]) {
        const parsed = await read([`tools: [Read, "${form}"]`], options);
        assert.deepEqual([parsed.definition?.tools, parsed.definition?.servers, found(parsed)], [['Read'], expected, []]);
      }
    });
  }

  it('leave no built-in one where the list names nothing else (case 42)', async () => {
    const { definition } = await read(['tools: mcp__github__search, github/read, files/*']);
    assert.deepEqual([definition?.tools, definition?.servers], [[], [{ server: 'github', tools: ['search', 'read'] }, { server: 'files', tools: 'all' }]]);
  });

  it('are found under the server\'s own name, which lists can\'t always write', async () => {
    const names = { servers: ['my', 'My Server', 'io.github.acme/docs', 'a__b'] };
    for (const form of ['mcp__my_server__x', 'mcp__My_Server__x', '"My Server/x"', 'mcp_my_server_x']) assert.deepEqual(await servers([`tools: [${form}]`], names), [{ server: 'My Server', tools: ['x'] }], form);
    for (const form of ['io.github.acme/docs/x', 'mcp__io_github_acme_docs__x']) assert.deepEqual(await servers([`tools: [${form}]`], names), [{ server: 'io.github.acme/docs', tools: ['x'] }], form);
    assert.deepEqual(await servers(['tools: [mcp__a__b__x, mcp__my__a__b]'], names), [{ server: 'a__b', tools: ['x'] }, { server: 'my', tools: ['a__b'] }]);
    assert.deepEqual(await servers(['tools: [io.github.acme/docs/x]']), [{ server: 'io.github.acme/docs', tools: ['x'] }]);
  });

  it('of two servers whose names look alike are the one\'s that is named exactly', async () => {
    const names = { servers: ['a b', 'a_b'] };
    assert.deepEqual(await servers(['tools: [mcp__a_b__x]'], names), [{ server: 'a_b', tools: ['x'] }]);
    assert.deepEqual(await servers(['tools: ["a b/x"]'], names), [{ server: 'a b', tools: ['x'] }]);
  });

  it('come beside all inherited ones', async () => {
    const { definition } = await read(['tools: ["*", "github/search"]']);
    assert.deepEqual([definition?.tools, definition?.servers], ['inherit', [{ server: 'github', tools: ['search'] }]]);
  });

  it('are warned of where their server is missing, naming what is there, and count all the same', async () => {
    const parsed = await read(['tools: [Read, github/*, github/search]'], { servers: ['files', 'docs'] });
    assert.deepEqual(found(parsed), ['warning:unknown_server:3']);
    assert.match(parsed.diagnostics[0]?.message ?? '', /`github`.*`files`, `docs`/);
    assert.deepEqual(parsed.definition?.servers, [{ server: 'github', tools: 'all' }]);
    assert.match((await read(['tools: [github/*]'], { servers: [] })).diagnostics[0]?.message ?? '', /none/);
  });

  it('are Copilot\'s own before a set of its tools, unless a server has that name', async () => {
    const lines = ['tools: [read, browser/openBrowserPage]'];
    assert.deepEqual(found(await read(lines, {}, 'github_project')), ['warning:unknown_tool:3']);
    assert.deepEqual((await read(lines, { servers: ['browser'] }, 'github_project')).definition?.servers, [{ server: 'browser', tools: ['openBrowserPage'] }]);
  });

  it('aren\'t granted by a pattern or by the bare name of a server', async () => {
    const parsed = await read(['tools: [Read, github/get_*, github]'], { servers: ['github'] });
    assert.deepEqual([parsed.definition?.tools, parsed.definition?.servers], [['Read'], undefined]);
    assert.deepEqual(found(parsed), ['warning:unknown_tool:3', 'warning:unknown_tool:3']);
    assert.match(parsed.diagnostics[1]?.message ?? '', /`github\/\*`/);
  });

  it('are taken away by the names that they have in an agent', async () => {
    const names = { servers: ['github', 'My Server'] };
    const parsed = await read(['disallowedTools: [github/*, mcp__github, github/delete, mcp__my_server__x, "mcp__*"]'], names);
    assert.deepEqual([parsed.definition?.disallowedTools, found(parsed)], [['mcp__github__*', 'mcp__github__delete', 'mcp__My Server__x', 'mcp__*'], []]);
  });

  it('stay taken away where nobody knows their server', async () => {
    const parsed = await read(['disallowedTools: [nowhere/delete]'], { servers: ['github'] });
    assert.deepEqual([parsed.definition?.disallowedTools, found(parsed)], [['mcp__nowhere__delete'], ['warning:unknown_tool:3']]);
    assert.deepEqual(found(await read(['disallowedTools: [nowhere/delete]'])), []);
  });
});

describe('definitions: servers', () => {
  const GITHUB = { server: 'github', tools: 'all' };
  for (const lines of [['mcpServers: github'], ['mcpServers: [github]'], ['mcpServers: {github: }'], ['mcpServers: {github: true}'], ['mcpServers:', '  - github:'], ['mcpServers: {github: {}}'], ['mcpServers: {github: {tools: ["*"]}}']]) {
    it(`are configured ones by \`${lines.join(' ')}\``, async () => {
      const parsed = await read(lines, { servers: ['github'] });
      assert.deepEqual([parsed.definition?.servers, found(parsed)], [[GITHUB], []]);
      assert.deepEqual(found(await read(lines, { servers: ['docs'] })).map((entry) => entry.slice(0, -2)), ['warning:unknown_server']);
    });
  }

  it('bring their own configuration, in a list or a map, with variables left as they are', async () => {
    const local = ['    type: local', '    command: npx', '    args: ["-y", "${env:PACKAGE}", ""]', '    env: {TOKEN: "${{ secrets.TOKEN }}", OTHER: "${input:other}", PLAIN: ""}', '    cwd: "${workspaceFolder}/tools"'];
    const expected = { server: 'files', tools: 'all', config: { type: 'stdio', command: 'npx', args: ['-y', '${env:PACKAGE}', ''], env: { TOKEN: '${{ secrets.TOKEN }}', OTHER: '${input:other}', PLAIN: '' }, cwd: '${workspaceFolder}/tools' } };
    const inMap = await read(['mcpServers:', '  files:', ...local], { servers: [] });
    assert.deepEqual([inMap.definition?.servers, found(inMap)], [[expected], ['information:mapped:5']]);
    const inList = await read(['mcpServers:', '  - github', '  - files:', ...local.map((line) => `  ${line}`)]);
    assert.deepEqual(inList.definition?.servers, [GITHUB, expected]);
  });

  it('are reached at an address', async () => {
    const one = async (config: string): Promise<unknown> => (await servers([`mcpServers: {docs: ${config}}`]))?.[0]?.config;
    assert.deepEqual(await one('{url: "https://example.com/mcp"}'), { url: 'https://example.com/mcp' });
    assert.deepEqual(await one('{type: HTTP, url: "http://localhost:1/mcp", headers: {Authorization: "Bearer ${TOKEN}"}}'), { type: 'http', url: 'http://localhost:1/mcp', headers: { Authorization: 'Bearer ${TOKEN}' } });
    assert.deepEqual(await one('{type: streamable-http, url: "${env:DOCS}"}'), { type: 'http', url: '${env:DOCS}' });
    assert.deepEqual(await one('{type: sse, url: "https://example.com/sse"}'), { type: 'sse', url: 'https://example.com/sse' });
  });

  const wrong: Record<string, string> = {
    '3': '3:13', '{github: 3}': '3:22', '{github: false}': '3:22', '[[github]]': '3:14', '[3]': '3:14', '["*"]': '3:14', '[github, github]': '3:22', '{a: {type: stdio}}': '3:17', '{a: {args: [x]}}': '3:17', '{a: {command: }}': '3:17',
    '{a: {command: 3}}': '3:27', '{a: {command: x, url: "http://y"}}': '3:17', '{a: {type: http, command: x}}': '3:17', '{a: {type: local, url: "http://y"}}': '3:17', '{a: {type: pipe, command: x}}': '3:24', '{a: {command: x, args: x}}': '3:36',
    '{a: {command: x, args: [-p, 80]}}': '3:41', '{a: {command: x, env: [X=1]}}': '3:35', '{a: {command: x, env: {PORT: 80}}}': '3:42', '{a: {command: x, cwd: tools}}': '3:35', '{a: {url: example.com}}': '3:23', '{a: {url: "ftp://x"}}': '3:23',
    '{a: {url: "http://x", headers: {A: }}}': '3:48', '{a: {command: x, tools: {b: c}}}': '3:37', '{a: {command: x, excludeTools: [rm]}}': '3:30', '{a: {command: x, disabled: true}}': '3:30',
  };
  for (const [written, place] of Object.entries(wrong)) {
    it(`are refused with their place: \`${written}\``, async () => {
      const parsed = await read([`mcpServers: ${written}`]);
      assert.equal(parsed.definition, undefined);
      assert.deepEqual(errors(parsed), [place]);
    });
  }

  it('say which of their fields don\'t count', async () => {
    const parsed = await read(['mcpServers:', '  a:', '    command: x', '    headers: {A: b}', '    timeout: 5', '    disabled: false', '  b:', '    url: http://x', '    env: {A: b}']);
    assert.deepEqual(parsed.definition?.servers?.map(({ config }) => config), [{ command: 'x' }, { url: 'http://x' }]);
    assert.deepEqual(found(parsed), [6, 7, 8, 11].map((line) => `information:ignored:${line}`));
  });

  it('warn of patterns, which grant nothing', async () => {
    assert.deepEqual(found(await read(['mcpServers: {a: {command: x, tools: [read, get_*]}}'])), ['warning:unknown_tool:3']);
  });

  it('never repeat in a message what may be secret', async () => {
    const parsed = await read(['mcpServers:', '  a: {command: x, url: "http://hidden", env: {A: hidden}, args: [hidden], headers: {B: hidden}}', '  b: {url: "hidden://x", env: {A: [hidden]}}', '  c: {command: x, type: hidden}']);
    assert.equal(errors(parsed).length, 4);
    assert.doesNotMatch(JSON.stringify(parsed.diagnostics), /hidden/);
  });

  it('are taken with all their tools where the list of tools doesn\'t name them, which other products read otherwise', async () => {
    const lines = ['tools: [Read]', 'mcpServers: [github]'];
    const own = await read(lines);
    assert.deepEqual([own.definition?.tools, own.definition?.servers, found(own)], [['Read'], [GITHUB], []]);
    const foreign = await read(lines, {}, 'claude_project');
    assert.deepEqual([foreign.definition?.servers, found(foreign)], [[GITHUB], ['information:tools_all:3']]);
  });

  for (const fields of [['tools: [files/read, files/write]', 'mcpServers: {files: {command: x, tools: [read, list]}}'], ['mcpServers: {files: {command: x, tools: [read, list]}}', 'tools: [files/read, files/write]']]) {
    it(`have the tools that both lists let them have, in either order: \`${fields.join(' ')}\``, async () => {
      const parsed = await read(fields, { servers: [] });
      assert.deepEqual(parsed.definition?.servers, [{ server: 'files', config: { command: 'x' }, tools: ['read'] }]);
      assert.deepEqual(found(parsed).map((entry) => entry.slice(0, -2)), ['warning:unknown_tool']);
    });
  }

  it('keep their own list where the other names all of them', async () => {
    assert.deepEqual(await servers(['tools: [files/*]', 'mcpServers: {files: {command: x, tools: read}}']), [{ server: 'files', config: { command: 'x' }, tools: ['read'] }]);
  });

  it('have nothing where the list names only what they can\'t give', async () => {
    for (const entry of ['files/write', 'files/w_*']) {
      const { definition } = await read([`tools: [Read, ${entry}]`, 'mcpServers: {files: {command: x, tools: [read]}}']);
      assert.deepEqual([definition?.tools, definition?.servers], [['Read'], undefined], entry);
    }
  });
});
