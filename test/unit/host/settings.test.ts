import assert from 'node:assert/strict';
import { agentOptions, liveOptions, type WindowFacts } from '../../../src/host/agentOptions.ts';
import { readSettings, type Inspection } from '../../../src/host/settingsValues.ts';
import { SILENT_LOG } from '../../../src/runtime/domain/ports.ts';

const read = (values: Readonly<Record<string, Inspection>>) => readSettings((key) => values[key]);
const facts: WindowFacts = { cwd: '/w', roots: ['/w'], isTrusted: true, isVirtual: false, storageDir: '/s', extensionDir: '/e' };
const save = async (): Promise<void> => undefined;

describe('settings', () => {
  it('have defaults', () => {
    const { settings, problems } = read({});
    assert.deepEqual(problems, []);
    assert.deepEqual([settings.maxParallelSubagents, settings.maxTasksPerCall, settings.maxTurns, settings.tasksEnabled], [5, 20, 50, true]);
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
    assert.deepEqual(settings.userPermissions.deny, ['Bash']);
    assert.deepEqual(problems.map((problem) => problem.setting).sort(), ['agents.directory', 'maxParallelSubagents', 'maxTurns', 'permissions.ask', 'permissions.deny', 'subagentPermission', 'tasks.enabled'].map((key) => `subagents.${key}`));
  });

  it('take a dry run and the names for the shell from the user alone', () => {
    const outer = { workspaceValue: 'dry-run', workspaceFolderValue: 'dry-run' };
    assert.equal(read({ permissionMode: outer }).settings.permissionMode, 'enforce');
    assert.equal(read({ permissionMode: { ...outer, globalValue: 'dry-run' } }).settings.permissionMode, 'dry-run');
    assert.equal(read({ permissionMode: { globalValue: 'dryrun' } }).settings.permissionMode, 'enforce');
    assert.equal(read({ permissionMode: { globalValue: 'dryrun' } }).problems[0]?.problem, 'not_a_mode');
    const names = { globalValue: ['USER_*'], workspaceValue: ['*'] };
    assert.deepEqual(read({ 'shell.keepEnvironment': names, 'shell.dropEnvironment': names }).settings.shellEnvironment, { keep: ['USER_*'], drop: ['USER_*'] });
  });

  it('take limits of subagents from the user alone', () => {
    assert.deepEqual(read({ subagentPermission: { globalValue: { deny: ['Bash'] } } }).settings.subagentPermission, { deny: ['Bash'] });
    assert.equal(read({ subagentPermission: { workspaceValue: { deny: ['Bash'] } } }).settings.subagentPermission, undefined);
  });
});

describe('what the agent is built with', () => {
  const services = { provider: { id: 'p', stream: () => [] as never }, model: { provider: 'p', model: 'm' }, ripgrep: '/rg', log: SILENT_LOG, saveRule: save };
  const { settings } = read({ 'agents.directory': { globalValue: '/more' } });

  it('names the folders of definitions', () => {
    const { agents } = agentOptions(settings, facts, services);
    assert.ok(agents !== false && agents !== undefined);
    assert.deepEqual([agents.bundled, agents.project, agents.directory], ['/e/agents', '/w/.lite-agent/agents', '/more']);
  });

  it('takes nothing from a project that is not trusted, and neither writes nor runs', () => {
    const options = agentOptions(settings, { ...facts, isTrusted: false }, services);
    assert.ok(options.agents !== false && options.agents?.project === undefined);
    assert.equal(options.shell, false);
    assert.deepEqual(options.permissions?.workspace?.deny, ['Edit', 'Write', 'Bash']);
  });

  it('enforces what Restricted Mode forbids in a dry run too', () => {
    const dry = read({ permissionMode: { globalValue: 'dry-run' } }).settings;
    assert.equal(liveOptions(dry, facts, save).permissions?.mode, 'dry-run');
    assert.equal(liveOptions(dry, { ...facts, isTrusted: false }, save).permissions?.mode, 'enforce');
  });

  it('hands the names for the shell on', () => {
    assert.deepEqual(liveOptions(read({ 'shell.dropEnvironment': { globalValue: ['CORP_*'] } }).settings, facts, save).shellEnv, { keep: [], drop: ['CORP_*'] });
  });

  it('starts no process for a virtual workspace', () => {
    const options = agentOptions(settings, { ...facts, isVirtual: true }, services);
    assert.deepEqual([options.shell, options.ripgrep], [false, undefined]);
  });

  it('follows settings and trust while it lives', () => {
    assert.equal(liveOptions(settings, { ...facts, isTrusted: false }, save).shell, false);
    assert.equal(liveOptions(settings, facts, save).shell, true);
    assert.equal(agentOptions(read({ 'agents.enabled': { globalValue: false } }).settings, facts, services).agents, false);
  });
});
