import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { canonicalJson } from '../base/json.ts';
import type { Publish } from '../domain/events.ts';
import type { ConnectionAccess } from '../domain/liteAgent.ts';
import type { AcquireConnection, McpServerConfig, ServerView } from '../domain/mcp.ts';
import type { ToolDefinition } from '../domain/tools.ts';
import { ServerShare, type ShareOptions } from './share.ts';

type Servers = Readonly<Record<string, McpServerConfig>>;

export interface ConnectionsOptions {
  readonly acquire: AcquireConnection;
  /** The configured servers, as of now. */
  readonly servers: () => Servers;
  readonly resolve: ShareOptions['resolve'];
  readonly publish: Publish;
  readonly clock: Clock;
}

/** A turn of the root doesn't wait longer for servers: what they list later counts from the next model turn on. */
const PATIENCE = 5_000;

/** All connections that one runtime holds: the root's for its whole life, and those of children while they run. */
export class Connections implements ConnectionAccess {
  readonly #options: ConnectionsOptions;
  readonly #share: ShareOptions;
  /** The root's, by name and configuration. */
  readonly #root = new Map<string, ServerShare>();
  readonly #children = new Set<ServerShare>();
  #closed = false;

  constructor(options: ConnectionsOptions) {
    const { acquire, resolve, publish } = options;
    this.#options = options;
    this.#share = { acquire, resolve, onDidChange: (server) => publish({ type: 'connection.changed', server }) };
  }

  /** Connects the root to these servers, and waits a little while for them. Never rejects. */
  async connectRoot(servers: Servers): Promise<void> {
    if (this.#closed) return;
    const all = Promise.all(Object.entries(servers).map(([name, config]) => this.#rootShare(name, config).connect()));
    const { promise, resolve } = Promise.withResolvers<void>();
    const patience = this.#options.clock.after(PATIENCE, resolve);
    await Promise.race([all, promise]);
    patience.dispose();
  }

  /** The tools that these servers of the root list now. */
  rootTools(servers: Servers): readonly ToolDefinition[] {
    return Object.entries(servers).flatMap(([name, config]) => this.#root.get(keyOf(name, config))?.tools ?? []);
  }

  /** Connects a child. Resolves once it is ready or has failed; rejects with `aborted`, or `closed`. */
  async acquire(name: string, config: McpServerConfig, signal: AbortSignal): Promise<ServerShare> {
    if (this.#closed) throw new AppError('closed', 'This agent is closed.');
    const share = new ServerShare(name, config, this.#share);
    this.#children.add(share);
    try {
      await share.connect(signal);
      return share;
    } catch (error) {
      await this.release(share);
      throw error;
    }
  }

  /** Gives a child's share back. Idempotent; never rejects. */
  async release(share: ServerShare): Promise<void> {
    this.#children.delete(share);
    await share.release({ immediately: this.#closed });
  }

  /** Ends what the root held of servers that aren't configured so any more. */
  serversChanged(): void {
    const configured = new Set(Object.entries(this.#options.servers()).map(([name, config]) => keyOf(name, config)));
    for (const [key, share] of this.#root) {
      if (configured.has(key)) continue;
      this.#root.delete(key);
      void share.release();
    }
  }

  list(): readonly ServerView[] {
    const configured = Object.entries(this.#options.servers()).map(([name, config]) => this.#rootShare(name, config));
    return [...new Set([...configured, ...this.#root.values(), ...this.#children])].map(({ view }) => view);
  }

  async restart(name: string): Promise<ServerView> {
    const config = this.#options.servers()[name];
    if (!config || this.#closed) throw new AppError('not_found', `There is no MCP server ${name}.`);
    const key = keyOf(name, config);
    const old = this.#root.get(key);
    this.#root.delete(key);
    await old?.release({ immediately: true });
    const share = this.#rootShare(name, config);
    await share.connect();
    return share.view;
  }

  /** Gives everything back and waits until servers that nobody else uses are gone. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    const all = [...this.#root.values(), ...this.#children];
    this.#root.clear();
    this.#children.clear();
    await Promise.all(all.map((share) => share.release({ immediately: true })));
  }

  #rootShare(name: string, config: McpServerConfig): ServerShare {
    const key = keyOf(name, config);
    const known = this.#root.get(key);
    if (known) return known;
    const share = new ServerShare(name, config, this.#share);
    this.#root.set(key, share);
    return share;
  }
}

function keyOf(name: string, config: McpServerConfig): string {
  return `${name}\n${canonicalJson(config)}`;
}
