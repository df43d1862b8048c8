import { join } from 'node:path';
import type { AgentCapabilities } from '../runtime/domain/capabilities.ts';
import type { DefinitionSource } from '../runtime/domain/definitions.ts';
import type { DefinitionApprovals, LiteAgentOptions, LiveOptions, PermissionOptions, SkillSource } from '../runtime/domain/liteAgent.ts';
import type { ModelProvider, ModelRef } from '../runtime/domain/models.ts';
import type { FilePort, Log } from '../runtime/domain/ports.ts';
import type { ConfigService, CronService } from '../runtime/domain/services.ts';
import type { WatchedFolder } from './folderWatcher.ts';
import { configuredServers } from './mcp/configuredServers.ts';
import type { LoadedFile } from './mcp/mcpFiles.ts';
import type { Settings } from './settingsValues.ts';
import type { HostedWeb } from './webServices.ts';
import type { WebSettings } from './webSettings.ts';
import type { WindowFacts } from './windowFacts.ts';

/** What the host gives the agent to work with, and may replace while it lives. */
export interface LiveServices {
  /** Of the model in the settings. */
  readonly provider: ModelProvider;
  readonly providerFor: (model: ModelRef) => ModelProvider | undefined;
  readonly saveRule: (rule: string) => Promise<void>;
  /** The services of the web, as the settings want them. */
  readonly web: (settings: WebSettings) => HostedWeb;
  /** Kinds of subagents that other extensions have registered. */
  readonly subAgents: NonNullable<LiteAgentOptions['subAgents']>;
  /** Files of servers, as they were last read. */
  readonly mcpFiles: readonly LoadedFile[];
}

/** What the host gives the agent for its whole life. */
export interface AgentServices extends LiveServices {
  /** The root's own tools and skills; those of other extensions come and go in it. */
  readonly capabilities: AgentCapabilities;
  readonly definitionApprovals: DefinitionApprovals;
  readonly config: ConfigService;
  readonly resolveServer: NonNullable<LiteAgentOptions['resolveServer']>;
  readonly cron?: CronService;
  readonly files?: FilePort;
  readonly ripgrep?: string;
  readonly log: Log;
}

/** The part that follows settings, keys and trust while the agent lives. */
export function liveOptions(settings: Settings, facts: WindowFacts, services: LiveServices): LiveOptions {
  return {
    provider: services.provider,
    model: settings.model,
    // Named also where there are none any more: what is left out stays as it was.
    models: settings.models,
    defaultModel: settings.defaultModel,
    budget: settings.budget,
    providerFor: services.providerFor,
    timeLimits: settings.timeLimits,
    maxParallelSubagents: settings.maxParallelSubagents,
    maxTasksPerCall: settings.maxTasksPerCall,
    maxTurns: settings.maxTurns,
    permissions: permissionOptions(settings, facts, services.saveRule),
    // Restricted Mode and virtual workspaces have no processes.
    shell: facts.isTrusted && !facts.isVirtual,
    shellEnv: settings.shellEnvironment,
    roots: facts.roots,
    ...services.web(settings),
    agents: settings.agentsEnabled ? definitionFolders(settings, facts) : false,
    subAgents: services.subAgents,
    skills: settings.skillsEnabled ? skillFolders(settings, facts) : {},
    mcpServers: Object.fromEntries([...configuredServers(settings.mcpServers, services.mcpFiles, facts)].map(([name, { config }]) => [name, config])),
  };
}

/** Everything that the agent is created with. */
export function agentOptions(settings: Settings, facts: WindowFacts, services: AgentServices): LiteAgentOptions {
  return {
    ...liveOptions(settings, facts, services),
    cwd: facts.cwd,
    storageDir: facts.storageDir,
    env: process.env,
    tasks: settings.tasksEnabled,
    askUser: 'approvals',
    config: services.config,
    capabilities: services.capabilities,
    definitionApprovals: services.definitionApprovals,
    resolveServer: services.resolveServer,
    ...(services.cron === undefined ? {} : { cron: services.cron }),
    ...(services.files === undefined ? {} : { files: services.files }),
    ...(services.ripgrep === undefined || facts.isVirtual ? {} : { ripgrep: services.ripgrep }),
    log: services.log,
  };
}

/** Folders of definitions by source. The project's own count only where the user trusts the project. */
export function definitionFolders(settings: Settings, facts: WindowFacts): Exclude<LiteAgentOptions['agents'], false | undefined> {
  return { bundled: join(facts.extensionDir, 'agents'), ...ownFolders('agents', settings.agentsDirectory, settings, facts) };
}

/** Folders of skills by source, as for definitions. */
export function skillFolders(settings: Settings, facts: WindowFacts): Partial<Record<SkillSource, string>> {
  return ownFolders('skills', settings.skillsDirectory, settings, facts);
}

/** The user's folders and the project's, those of other products among them. `directory`: the further one of the settings. */
function ownFolders(kind: 'agents' | 'skills', directory: string, { agentsInterop }: Settings, { cwd, homeDir, isTrusted, isVirtual }: WindowFacts): Partial<Record<DefinitionSource & SkillSource, string>> {
  // The files of a virtual workspace are not on this disk, whatever lies there under the same path.
  const hasProject = isTrusted && !isVirtual;
  return {
    ...(agentsInterop ? { claude_user: join(homeDir, '.claude', kind) } : {}),
    user: join(homeDir, '.lite-agent', kind),
    ...(hasProject && agentsInterop ? { claude_project: join(cwd, '.claude', kind), github_project: join(cwd, '.github', kind) } : {}),
    ...(hasProject ? { project: join(cwd, '.lite-agent', kind) } : {}),
    ...(directory === '' ? {} : { directory: expandHome(directory, homeDir) }),
  };
}

/** Sources whose definitions may also lie in subfolders, as the product has it that they come from. */
export const NESTED_SOURCES: ReadonlySet<string> = new Set(['claude_user', 'claude_project'] satisfies readonly DefinitionSource[]);

/** The folders to look at for changes of skills, each of which is a folder of its own. */
export function watchedSkills(settings: Settings, facts: WindowFacts): readonly WatchedFolder[] {
  return settings.skillsEnabled ? Object.values(skillFolders(settings, facts)).map((path) => ({ path, isNested: true })) : [];
}

/** The folders to look at for changes of definitions. */
export function watchedFolders(settings: Settings, facts: WindowFacts): readonly WatchedFolder[] {
  if (!settings.agentsEnabled) return [];
  return Object.entries(definitionFolders(settings, facts)).map(([source, path]) => ({ path, isNested: NESTED_SOURCES.has(source) }));
}

function permissionOptions(settings: Settings, facts: WindowFacts, saveRule: (rule: string) => Promise<void>): PermissionOptions {
  // Nothing writes or schedules in Restricted Mode, whatever the user allows elsewhere.
  const untrusted = facts.isTrusted ? [] : ['Edit', 'Write', 'Bash', 'CronCreate'];
  return {
    user: settings.userPermissions,
    workspace: { ...settings.workspacePermissions, deny: [...(settings.workspacePermissions.deny ?? []), ...untrusted] },
    ...(settings.subagentPermission === undefined ? {} : { subagent: settings.subagentPermission }),
    // A dry run must not lift what Restricted Mode forbids.
    mode: facts.isTrusted ? settings.permissionMode : 'enforce',
    saveRule,
  };
}

export function expandHome(path: string, homeDir: string): string {
  return path === '~' || path.startsWith('~/') ? join(homeDir, path.slice(1)) : path;
}
