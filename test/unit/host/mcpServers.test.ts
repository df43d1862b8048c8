import assert from 'node:assert/strict';
import { configuredServers, mcpFolders } from '../../../src/host/mcp/configuredServers.ts';
import type { Destination } from '../../../src/host/mcp/destination.ts';
import type { AskedInput } from '../../../src/host/mcp/inputDeclaration.ts';
import { readMcpFile } from '../../../src/host/mcp/mcpFile.ts';
import { mcpFileOf, type LoadedFile } from '../../../src/host/mcp/mcpFiles.ts';
import type { InputOwner } from '../../../src/host/mcp/mcpInputs.ts';
import { serverResolver } from '../../../src/host/mcp/resolveServer.ts';
import type { WrittenServer } from '../../../src/host/mcp/serverConfig.ts';
import type { WindowFacts } from '../../../src/host/windowFacts.ts';
import type { McpServerConfig } from '../../../src/runtime/domain/mcp.ts';
import { english as l10n } from '../ui/fakes.ts';

const facts: WindowFacts = { cwd: '/a', roots: ['/a', '/b'], isTrusted: true, isVirtual: false, storageDir: '/s', extensionDir: '/e', homeDir: '/h' };
const file = (folder: string, content: unknown): LoadedFile => ({ folder, path: mcpFileOf(folder), ...readMcpFile(JSON.stringify(content)) });
const command = (name: string) => ({ type: 'stdio', command: name }) as const;

describe('the configured MCP servers', () => {
  const settings = { mine: command('settings'), both: command('settings'), web: { type: 'http', url: 'https://example.org' } } as const;
  const files = [file('/a', { servers: { both: command('a'), shared: command('a') } }), file('/b', { servers: { shared: command('b'), last: command('b') } })];

  it('are those of settings, then those of each folder; the first of a name wins', () => {
    const servers = [...configuredServers(settings, files, facts).values()];
    assert.deepEqual(servers.map(({ name, config, folder, origin }) => [name, 'command' in config ? config.command : config.url, folder, origin.kind === 'file' ? origin.path : origin.kind]), [
      ['mine', 'settings', '/a', 'settings'], ['both', 'settings', '/a', 'settings'], ['web', 'https://example.org', '/a', 'settings'], ['shared', 'a', '/a', '/a/.vscode/mcp.json'], ['last', 'b', '/b', '/b/.vscode/mcp.json'],
    ]);
  });

  it('keep those of settings where a file is broken', () => {
    const broken: LoadedFile = { folder: '/a', path: '/a/.vscode/mcp.json', ...readMcpFile('{ "servers": {') };
    assert.deepEqual([...configuredServers(settings, [broken], facts).keys()], ['mine', 'both', 'web']);
  });

  it('are none in Restricted Mode, whose files aren’t even read', () => {
    const untrusted = { ...facts, isTrusted: false };
    assert.deepEqual([[...configuredServers(settings, files, untrusted)], mcpFolders(untrusted), mcpFolders(facts)], [[], [], ['/a', '/b']]);
  });

  it('are no processes and no files in a virtual workspace', () => {
    const virtual = { ...facts, isVirtual: true };
    assert.deepEqual([[...configuredServers(settings, files, virtual).keys()], mcpFolders(virtual)], [['web'], []]);
  });
});

describe('what an MCP server is started with', () => {
  let asked: { readonly owner: InputOwner; readonly input: AskedInput; readonly destination: Destination }[];
  let window: WindowFacts;
  let texts: Map<string, string>;
  let settings: Record<string, WrittenServer>;
  let files: LoadedFile[];

  beforeEach(() => {
    asked = [];
    window = facts;
    texts = new Map();
    settings = {};
    files = [];
  });

  const servers = () => configuredServers(settings, files, window);
  const resolveServer = serverResolver({
    facts: () => window,
    servers: () => servers(),
    inputs: {
      answer: async (owner, input, destination) => {
        asked.push({ owner, input, destination });
        return `<${input.id}>`;
      },
    },
    env: { TOKEN: 'tok' },
    readFile: async (path) => texts.get(path),
    l10n,
  });
  /** As the runtime has it: by name and configuration. */
  const start = (name: string): Promise<McpServerConfig> => resolveServer(name, servers().get(name)?.config ?? assert.fail(name));

  it('has the folder of its own file, also as where it runs', async () => {
    files = [file('/b', { servers: { s: { command: '${workspaceFolder}/run', args: ['${workspaceFolderBasename}', '${userHome}'] }, t: { command: 'x', cwd: 'sub' }, u: { command: 'x', cwd: '${userHome}' } } })];
    assert.deepEqual(await start('s'), { type: 'stdio', command: '/b/run', args: ['b', '/h'], cwd: '/b', env: {} });
    assert.deepEqual([await start('t'), await start('u')].map((config) => 'command' in config && config.cwd), ['/b/sub', '/h']);
  });

  it('has no further field, so that two that are the same are one', async () => {
    settings = { s: command('x') };
    files = [file('/a', { servers: { t: { command: 'x', other: 1 } } })];
    assert.deepEqual(await start('s'), await start('t'));
  });

  it('asks for inputs as its file declares them, in the name of its folder', async () => {
    const config = { type: 'http', url: 'http://${input:host}', headers: { A: '${env:TOKEN}' } } as const;
    files = [file('/b', { inputs: [{ type: 'promptString', id: 'host' }], servers: { s: config } })];
    assert.deepEqual(await start('s'), { type: 'http', url: 'http://<host>', headers: { A: 'tok' } });
    assert.deepEqual(asked, [{ owner: { kind: 'folder', path: '/b' }, input: { kind: 'text', id: 'host', isSecret: false }, destination: { server: 's', config } }]);
  });

  it('asks for inputs of settings as secrets of the user, and for those of an agent’s own server in the name of the folder', async () => {
    const [mine, another] = ['http://x', 'http://another'].map((url) => ({ url, headers: { A: '${input:key}' } }) as const);
    assert.ok(mine && another);
    settings = { s: mine };
    await start('s');
    await resolveServer('s', another);
    const input = { kind: 'text', id: 'key', isSecret: true };
    assert.deepEqual(asked, [{ owner: { kind: 'settings' }, input, destination: { server: 's', config: mine } }, { owner: { kind: 'folder', path: '/a' }, input, destination: { server: 's', config: another } }]);
  });

  it('reads a file of variables, over which its own win', async () => {
    files = [file('/a', { servers: { s: { command: 'x', envFile: '${workspaceFolder}/.env', env: { B: 'own' } }, gone: { command: 'x', envFile: 'gone.env' } } })];
    texts.set('/a/.env', '# comment\nA=1\nexport B="two"\nC=\'a b\'\n');
    assert.deepEqual(await start('s'), { type: 'stdio', command: 'x', cwd: '/a', env: { A: '1', B: 'own', C: 'a b' } });
    await assert.rejects(start('gone'), { reason: 'not_found', message: /\/a\/gone\.env/ });
  });

  it('says what it can’t replace, and asks for nothing then', async () => {
    files = [file('/a', { inputs: [{ type: 'command', id: 'run', command: 'x' }], servers: { variable: { command: '${file}' }, undeclared: { command: '${input:none}' }, runs: { command: '${input:run}' } } })];
    await assert.rejects(start('variable'), { reason: 'invalid_input', message: /variable uses \$\{file\}/ });
    await assert.rejects(start('undeclared'), { reason: 'invalid_input', message: /“none”/ });
    await assert.rejects(start('runs'), { reason: 'invalid_input', message: /“run” of the MCP server runs would run a command/ });
    assert.deepEqual(asked, []);
  });

  it('is refused in Restricted Mode, and in a virtual workspace where it is a process, whoever brings it', async () => {
    window = { ...facts, isTrusted: false };
    await assert.rejects(resolveServer('s', { url: 'http://x' }), { reason: 'denied' });
    window = { ...facts, isVirtual: true };
    await assert.rejects(resolveServer('s', command('x')), { reason: 'unavailable' });
    assert.deepEqual(await resolveServer('s', { url: 'http://x' }), { url: 'http://x' });
  });
});
