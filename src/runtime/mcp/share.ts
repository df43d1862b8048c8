import { errorText } from '../base/errors.ts';
import type { Disposable } from '../base/lifecycle.ts';
import type { AcquireConnection, McpConnection, McpServerConfig, ServerStatus, ServerView } from '../domain/mcp.ts';
import type { ToolDefinition } from '../domain/tools.ts';

export interface ShareOptions {
  readonly acquire: AcquireConnection;
  /** Completes a configuration; see `LiteAgentOptions.resolveServer`. */
  readonly resolve: (name: string, config: McpServerConfig) => Promise<McpServerConfig>;
  readonly onDidChange: (view: ServerView) => void;
}

/** One holder's use of one server, from before it is connected until it is given back. */
export class ServerShare {
  readonly name: string;
  readonly #config: McpServerConfig;
  readonly #options: ShareOptions;
  #connection: McpConnection | undefined;
  #watching: Disposable | undefined;
  #connecting: Promise<void> | undefined;
  /** Why it could not even be tried. */
  #problem: string | undefined;
  #released = false;

  constructor(name: string, config: McpServerConfig, options: ShareOptions) {
    this.name = name;
    this.#config = config;
    this.#options = options;
  }

  /**
   * Connects unless that is done or under way; one that failed is tried again. Resolves once it is ready or has
   * failed. Rejects only with `aborted`.
   */
  connect(signal?: AbortSignal): Promise<void> {
    if (this.#released || (this.#connection !== undefined && this.status !== 'failed')) return Promise.resolve();
    this.#connecting ??= this.#connect(signal).finally(() => (this.#connecting = undefined));
    return this.#connecting;
  }

  get status(): ServerStatus {
    if (this.#connecting && this.#connection === undefined) return 'connecting';
    if (this.#problem !== undefined) return 'failed';
    return this.#connection?.status ?? 'closed';
  }

  get error(): string | undefined {
    return this.#problem ?? this.#connection?.error;
  }

  get tools(): readonly ToolDefinition[] {
    return this.#connection?.tools ?? [];
  }

  get view(): ServerView {
    const { error } = this;
    const prefix = `mcp__${this.name}__`;
    const tools = this.tools.map(({ name }) => (name.startsWith(prefix) ? name.slice(prefix.length) : name));
    return { name: this.name, transport: transportOf(this.#config), status: this.status, tools, ...(error !== undefined && { error }) };
  }

  /** Idempotent. */
  async release(options?: { readonly immediately?: boolean }): Promise<void> {
    this.#released = true;
    await this.#connecting?.catch(() => undefined);
    await this.#drop(options);
  }

  async #connect(signal: AbortSignal | undefined): Promise<void> {
    await this.#drop();
    this.#problem = undefined;
    try {
      // Told once this promise is known to be the one that connects.
      await Promise.resolve().then(() => this.#changed());
      const config = await this.#options.resolve(this.name, this.#config);
      this.#connection = await this.#options.acquire(this.name, config, signal && { signal });
      this.#watching = this.#connection.onDidChange(() => this.#changed());
    } catch (error) {
      signal?.throwIfAborted();
      this.#problem = errorText(error);
    }
    this.#changed();
  }

  async #drop(options?: { readonly immediately?: boolean }): Promise<void> {
    const connection = this.#connection;
    this.#watching?.dispose();
    this.#connection = undefined;
    await connection?.release(options);
  }

  #changed(): void {
    if (!this.#released) this.#options.onDidChange(this.view);
  }
}

function transportOf(config: McpServerConfig): ServerView['transport'] {
  if ('command' in config) return 'stdio';
  return config.type ?? 'http';
}
