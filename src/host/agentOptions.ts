import { join } from 'node:path';
import type { DefinitionSource } from '../runtime/domain/definitions.ts';
import type { DefinitionApprovals, LiteAgentOptions, LiveOptions, PermissionOptions } from '../runtime/domain/liteAgent.ts';
import type { ModelProvider, ModelRef } from '../runtime/domain/models.ts';
import type { FilePort, Log } from '../runtime/domain/ports.ts';
import type { WatchedFolder } from './definitionWatcher.ts';
import type { Settings } from './settingsValues.ts';

/** The facts about a window that decide what its agent may do. */
export interface WindowFacts {
  /** Absolute path of the folder to work in. */
  readonly cwd: string;
  /** Absolute paths of all workspace folders. */
  readonly roots: readonly string[];
  readonly isTrusted: boolean;
  readonly isVirtual: boolean;
  readonly storageDir: string;
  /** The extension's own folder. */
  readonly extensionDir: string;
  /** The user's home folder. */
  readonly homeDir: string;
}

/** What the host gives the agent to work with, and may replace while it lives. */
export interface LiveServices {
  /** Of the model in the settings. */
  readonly provider: ModelProvider;
  readonly providerFor: (model: ModelRef) => ModelProvider | undefined;
  readonly saveRule: (rule: string) => Promise<void>;
}

/** What the host gives the agent for its whole life. */
export interface AgentServices extends LiveServices {
  readonly definitionApprovals: DefinitionApprovals;
  readonly files?: FilePort;
  readonly ripgrep?: string;
  readonly log: Log;
}

/** The part that follows settings, keys and trust while the agent lives. */
export function liveOptions(settings: Settings, facts: WindowFacts, services: LiveServices): LiveOptions {
  return {
    provider: services.provider,
    model: settings.model,
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
    agents: settings.agentsEnabled ? definitionFolders(settings, facts) : false,
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
    definitionApprovals: services.definitionApprovals,
    ...(services.files === undefined ? {} : { files: services.files }),
    ...(services.ripgrep === undefined || facts.isVirtual ? {} : { ripgrep: services.ripgrep }),
    log: services.log,
  };
}

/** Folders of definitions by source. The project's own count only where the user trusts the project. */
export function definitionFolders(settings: Settings, facts: WindowFacts): Exclude<LiteAgentOptions['agents'], false | undefined> {
  const { cwd, homeDir, extensionDir } = facts;
  // The files of a virtual workspace are not on this disk, whatever lies there under the same path.
  const hasProject = facts.isTrusted && !facts.isVirtual;
  const { agentsInterop, agentsDirectory } = settings;
  return {
    bundled: join(extensionDir, 'agents'),
    ...(agentsInterop ? { claude_user: join(homeDir, '.claude', 'agents') } : {}),
    user: join(homeDir, '.lite-agent', 'agents'),
    ...(hasProject && agentsInterop ? { claude_project: join(cwd, '.claude', 'agents'), github_project: join(cwd, '.github', 'agents') } : {}),
    ...(hasProject ? { project: join(cwd, '.lite-agent', 'agents') } : {}),
    ...(agentsDirectory === '' ? {} : { directory: expandHome(agentsDirectory, homeDir) }),
  };
}

/** Sources whose definitions may also lie in subfolders, as the product has it that they come from. */
const NESTED_SOURCES: ReadonlySet<string> = new Set(['claude_user', 'claude_project'] satisfies readonly DefinitionSource[]);

/** The folders to look at for changes of definitions. */
export function watchedFolders(settings: Settings, facts: WindowFacts): readonly WatchedFolder[] {
  if (!settings.agentsEnabled) return [];
  return Object.entries(definitionFolders(settings, facts)).map(([source, path]) => ({ path, isNested: NESTED_SOURCES.has(source) }));
}

function permissionOptions(settings: Settings, facts: WindowFacts, saveRule: (rule: string) => Promise<void>): PermissionOptions {
  // Nothing writes in Restricted Mode, whatever the user allows elsewhere.
  const untrusted = facts.isTrusted ? [] : ['Edit', 'Write', 'Bash'];
  return {
    user: settings.userPermissions,
    workspace: { ...settings.workspacePermissions, deny: [...(settings.workspacePermissions.deny ?? []), ...untrusted] },
    ...(settings.subagentPermission === undefined ? {} : { subagent: settings.subagentPermission }),
    // A dry run must not lift what Restricted Mode forbids.
    mode: facts.isTrusted ? settings.permissionMode : 'enforce',
    saveRule,
  };
}

function expandHome(path: string, homeDir: string): string {
  return path === '~' || path.startsWith('~/') ? join(homeDir, path.slice(1)) : path;
}
