import * as vscode from 'vscode';
import { AppError, errorText } from '../runtime/base/errors.ts';
import { DisposableStore } from '../runtime/base/lifecycle.ts';
import type { LiteAgent } from '../runtime/domain/liteAgent.ts';
import type { Log } from '../runtime/domain/ports.ts';
import type { CronService } from '../runtime/domain/services.ts';
import { agentOptions, liveOptions, watchedFolders, watchedSkills, type LiveServices } from './agentOptions.ts';
import type { ApiKeys } from './apiKeys.ts';
import { storedApprovals } from './definitionApprovals.ts';
import { FolderWatcher } from './folderWatcher.ts';
import type { McpHost } from './mcp/mcpHost.ts';
import type { Models } from './models.ts';
import type { Registrations } from './registrations/registrations.ts';
import type { RuntimePieces } from './runtimePieces.ts';
import type { SettingsReader } from './settings.ts';
import type { Settings } from './settingsValues.ts';
import type { WorkspaceTrust } from './trust.ts';
import { WebServices } from './webServices.ts';
import { windowFacts, type WindowFacts } from './windowFacts.ts';

/** How the user interface reaches the window's one agent. */
export interface AgentAccess {
  /** The agent, built on the first call. Rejects with `unavailable` where there is no folder, `closed` after closing. */
  agent(): Promise<LiteAgent>;
  /** The agent, if it was built already. */
  readonly current: LiteAgent | undefined;
  readonly onDidCreate: vscode.Event<LiteAgent>;
}

/** What the host works with. Others use them too, and dispose of them, but for `mcp`, which ends with the agent. */
export interface HostParts {
  readonly context: vscode.ExtensionContext;
  readonly pieces: RuntimePieces;
  readonly settings: SettingsReader;
  readonly keys: ApiKeys;
  readonly models: Models;
  readonly mcp: McpHost;
  readonly prompts: CronService;
  /** What other extensions have added. */
  readonly registrations: Pick<Registrations, 'agents' | 'capabilities' | 'onDidChangeAgents'>;
  readonly trust: WorkspaceTrust;
  readonly log: Log;
}

/** Builds the window's agent when it is first needed, keeps it in step with settings, keys, files and trust, and ends it. */
export class AgentHost implements AgentAccess {
  readonly #parts: HostParts;
  readonly #log: Log;
  readonly #created = new vscode.EventEmitter<LiteAgent>();
  readonly #owned = new DisposableStore();
  readonly #definitionWatcher: FolderWatcher;
  readonly #skillWatcher: FolderWatcher;
  readonly #web: WebServices;
  #building: Promise<LiteAgent> | undefined;
  #current: LiteAgent | undefined;
  #closed = false;

  readonly onDidCreate = this.#created.event;

  constructor(parts: HostParts) {
    this.#parts = parts;
    this.#log = parts.log;
    this.#web = new WebServices(parts.keys);
    this.#owned.add(this.#created);
    this.#definitionWatcher = this.#owned.add(new FolderWatcher(() => void this.#reload('definitions', (agent) => agent.definitions.reload())));
    this.#skillWatcher = this.#owned.add(new FolderWatcher(() => void this.#reload('skills', (agent) => agent.skills.refresh())));
    this.#owned.add(parts.settings.onDidChange(() => this.#reconfigure()));
    this.#owned.add(parts.models.onDidChange(() => this.#reconfigure()));
    this.#owned.add(this.#parts.mcp);
    this.#owned.add(parts.mcp.onDidChange(() => this.#reconfigure()));
    this.#owned.add(parts.registrations.onDidChangeAgents(() => this.#reconfigure()));
    this.#owned.add(parts.trust.onDidGrant(() => this.#reconfigure()));
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

  /** Ends the agent and everything it runs; what isn't finished can go on in the next window. Idempotent; never throws. */
  async suspend(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#owned.dispose();
    try {
      const agent = await this.#building;
      await agent?.suspend();
    } catch (error) {
      this.#log.error(`the agent did not end well: ${errorText(error)}`);
    }
  }

  async #build(): Promise<LiteAgent> {
    const facts = this.#facts();
    await vscode.workspace.fs.createDirectory(vscode.Uri.file(facts.storageDir));
    const { pieces, keys, context, mcp, prompts, registrations } = this.#parts;
    const ripgrep = facts.isVirtual ? undefined : await pieces.findRipgrep({ appRoot: vscode.env.appRoot });
    // So that a run which began on another model finds what can be reached.
    await keys.load();
    await mcp.refresh();
    const settings = this.#parts.settings.read();
    this.#watch(settings, facts);
    const options = agentOptions(settings, facts, {
      ...this.#liveServices(),
      capabilities: registrations.capabilities(() => this.#current?.skills.list() ?? []),
      definitionApprovals: storedApprovals(context.globalState, facts.cwd),
      config: this.#parts.settings.config,
      resolveServer: mcp.resolveServer,
      cron: prompts,
      files: this.#owned.add(await pieces.files()),
      ...(ripgrep === undefined ? {} : { ripgrep }),
      log: this.#log,
    });
    const agent = await pieces.createLiteAgent(options);
    this.#current = agent;
    // What changed meanwhile found no agent to change.
    this.#reconfigure();
    if (!this.#closed) this.#created.fire(agent);
    return agent;
  }

  #liveServices(): LiveServices {
    const { models, mcp, registrations } = this.#parts;
    return { provider: models.provider(), providerFor: models.providerFor, saveRule: (rule) => this.#saveRule(rule), web: this.#web.of, mcpFiles: mcp.files, subAgents: registrations.agents() };
  }

  #facts(): WindowFacts {
    return windowFacts(this.#parts.context, this.#parts.trust);
  }

  async #saveRule(rule: string): Promise<void> {
    await this.#parts.settings.allowAlways(rule);
    // Not left to the change event alone: the rule must count before the next call is judged.
    this.#reconfigure();
  }

  #reconfigure(): void {
    const agent = this.#current;
    if (agent === undefined || this.#closed) return;
    try {
      const settings = this.#parts.settings.read();
      const facts = this.#facts();
      agent.configure(liveOptions(settings, facts, this.#liveServices()));
      this.#watch(settings, facts);
      // Other folders, or trust, may bring other files.
      void this.#parts.mcp.refresh();
    } catch (error) {
      this.#log.warn(`the changed settings were not applied: ${errorText(error)}`);
    }
  }

  #watch(settings: Settings, facts: WindowFacts): void {
    this.#definitionWatcher.watch(watchedFolders(settings, facts));
    this.#skillWatcher.watch(watchedSkills(settings, facts));
  }

  /** Files that change while the agent is built may have been read already, so that it waits for the end of that. */
  async #reload(what: string, reload: (agent: LiteAgent) => Promise<void>): Promise<void> {
    try {
      const agent = await this.#building;
      if (agent !== undefined && !this.#closed) await reload(agent);
    } catch (error) {
      this.#log.warn(`the ${what} were not reloaded: ${errorText(error)}`);
    }
  }
}
