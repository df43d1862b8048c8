import * as vscode from 'vscode';
import { AppError, errorText } from '../runtime/base/errors.ts';
import { DisposableStore } from '../runtime/base/lifecycle.ts';
import type { LiteAgent } from '../runtime/domain/liteAgent.ts';
import type { Log } from '../runtime/domain/ports.ts';
import { agentOptions, liveOptions, type WindowFacts } from './agentOptions.ts';
import type { RuntimePieces } from './runtimePieces.ts';
import { SettingsReader } from './settings.ts';

/** How the user interface reaches the window's one agent. */
export interface AgentAccess {
  /** The agent, built on the first call. Rejects with `unavailable` where there is no folder, `closed` after closing. */
  agent(): Promise<LiteAgent>;
  /** The agent, if it was built already. */
  readonly current: LiteAgent | undefined;
  readonly onDidCreate: vscode.Event<LiteAgent>;
}

/** Builds the window's agent when it is first needed, keeps it in step with settings and trust, and closes it. */
export class AgentHost implements AgentAccess {
  readonly #context: vscode.ExtensionContext;
  readonly #pieces: RuntimePieces;
  readonly #log: Log;
  readonly #settings: SettingsReader;
  readonly #created = new vscode.EventEmitter<LiteAgent>();
  readonly #owned = new DisposableStore();
  #building: Promise<LiteAgent> | undefined;
  #current: LiteAgent | undefined;
  #closed = false;

  readonly onDidCreate = this.#created.event;

  constructor(context: vscode.ExtensionContext, pieces: RuntimePieces, log: Log) {
    this.#context = context;
    this.#pieces = pieces;
    this.#log = log;
    this.#settings = new SettingsReader(log, vscode.workspace.workspaceFolders?.[0]?.uri);
    this.#owned.add(this.#settings);
    this.#owned.add(this.#created);
    this.#owned.add(this.#settings.onDidChange(() => this.#reconfigure()));
    this.#owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.#reconfigure()));
    this.#owned.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.#reconfigure()));
  }

  get current(): LiteAgent | undefined {
    return this.#current;
  }

  async agent(): Promise<LiteAgent> {
    if (this.#closed) throw new AppError('closed', vscode.l10n.t('This window is closing.'));
    // A failed attempt is forgotten, so that the next call tries again (a folder may have been opened).
    this.#building ??= this.#build().catch((error: unknown) => {
      this.#building = undefined;
      throw error;
    });
    return this.#building;
  }

  /** Ends the agent and everything it runs. Idempotent; never throws. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#owned.dispose();
    try {
      const agent = await this.#building;
      await agent?.close();
    } catch (error) {
      this.#log.error(`closing failed: ${errorText(error)}`);
    }
  }

  async #build(): Promise<LiteAgent> {
    const facts = this.#facts();
    await vscode.workspace.fs.createDirectory(vscode.Uri.file(facts.storageDir));
    const ripgrep = facts.isVirtual ? undefined : await this.#pieces.findRipgrep({ appRoot: vscode.env.appRoot });
    const files = this.#owned.add(this.#pieces.files());
    const options = agentOptions(this.#settings.read(), facts, {
      ...this.#pieces.defaultModel(),
      files,
      ...(ripgrep === undefined ? {} : { ripgrep }),
      log: this.#log,
      saveRule: (rule) => this.#saveRule(rule),
    });
    const agent = await this.#pieces.createLiteAgent(options);
    this.#current = agent;
    if (!this.#closed) this.#created.fire(agent);
    return agent;
  }

  #facts(): WindowFacts {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const first = folders[0];
    if (first === undefined) throw new AppError('unavailable', vscode.l10n.t('Open a folder first: subagents work in a folder.'));
    const local = folders.filter((folder) => folder.uri.scheme === 'file');
    return {
      cwd: first.uri.fsPath,
      roots: (local.length > 0 ? local : [first]).map((folder) => folder.uri.fsPath),
      isTrusted: vscode.workspace.isTrusted,
      isVirtual: local.length === 0,
      storageDir: (this.#context.storageUri ?? this.#context.globalStorageUri).fsPath,
      extensionDir: this.#context.extensionUri.fsPath,
    };
  }

  async #saveRule(rule: string): Promise<void> {
    await this.#settings.allowAlways(rule);
    // Not left to the change event alone: the rule must count before the next call is judged.
    this.#reconfigure();
  }

  #reconfigure(): void {
    const agent = this.#current;
    if (agent === undefined || this.#closed) return;
    try {
      agent.configure(liveOptions(this.#settings.read(), this.#facts(), (rule) => this.#saveRule(rule)));
    } catch (error) {
      this.#log.warn(`the changed settings were not applied: ${errorText(error)}`);
    }
  }
}
