import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { AgentHost } from '../../src/host/agentHost.ts';
import { ApiKeys } from '../../src/host/apiKeys.ts';
import { ownEndpoint } from '../../src/host/endpoints.ts';
import { createVsCodeFiles } from '../../src/host/files.ts';
import { McpHost } from '../../src/host/mcp/mcpHost.ts';
import { Models } from '../../src/host/models.ts';
import { Registrations } from '../../src/host/registrations/registrations.ts';
import { SettingsReader } from '../../src/host/settings.ts';
import { windowFacts } from '../../src/host/windowFacts.ts';
import { SETTINGS, SETTINGS_SECTION } from '../../src/ids.ts';
import type { LiteAgent, LiteAgentOptions } from '../../src/runtime/domain/liteAgent.ts';
import type { ModelProvider } from '../../src/runtime/domain/models.ts';
import { SILENT_LOG } from '../../src/runtime/domain/ports.ts';
import { createNodeFiles } from '../../src/runtime/store/nodeFiles.ts';
import { strictPrompts } from '../support/prompts.ts';
import { until } from '../support/hostEvents.ts';
import { fakeSecrets } from '../support/secrets.ts';
import { fakeState } from '../support/state.ts';

describe('the window’s agent', () => {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const configured = new vscode.EventEmitter<void>();
  let home: string;
  let options: Partial<LiteAgentOptions>;
  let ends: string[];
  let keys: ApiKeys;
  let host: AgentHost;
  const granted = new vscode.EventEmitter<void>();
  let isTrusted: boolean;
  let duringBuild: () => Promise<void>;
  let owned: { dispose(): void }[];
  let secrets: ReturnType<typeof fakeSecrets>;
  let state: ReturnType<typeof fakeState>;
  let answers: Map<string, string>;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'host-'));
    options = {};
    isTrusted = true;
    secrets = fakeSecrets();
    state = fakeState();
    answers = new Map();
    duringBuild = async () => undefined;
    ends = [];
    const settings = new SettingsReader(SILENT_LOG, vscode.Uri.file(root));
    keys = new ApiKeys(secrets, {}, SILENT_LOG);
    const factory = (id: string) => (): ModelProvider => ({ id, stream: () => assert.fail('nothing is sent') });
    const models = new Models({ tiers: () => [], read: () => settings.peek().model, onDidChange: (listener) => settings.onDidChange(listener) }, keys, { offline: factory('offline'), anthropic: factory('anthropic') }, SILENT_LOG);
    const context = { storageUri: vscode.Uri.file(home), extensionUri: vscode.Uri.file('/e'), globalState: { get: () => undefined, update: async () => undefined } } as unknown as vscode.ExtensionContext;
    const trust = { isTrusted: () => isTrusted, onDidGrant: granted.event };
    const mcp = new McpHost({ context: { secrets, workspaceState: state }, settings, facts: () => windowFacts(context, trust), ask: async ({ input }) => answers.get(input.id), env: {}, log: SILENT_LOG });
    host = new AgentHost({ context, pieces: { createLiteAgent, providerFactories: {}, files: async () => createVsCodeFiles(createNodeFiles()), findRipgrep: async () => undefined }, settings, keys, models, mcp, prompts: strictPrompts, registrations: new Registrations(SILENT_LOG), trust, log: SILENT_LOG });
    owned = [settings, models, keys];
  });

  afterEach(async () => {
    await host.suspend();
    for (const one of owned) one.dispose();
    await configure({ provider: undefined, model: undefined });
    await rm(home, { recursive: true, force: true });
  });

  async function createLiteAgent(given: LiteAgentOptions): Promise<LiteAgent> {
    options = given;
    await duringBuild();
    const agent: Partial<LiteAgent> = {
      configure(change) {
        options = { ...options, ...change };
        configured.fire();
      },
      close: async () => void ends.push('close'),
      suspend: async () => void ends.push('suspend'),
    };
    return agent as LiteAgent;
  }

  async function configure(values: Readonly<Partial<Record<'provider' | 'model', string | undefined>>>): Promise<void> {
    for (const key of ['model', 'provider'] as const) if (key in values) await vscode.workspace.getConfiguration(SETTINGS_SECTION).update(SETTINGS[key], values[key], vscode.ConfigurationTarget.Global);
  }

  it('starts on the offline demo, with the folders of a trusted workspace and approvals of the user', async () => {
    await host.agent();
    assert.deepEqual([options.provider?.id, options.model], ['offline', { provider: 'offline', model: 'offline' }]);
    assert.deepEqual(options.agents, {
      bundled: '/e/agents', claude_user: join(homedir(), '.claude', 'agents'), user: join(homedir(), '.lite-agent', 'agents'),
      claude_project: join(root, '.claude', 'agents'), github_project: join(root, '.github', 'agents'), project: join(root, '.lite-agent', 'agents'),
    });
    assert.ok(options.definitionApprovals);
    assert.equal(options.timeLimits?.streamIdleMs, 300_000);
  });

  it('takes a changed model for its next turn, and a new provider with a new key', async () => {
    await host.agent();
    await configure({ model: 'claude-x', provider: 'anthropic' });
    await until('the configured model', configured.event, () => options.model?.model === 'claude-x');
    const before = options.provider;
    assert.equal(before?.id, 'anthropic');
    assert.equal(options.providerFor?.({ provider: 'anthropic', model: 'other' }), before);
    await keys.store(ownEndpoint('anthropic'), 'sk-1');
    await until('the provider with the new key', configured.event, () => options.provider !== before);
    assert.equal(options.provider?.id, 'anthropic');
  });

  it('takes what changed while it was built', async () => {
    duringBuild = () => configure({ model: 'claude-x', provider: 'anthropic' });
    await host.agent();
    await until('the configured model', configured.event, () => options.model?.model === 'claude-x');
  });

  it('takes nothing of a project that is not trusted, and all of it as soon as it is, without a reload', async () => {
    isTrusted = false;
    const agent = await host.agent();
    const projects = (): readonly string[] => Object.keys(options.agents || {}).filter((source) => source.endsWith('project'));
    assert.deepEqual([options.shell, projects(), options.permissions?.workspace?.deny], [false, [], ['Edit', 'Write', 'Bash', 'CronCreate']]);
    isTrusted = true;
    granted.fire();
    assert.deepEqual([options.shell, projects(), options.permissions?.workspace?.deny], [true, ['claude_project', 'github_project', 'project'], []]);
    assert.equal(await host.agent(), agent, 'the same agent, with all that runs');
  });

  describe('and the MCP servers of the workspace', () => {
    const folder = join(root, '.vscode');
    const file = join(folder, 'mcp.json');
    const isMade = existsSync(folder);
    const names = (): readonly string[] => Object.keys(options.mcpServers ?? {});
    const write = async (content: unknown): Promise<void> => {
      await mkdir(folder, { recursive: true });
      await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
    };

    afterEach(() => rm(isMade ? file : folder, { recursive: true, force: true }));

    it('follows their file, also in a folder that wasn’t, and that goes as a whole', async () => {
      await host.agent();
      assert.deepEqual(names(), []);
      // Watching starts late, so that the first change may go unheard.
      for (let attempt = 1; names().length === 0; attempt++) {
        await write({ servers: { one: { command: 'x', args: [String(attempt)] } } });
        await until('the server', configured.event, () => names().includes('one'), 2_000).catch((error: unknown) => {
          if (attempt === 10) throw error;
        });
      }
      await write({ servers: { two: { command: 'x' } } });
      await until('the other server', configured.event, () => names().includes('two') && !names().includes('one'));
      await write('{ "servers": {');
      await until('none of a broken file', configured.event, () => names().length === 0);
      await write({ servers: { three: { command: 'x' } } });
      await until('the mended file', configured.event, () => names().includes('three'));
      await rm(isMade ? file : folder, { recursive: true });
      await until('none of a file that is gone', configured.event, () => names().length === 0);
    }).timeout(60_000);

    it('has none in Restricted Mode, and all of them with the trust, without a reload', async () => {
      isTrusted = false;
      await write({ servers: { one: { command: 'x' } } });
      const agent = await host.agent();
      assert.deepEqual(names(), []);
      await assert.rejects(async () => options.resolveServer?.('own', { command: 'x' }), { reason: 'denied' });
      isTrusted = true;
      granted.fire();
      await until('the server of the trusted workspace', configured.event, () => names().includes('one'));
      assert.equal(await host.agent(), agent);
    });

    it('completes them with what the person answers, and keeps a secret as one', async () => {
      await write({ inputs: [{ type: 'promptString', id: 'key', password: true }], servers: { one: { url: 'http://localhost', headers: { Authorization: '${input:key}' } } } });
      await host.agent();
      answers.set('key', 's3cret');
      const { one } = options.mcpServers ?? {};
      assert.ok(one);
      assert.deepEqual(await options.resolveServer?.('one', one), { type: 'http', url: 'http://localhost', headers: { Authorization: 's3cret' } });
      assert.deepEqual([[...secrets.values.values()].map((kept) => kept.includes('s3cret')), state.values.size], [[true], 0]);
    });
  });

  it('is suspended, not closed, with the window', async () => {
    await host.agent();
    await host.suspend();
    await host.suspend();
    assert.deepEqual(ends, ['suspend']);
    await assert.rejects(host.agent());
  });

  it('needs no end where none was built', async () => {
    await host.suspend();
    assert.deepEqual(ends, []);
  });
});
