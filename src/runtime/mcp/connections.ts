import { onAbort } from '../base/abort.ts';
import { deferred } from '../base/async.ts';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { Publish } from '../domain/events.ts';
import type { ConnectionAccess } from '../domain/liteAgent.ts';
import type { AcquireConnection, McpServerConfig, OnProcess, ServerView } from '../domain/mcp.ts';
import type { ToolDefinition } from '../domain/tools.ts';
import { ServerShare, shareKey, type ShareOptions } from './share.ts';

type Servers = Readonly<Record<string, McpServerConfig>>;

export interface ConnectionsOptions {
  readonly acquire: AcquireConnection;
  /** The configured servers, as of now. */
  readonly servers: () => Servers;
  readonly resolve: ShareOptions['resolve'];
  /** Where a server starts whose configuration doesn't say. Absolute. */
  readonly cwd: string;
  readonly onProcess: OnProcess;
  readonly publish: Publish;
  readonly clock: Clock;
}

/** Milliseconds that a turn of the root waits for servers: what they list later counts from the next model turn on. */
const PATIENCE = 5_000;
/** The same where all have been tried before. */
const RETRY_PATIENCE = 1_000;

/** All connections that one runtime holds: the root's for its whole life, and those of children while they run. */
export class Connections implements ConnectionAccess {
  readonly #options: ConnectionsOptions;
  readonly #share: ShareOptions;
  /** The root's, by name and configuration. */
  readonly #root = new Map<string, ServerShare>();
  readonly #children = new Set<ServerShare>();
  /** The share of each server that was given back last: its server may still run, for a moment. */
  readonly #lingering = new Map<string, ServerShare>();
  /** What was told last of each server. */
  readonly #told = new Map<string, string>();
  readonly #hurry = new AbortController();
  #closed = false;

  constructor(options: ConnectionsOptions) {
    const { acquire, cwd, onProcess } = options;
    this.#options = options;
    const resolve: ShareOptions['resolve'] = async (name, config) => {
      const resolved = await options.resolve(name, config);
      return 'command' in resolved ? { cwd, ...resolved } : resolved;
    };
    this.#share = { acquire, resolve, onProcess, onDidChange: ({ key }) => this.#tell(key) };
  }

  /** Connects the root to these servers, and waits a little while for them. Never rejects. */
  async connectRoot(servers: Servers): Promise<void> {
    if (this.#closed) return;
    const shares = Object.entries(servers).map(([name, config]) => this.#rootShare(name, config));
    const patience = shares.every(({ wasTried }) => wasTried) ? RETRY_PATIENCE : PATIENCE;
    const all = Promise.all(shares.map((share) => share.connect()));
    const waited = deferred<void>();
    const timer = this.#options.clock.after(patience, () => waited.resolve());
    const listening = onAbort(this.#hurry.signal, () => waited.resolve());
    await Promise.race([all, waited.promise]);
    timer.dispose();
    listening.dispose();
  }

  /** From here on no turn of the root waits for servers: it is about to end. */
  hurry(): void {
    this.#hurry.abort();
  }

  /** The tools that these servers of the root list now. */
  rootTools(servers: Servers): readonly ToolDefinition[] {
    return Object.entries(servers).flatMap(([name, config]) => this.#root.get(shareKey(name, config))?.tools ?? []);
  }

  /** Connects a child. Resolves once it is ready or has failed; rejects with `aborted`, or `closed`. */
  async acquire(name: string, config: McpServerConfig, signal: AbortSignal): Promise<ServerShare> {
    const closed = (): AppError => new AppError('closed', 'This agent is closed.');
    if (this.#closed) throw closed();
    const share = new ServerShare(name, config, this.#share);
    this.#children.add(share);
    try {
      await share.connect(signal);
    } catch (error) {
      await this.release(share);
      throw error;
    }
    if (share.isReleased) throw closed();
    return share;
  }

  /** Gives a child's share back. Idempotent; never rejects. */
  async release(share: ServerShare): Promise<void> {
    if (!this.#children.delete(share)) return;
    await this.#giveBack(share);
  }

  /** Ends what the root held of servers that aren't configured so any more. */
  serversChanged(): void {
    const configured = new Set(Object.entries(this.#options.servers()).map(([name, config]) => shareKey(name, config)));
    for (const [key, share] of this.#root) {
      if (configured.has(key)) continue;
      this.#root.delete(key);
      void this.#giveBack(share);
    }
  }

  list(): readonly ServerView[] {
    const configured = Object.entries(this.#options.servers());
    const shares = [...configured.map(([name, config]) => new ServerShare(name, config, this.#share)), ...this.#root.values(), ...this.#children];
    return [...new Map(shares.map((share) => [share.key, share])).values()].map((share) => this.#view(share.key) ?? share.view);
  }

  async restart(name: string): Promise<ServerView> {
    const config = this.#options.servers()[name];
    if (!config || this.#closed) throw new AppError('not_found', `There is no MCP server ${name}.`);
    // It may be that only children use it.
    const share = this.#inUse(shareKey(name, config)) ?? this.#rootShare(name, config);
    await share.restart();
    return share.view;
  }

  /** Gives everything back and waits until servers that nobody else uses are gone. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    const all = [...this.#root.values(), ...this.#children, ...this.#lingering.values()];
    this.#root.clear();
    this.#children.clear();
    this.#lingering.clear();
    await Promise.all(all.map((share) => share.release({ immediately: true })));
  }

  async #giveBack(share: ServerShare): Promise<void> {
    if (!this.#closed) this.#lingering.set(share.key, share);
    const given = share.release({ immediately: this.#closed });
    this.#tell(share.key, share);
    await given;
  }

  #rootShare(name: string, config: McpServerConfig): ServerShare {
    const key = shareKey(name, config);
    const known = this.#root.get(key);
    if (known) return known;
    const share = new ServerShare(name, config, this.#share);
    this.#root.set(key, share);
    return share;
  }

  /** How a server stands that several may hold. */
  #view(key: string): ServerView | undefined {
    return (this.#inUse(key) ?? this.#root.get(key))?.view;
  }

  /** The root's share, unless only children use the server. */
  #inUse(key: string): ServerShare | undefined {
    const root = this.#root.get(key);
    const shares = [...(root ? [root] : []), ...[...this.#children].filter((share) => share.key === key)];
    return shares.find(({ status }) => status !== 'closed') ?? shares.find((share) => share !== root);
  }

  #tell(key: string, last?: ServerShare): void {
    const server = this.#view(key) ?? last?.view;
    const text = JSON.stringify(server);
    if (!server || this.#closed || this.#told.get(key) === text) return;
    this.#told.set(key, text);
    this.#options.publish({ type: 'connection.changed', server });
  }
}
