import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { systemCode } from '../../runtime/base/errors.ts';
import { DisposableStore, type Disposable } from '../../runtime/base/lifecycle.ts';
import type { Log } from '../../runtime/domain/ports.ts';
import type { Environment } from '../endpoints.ts';
import { FolderWatcher } from '../folderWatcher.ts';
import type { SettingsReader } from '../settings.ts';
import type { WindowFacts } from '../windowFacts.ts';
import { configuredServers, mcpFolders, type ConfiguredServer } from './configuredServers.ts';
import { mcpFileOf, McpFiles, type LoadedFile } from './mcpFiles.ts';
import { McpInputs, type AskInput } from './mcpInputs.ts';
import { serverResolver } from './resolveServer.ts';

export interface McpHostParts {
  readonly context: Pick<vscode.ExtensionContext, 'secrets' | 'workspaceState'>;
  readonly settings: Pick<SettingsReader, 'peek'>;
  /** Throws where no folder is open. */
  readonly facts: () => WindowFacts;
  readonly ask: AskInput;
  /** Of this process. */
  readonly env: Environment;
  readonly log: Log;
}

/** The MCP servers that are configured for this window, in settings and in the files of its folders, and what they ask for. */
export class McpHost implements Disposable {
  readonly #parts: McpHostParts;
  readonly #owned = new DisposableStore();
  readonly #files: McpFiles;
  readonly #inputs: McpInputs;
  readonly #watcher: FolderWatcher;
  /** Those whose files were read last. */
  #folders: readonly string[] = [];

  /** Completes a configuration right before it is connected. */
  readonly resolveServer: ReturnType<typeof serverResolver>;

  constructor(parts: McpHostParts) {
    const { context, facts, ask, env, log } = parts;
    this.#parts = parts;
    this.#files = this.#owned.add(new McpFiles({ read: readText, log }));
    this.#inputs = this.#owned.add(new McpInputs({ secrets: context.secrets, state: context.workspaceState, ask, l10n: vscode.l10n }));
    this.#watcher = this.#owned.add(new FolderWatcher(() => void this.#files.load(this.#folders)));
    this.resolveServer = serverResolver({ facts, servers: () => this.servers(), inputs: this.#inputs, env, readFile: readText, l10n: vscode.l10n });
  }

  /** A file of servers says something else than before. */
  get onDidChange(): McpFiles['onDidChange'] {
    return this.#files.onDidChange;
  }

  /** The files as they were last read. */
  get files(): readonly LoadedFile[] {
    return this.#files.files;
  }

  /** The servers of the window as it is now, by name. Throws where no folder is open. */
  servers(): ReadonlyMap<string, ConfiguredServer> {
    return configuredServers(this.#parts.settings.peek().mcpServers, this.files, this.#parts.facts());
  }

  /** Reads the files of the window's folders, unless those are the ones that are read and watched already. Rejects where no folder is open. */
  async refresh(): Promise<void> {
    const folders = mcpFolders(this.#parts.facts());
    if (JSON.stringify(folders) === JSON.stringify(this.#folders)) return;
    this.#folders = folders;
    this.#watcher.watch(folders.map(mcpFileOf).map((path) => ({ path: dirname(path), isNested: false, fileName: basename(path) })));
    await this.#files.load(folders);
  }

  /** Forgets what a person answered in this workspace, and for the servers of settings. Rejects when it can't be removed. */
  async forgetInputs(): Promise<void> {
    const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => ({ kind: 'folder', path: uri.fsPath }) as const);
    await this.#inputs.forget([{ kind: 'settings' }, ...folders]);
  }

  /** From now on, inputs that a person would not give are asked for again. */
  askAgain(): void {
    this.#inputs.askAgain();
  }

  /** Takes back what is being asked, so that nothing waits for an answer any more. */
  dispose(): void {
    this.#owned.dispose();
  }
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
