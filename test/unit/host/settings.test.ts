import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { agentOptions, liveOptions, watchedFolders, watchedSkills, type AgentServices } from '../../../src/host/agentOptions.ts';
import { readMcpFile } from '../../../src/host/mcp/mcpFile.ts';
import { openSetting } from '../../../src/host/openSettings.ts';
import { readSettings } from '../../../src/host/settingsValues.ts';
import type { Inspection } from '../../../src/host/settingValue.ts';
import type { WindowFacts } from '../../../src/host/windowFacts.ts';
import { SETTINGS } from '../../../src/ids.ts';
import { SILENT_LOG } from '../../../src/runtime/domain/ports.ts';
import type { PermissionLayer } from '../../../src/runtime/domain/permissions.ts';
import { judge } from '../../../src/runtime/permissions/judge.ts';
import { runs } from '../../support/permissionsSubjects.ts';

const read = (values: Readonly<Record<string, Inspection>>) => readSettings((key) => values[key]);
const facts: WindowFacts = { cwd: '/w', roots: ['/w'], isTrusted: true, isVirtual: false, storageDir: '/s', extensionDir: '/e', homeDir: '/h' };

describe('settings', () => {
  it('have defaults', () => {
    const { settings, problems } = read({});
    assert.deepEqual(problems, []);
    assert.deepEqual([settings.maxParallelSubagents, settings.maxTasksPerCall, settings.maxTurns, settings.tasksEnabled], [5, 20, 50, true]);
    assert.deepEqual(settings.timeLimits, { maxDurationMs: 0, toolMs: 0, toolIdleMs: 900_000, streamIdleMs: 300_000 });
  });

  it('have the defaults that the manifest shows', () => {
    const { contributes } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { contributes: { configuration: { properties: Record<string, { default: unknown }> } } };
    const shown = Object.fromEntries(Object.values(SETTINGS).map((key): [string, Inspection] => [key, { globalValue: contributes.configuration.properties[`subagents.${key}`]?.default }]));
    assert.deepEqual(read(shown), read({}));
  });

  it('take time limits in seconds, where 0 means none', () => {
    const { settings, problems } = read({ 'limits.maxDuration': { globalValue: 90 }, 'limits.toolIdle': { globalValue: 0 }, 'limits.tool': { globalValue: -1 }, 'limits.streamIdle': { globalValue: 1e9 } });
    assert.deepEqual(settings.timeLimits, { maxDurationMs: 90_000, toolMs: 0, toolIdleMs: 0, streamIdleMs: 300_000 });
    assert.deepEqual(problems.map(({ setting, problem }) => [setting, problem]), [['subagents.limits.tool', 'out_of_range'], ['subagents.limits.streamIdle', 'out_of_range']]);
  });

  it('bound a group by the user’s own budget, where 0 means none', () => {
    const budget = (tokens: unknown, cost: unknown) => read({ 'budget.tokensPerGroup': { globalValue: tokens, workspaceValue: 5 }, 'budget.costPerGroup': { globalValue: cost, workspaceValue: 5 } });
    assert.deepEqual(budget(0, 0).settings.budget, {});
    assert.deepEqual(budget(500_000, 0.25).settings.budget, { tokens: 500_000, cost: 0.25 });
    const { settings, problems } = budget(0.5, -1);
    assert.deepEqual([settings.budget, problems.map(({ setting, problem }) => [setting, problem])], [{}, [['subagents.budget.tokensPerGroup', 'not_a_number'], ['subagents.budget.costPerGroup', 'not_an_amount']]]);
  });

  it('join deny and ask over all scopes, and take allow from the user alone', () => {
    const all: Inspection = { globalValue: ['User'], workspaceValue: ['Workspace'], workspaceFolderValue: ['Folder'] };
    const { settings } = read({ 'permissions.allow': all, 'permissions.ask': all, 'permissions.deny': all });
    assert.deepEqual(settings.userPermissions, { allow: ['User'], ask: ['User'], deny: ['User'] });
    assert.deepEqual(settings.workspacePermissions, { ask: ['Workspace', 'Folder'], deny: ['Workspace', 'Folder'] });
  });

  it('keep the user\'s rules when the workspace\'s list is empty', () => {
    assert.deepEqual(read({ 'permissions.deny': { globalValue: ['Bash'], workspaceValue: [] } }).settings.userPermissions.deny, ['Bash']);
  });

  it('report bad values by name and use the next wider scope', () => {
    const { settings, problems } = read({
      maxParallelSubagents: { workspaceValue: 'many', globalValue: 7 }, maxTurns: { globalValue: 0 }, 'permissions.deny': { globalValue: ['Bash', 3] }, 'permissions.ask': { globalValue: 'x' },
      subagentPermission: { globalValue: ['a'] }, 'agents.directory': { globalValue: 1 }, 'tasks.enabled': { globalValue: 'yes' },
    });
    assert.deepEqual([settings.maxParallelSubagents, settings.maxTurns, settings.tasksEnabled, settings.agentsDirectory], [7, 50, true, '']);
    assert.deepEqual(problems.map((problem) => problem.setting).sort(), ['agents.directory', 'maxParallelSubagents', 'maxTurns', 'permissions.ask', 'permissions.deny', 'subagentPermission', 'tasks.enabled'].map((key) => `subagents.${key}`));
  });

  it('turn what is no rule in a list of limits into one that asks for everything', () => {
    const asksWith = (values: Parameters<typeof read>[0]): boolean => {
      const { userPermissions, workspacePermissions, subagentPermission = {} } = read(values).settings;
      const layers: PermissionLayer[] = [{ name: 'user', lists: { ...userPermissions, allow: ['*'] } }, { name: 'workspace', lists: workspacePermissions }, { name: 'subagentPermission', lists: subagentPermission }];
      return judge(runs('rm x'), layers).verdict === 'ask';
    };
    for (const bad of ['Bash(rm:*)', [['Bash(rm:*)']], { 0: 'Bash(rm:*)' }, 3, null, [null], [{}]]) {
      for (const key of ['permissions.ask', 'permissions.deny']) {
        for (const scope of ['globalValue', 'workspaceValue', 'workspaceFolderValue']) assert.ok(asksWith({ [key]: { [scope]: bad } }), `${key} ${scope} ${JSON.stringify(bad)}`);
      }
      assert.ok(asksWith({ subagentPermission: { globalValue: { deny: bad } } }), JSON.stringify(bad));
      assert.ok(asksWith({ subagentPermission: { globalValue: { allow: bad } } }), JSON.stringify(bad));
    }
    assert.ok(asksWith({ subagentPermission: { globalValue: ['Bash(rm:*)'] } }));
    assert.ok(!asksWith({ 'permissions.deny': { globalValue: ['Edit'] }, 'permissions.ask': { globalValue: [] } }));
  });

  it('take a dry run and the names for the shell from the user alone', () => {
    const outer = { workspaceValue: 'dry-run', workspaceFolderValue: 'dry-run' };
    assert.equal(read({ permissionMode: outer }).settings.permissionMode, 'enforce');
    assert.equal(read({ permissionMode: { ...outer, globalValue: 'dry-run' } }).settings.permissionMode, 'dry-run');
    assert.equal(read({ permissionMode: { globalValue: 'dryrun' } }).settings.permissionMode, 'enforce');
    assert.equal(read({ permissionMode: { globalValue: 'dryrun' } }).problems[0]?.problem, 'not_a_choice');
    const names = { globalValue: ['USER_*'], workspaceValue: ['*'] };
    assert.deepEqual(read({ 'shell.keepEnvironment': names, 'shell.dropEnvironment': names }).settings.shellEnvironment, { keep: ['USER_*'], drop: ['USER_*'] });
  });

  it('take MCP servers and the folder of skills from the user alone', () => {
    const outer = { workspaceValue: { evil: { command: 'x' } }, workspaceFolderValue: { evil: { command: 'x' } } };
    assert.deepEqual(read({ mcpServers: outer }).settings.mcpServers, {});
    assert.deepEqual(read({ mcpServers: { ...outer, globalValue: { mine: { url: 'http://x' } } } }).settings.mcpServers, { mine: { type: 'http', url: 'http://x' } });
    assert.equal(read({ 'skills.directory': { workspaceValue: '/evil', globalValue: '~/skills' } }).settings.skillsDirectory, '~/skills');
  });

  it('report each MCP server that can’t be used by its name, and keep the others', () => {
    const { settings, problems } = read({ mcpServers: { globalValue: { a: { command: 'x', args: 'y' }, b: { command: 'x' }, c: 3 } } });
    assert.deepEqual(Object.keys(settings.mcpServers), ['b']);
    assert.deepEqual(problems, [
      { setting: 'subagents.mcpServers', problem: 'bad_server', server: 'a', fault: { kind: 'not_texts', field: 'args' } },
      { setting: 'subagents.mcpServers', problem: 'bad_server', server: 'c', fault: { kind: 'not_an_object' } },
    ]);
    for (const value of [[], 'x', 3, null]) assert.deepEqual(read({ mcpServers: { globalValue: value } }).problems.map(({ problem }) => problem), ['not_servers'], JSON.stringify(value));
  });

  it('take limits of subagents from the user alone', () => {
    assert.deepEqual(read({ subagentPermission: { globalValue: { deny: ['Bash'] } } }).settings.subagentPermission, { deny: ['Bash'] });
    assert.equal(read({ subagentPermission: { workspaceValue: { deny: ['Bash'] } } }).settings.subagentPermission, undefined);
  });
});

describe('settings that tools of other code may see', () => {
  it('are those of the product by their whole names, but for what may hold a key', () => {
    assert.equal(openSetting('subagents.maxTurns'), 'maxTurns');
    assert.equal(openSetting('subagents.permissions.deny'), 'permissions.deny');
    for (const name of ['maxTurns', 'subagents.mcpServers', 'subagents.', 'subagents.constructor', 'editor.fontSize', '']) assert.equal(openSetting(name), undefined, name);
  });
});

describe('what the agent is built with', () => {
  const services: AgentServices = {
    provider: { id: 'p', stream: () => [] as never }, providerFor: () => undefined, saveRule: async () => undefined,
    definitionApprovals: { isApproved: () => false, approve: async () => undefined }, resolveServer: async (_name, config) => config, config: { get: () => undefined }, mcpFiles: [], subAgents: {}, capabilities: {}, web: () => ({ webFetch: undefined, webSearch: undefined }), ripgrep: '/rg', log: SILENT_LOG,
  };
  const { settings } = read({ 'agents.directory': { globalValue: '~/more' } });

  it('names the folders of definitions, those of other products among them', () => {
    assert.deepEqual(agentOptions(settings, facts, services).agents, {
      bundled: '/e/agents', claude_user: '/h/.claude/agents', user: '/h/.lite-agent/agents', claude_project: '/w/.claude/agents',
      github_project: '/w/.github/agents', project: '/w/.lite-agent/agents', directory: '/h/more',
    });
  });

  it('names the folders of skills as those of definitions, and none where they are switched off', () => {
    const more = read({ 'skills.directory': { globalValue: '~/more' } }).settings;
    assert.deepEqual(agentOptions(more, facts, services).skills, {
      claude_user: '/h/.claude/skills', user: '/h/.lite-agent/skills', claude_project: '/w/.claude/skills', github_project: '/w/.github/skills', project: '/w/.lite-agent/skills', directory: '/h/more',
    });
    assert.deepEqual(liveOptions(read({ 'agents.interop': { globalValue: false } }).settings, facts, services).skills, { user: '/h/.lite-agent/skills', project: '/w/.lite-agent/skills' });
    assert.deepEqual(watchedSkills(more, facts), Object.values(liveOptions(more, facts, services).skills ?? {}).map((path) => ({ path, isNested: true })));
    const off = read({ 'skills.enabled': { globalValue: false } }).settings;
    assert.deepEqual([liveOptions(off, facts, services).skills, watchedSkills(off, facts)], [{}, []]);
    for (const outside of [{ isTrusted: false }, { isVirtual: true }]) assert.deepEqual(Object.keys(liveOptions(more, { ...facts, ...outside }, services).skills ?? {}), ['claude_user', 'user', 'directory']);
  });

  it('has the MCP servers of settings and files where they are trusted', () => {
    const { settings } = read({ mcpServers: { globalValue: { mine: { command: 'x' }, web: { url: 'http://x' } } } });
    const mcpFiles = [{ folder: '/w', path: '/w/.vscode/mcp.json', ...readMcpFile('{ "servers": { "theirs": { "command": "y", "envFile": ".env" } } }') }];
    const names = (patch: Partial<WindowFacts>): readonly string[] => Object.keys(liveOptions(settings, { ...facts, ...patch }, { ...services, mcpFiles }).mcpServers ?? {});
    assert.deepEqual([names({}), names({ isTrusted: false }), names({ isVirtual: true })], [['mine', 'web', 'theirs'], [], ['web']]);
  });

  it('has the same folders watched, with their subfolders where those are read', () => {
    const { agents } = agentOptions(settings, facts, services);
    assert.deepEqual(watchedFolders(settings, facts).map(({ path }) => path), Object.values(agents || {}));
    assert.deepEqual(watchedFolders(settings, facts).filter(({ isNested }) => isNested).map(({ path }) => path), ['/h/.claude/agents', '/w/.claude/agents']);
    assert.deepEqual(watchedFolders(read({ 'agents.enabled': { globalValue: false } }).settings, facts), []);
  });

  it('leaves out the folders of other products where they are switched off', () => {
    const { agents } = agentOptions(read({ 'agents.interop': { globalValue: false } }).settings, facts, services);
    assert.deepEqual(agents, { bundled: '/e/agents', user: '/h/.lite-agent/agents', project: '/w/.lite-agent/agents' });
  });

  it('takes nothing from a project that is not trusted, and neither writes nor runs', () => {
    const options = agentOptions(settings, { ...facts, isTrusted: false }, services);
    assert.deepEqual(Object.keys(options.agents || {}), ['bundled', 'claude_user', 'user', 'directory']);
    assert.equal(options.shell, false);
    assert.deepEqual(options.permissions?.workspace?.deny, ['Edit', 'Write', 'Bash', 'CronCreate']);
  });

  it('enforces what Restricted Mode forbids in a dry run too', () => {
    const dry = read({ permissionMode: { globalValue: 'dry-run' } }).settings;
    assert.equal(liveOptions(dry, facts, services).permissions?.mode, 'dry-run');
    assert.equal(liveOptions(dry, { ...facts, isTrusted: false }, services).permissions?.mode, 'enforce');
  });

  it('lets agents ask in the queue of approvals, and tools see the settings', () => {
    const { askUser, config } = agentOptions(settings, facts, services);
    assert.equal(askUser, 'approvals');
    assert.equal(config, services.config);
  });

  it('hands the names for the shell on', () => {
    assert.deepEqual(liveOptions(read({ 'shell.dropEnvironment': { globalValue: ['CORP_*'] } }).settings, facts, services).shellEnv, { keep: [], drop: ['CORP_*'] });
  });

  it('starts no process for a virtual workspace', () => {
    const options = agentOptions(settings, { ...facts, isVirtual: true }, services);
    assert.deepEqual([options.shell, options.ripgrep], [false, undefined]);
  });

  it('doesn’t take for a virtual workspace’s definitions what lies on this disk under the same path', () => {
    const options = agentOptions(settings, { ...facts, isVirtual: true }, services);
    assert.deepEqual(Object.keys(options.agents || {}), ['bundled', 'claude_user', 'user', 'directory']);
  });

  it('follows settings and trust while it lives', () => {
    assert.equal(liveOptions(settings, { ...facts, isTrusted: false }, services).shell, false);
    assert.equal(liveOptions(settings, facts, services).shell, true);
    const configured = read({ provider: { globalValue: 'anthropic' }, model: { globalValue: 'm' }, 'limits.tool': { globalValue: 5 } }).settings;
    const live = liveOptions(configured, facts, services);
    assert.deepEqual([live.model.model, live.provider, live.providerFor, live.timeLimits?.toolMs], ['m', services.provider, services.providerFor, 5000]);
    assert.equal(agentOptions(read({ 'agents.enabled': { globalValue: false } }).settings, facts, services).agents, false);
  });

  it('hands the models to choose from and the budget on, also that there are none any more', () => {
    const models = { simple: { provider: 'openai', model: 'mini' }, complex: { provider: 'anthropic', model: 'big' } };
    const with2 = liveOptions(read({ models: { globalValue: models }, defaultModel: { globalValue: 'complex' }, 'budget.tokensPerGroup': { globalValue: 1000 } }).settings, facts, services);
    assert.deepEqual(with2.models, { simple: { ...models.simple, tier: 'simple' }, complex: { ...models.complex, tier: 'complex' } });
    assert.deepEqual([with2.model, with2.defaultModel, with2.budget], [{ ...models.complex, tier: 'complex' }, 'complex', { tokens: 1000 }]);
    const without = liveOptions(settings, facts, services);
    assert.deepEqual(['models' in without, without.models, 'defaultModel' in without, without.defaultModel, without.budget], [true, undefined, true, undefined, {}]);
  });
});
