import { homedir } from 'node:os';
import { join } from 'node:path';
import type { LiteAgentOptions, LiveOptions, PermissionOptions } from '../runtime/domain/liteAgent.ts';
import type { ModelRef, ModelProvider } from '../runtime/domain/models.ts';
import type { FilePort, Log } from '../runtime/domain/ports.ts';
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
}

/** What the host gives the agent to work with. */
export interface AgentServices {
  readonly provider: ModelProvider;
  readonly model: ModelRef;
  readonly files?: FilePort;
  readonly ripgrep?: string;
  readonly log: Log;
  readonly saveRule: (rule: string) => Promise<void>;
}

/** The part that follows settings and trust while the agent lives. */
export function liveOptions(settings: Settings, facts: WindowFacts, saveRule: (rule: string) => Promise<void>): Omit<LiveOptions, 'provider' | 'model'> {
  return {
    maxParallelSubagents: settings.maxParallelSubagents,
    maxTasksPerCall: settings.maxTasksPerCall,
    maxTurns: settings.maxTurns,
    permissions: permissionOptions(settings, facts, saveRule),
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
    ...liveOptions(settings, facts, services.saveRule),
    cwd: facts.cwd,
    provider: services.provider,
    model: services.model,
    storageDir: facts.storageDir,
    env: process.env,
    tasks: settings.tasksEnabled,
    ...(services.files === undefined ? {} : { files: services.files }),
    ...(services.ripgrep === undefined || facts.isVirtual ? {} : { ripgrep: services.ripgrep }),
    log: services.log,
  };
}

/** Folders of definitions by source. The project's own count only where the user trusts the project. */
export function definitionFolders(settings: Settings, facts: WindowFacts): Exclude<LiteAgentOptions['agents'], false | undefined> {
  const directory = expandHome(settings.agentsDirectory.trim());
  return {
    bundled: join(facts.extensionDir, 'agents'),
    user: join(homedir(), '.lite-agent', 'agents'),
    ...(facts.isTrusted ? { project: join(facts.cwd, '.lite-agent', 'agents') } : {}),
    ...(directory === '' ? {} : { directory }),
  };
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

function expandHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path;
}
