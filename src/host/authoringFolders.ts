import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { FileSource } from '../runtime/domain/definitions.ts';
import type { Disposable } from '../runtime/base/lifecycle.ts';
import type { ModelCatalog } from '../runtime/domain/models.ts';
import { expandHome, NESTED_SOURCES } from './agentOptions.ts';
import type { SettingsReader } from './settings.ts';
import type { Settings } from './settingsValues.ts';

/** A folder whose Markdown files are definitions. */
export interface AuthoringFolder {
  /** Absolute. */
  readonly path: string;
  readonly source: FileSource;
  readonly isNested: boolean;
}

/** What editing definition files takes from the settings. */
export interface AuthoringSettings {
  readonly folders: () => readonly AuthoringFolder[];
  /** Absent without a catalog. */
  readonly tiers: () => ModelCatalog | undefined;
  readonly onDidChange: (listener: () => void) => Disposable;
}

export function authoringSettingsOf(settings: SettingsReader): AuthoringSettings {
  return {
    folders: () => authoringFolders(settings.peek(), { homeDir: homedir(), roots: (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath) }),
    tiers: () => settings.peek().models,
    onDidChange: (listener) => vscode.Disposable.from(settings.onDidChange(() => listener()), vscode.workspace.onDidChangeWorkspaceFolders(() => listener())),
  };
}

/** The user's folders and those of all workspace folders, also where the project isn't trusted: its files aren't used then, but they are edited. */
export function authoringFolders({ agentsEnabled, agentsInterop, agentsDirectory }: Pick<Settings, 'agentsEnabled' | 'agentsInterop' | 'agentsDirectory'>, { homeDir, roots }: { readonly homeDir: string; readonly roots: readonly string[] }): readonly AuthoringFolder[] {
  if (!agentsEnabled) return [];
  const folder = (source: FileSource, ...path: [string, ...string[]]): AuthoringFolder => ({ source, path: join(...path), isNested: NESTED_SOURCES.has(source) });
  return [
    ...(agentsInterop ? [folder('claude_user', homeDir, '.claude', 'agents')] : []),
    folder('user', homeDir, '.lite-agent', 'agents'),
    ...roots.flatMap((root) => [...(agentsInterop ? [folder('claude_project', root, '.claude', 'agents'), folder('github_project', root, '.github', 'agents')] : []), folder('project', root, '.lite-agent', 'agents')]),
    ...(agentsDirectory === '' ? [] : [folder('directory', expandHome(agentsDirectory, homeDir))]),
  ];
}
