import { abortable, throwIfAborted } from '../base/abort.ts';
import { errorText, isAppError } from '../base/errors.ts';
import { canonicalJson } from '../base/json.ts';
import type { Disposable } from '../base/lifecycle.ts';
import type { AcquireConnection, McpConnection, McpServerConfig, OnProcess, ServerStatus, ServerView } from '../domain/mcp.ts';
import type { ToolDefinition } from '../domain/tools.ts';
import { unavailableWords, whyWords } from './problemWords.ts';

export interface ShareOptions {
  readonly acquire: AcquireConnection;
  /** Completes a configuration; see `LiteAgentOptions.resolveServer`. */
  readonly resolve: (name: string, config: McpServerConfig) => Promise<McpServerConfig>;
  readonly onProcess?: OnProcess;
  /** Called for nothing that follows the release. */
  readonly onDidChange: (share: ServerShare) => void;
}

/** One holder's use of one server, from before it is connected until it is given back. */
export class ServerShare {
  readonly name: string;
  /** The same for shares of one server under one name. */
  readonly key: string;
  readonly #config: McpServerConfig;
  readonly #options: ShareOptions;
  readonly #released = new AbortController();
  #connection: McpConnection | undefined;
  /** What the connection was made with. */
  #resolved = '';
  #watching: Disposable | undefined;
  #connecting: Promise<void> | undefined;
  #wasTried = false;
  /** Why it could not even be tried. */
  #problem: string | undefined;

  constructor(name: string, config: McpServerConfig, options: ShareOptions) {
    this.name = name;
    this.key = shareKey(name, config);
    this.#config = config;
    this.#options = options;
  }

  get isReleased(): boolean {
    return this.#released.signal.aborted;
  }

  /** Whether a try to connect has ended, in whatever way. */
  get wasTried(): boolean {
    return this.#wasTried;
  }

  /**
   * Connects unless that is done or under way; one that failed is tried again. Resolves once it is ready, has failed or
   * is given back. Rejects only with `aborted`, when the signal of whoever called first aborts.
   */
  connect(signal?: AbortSignal): Promise<void> {
    if (this.isReleased || (this.#connection !== undefined && this.status !== 'failed')) return Promise.resolve();
    return this.#begin(() => this.#connect(signal));
  }

  /** Ends the server, for all who hold it, and starts it anew, with its configuration as it is now. Resolves as `connect`. */
  async restart(): Promise<void> {
    await this.#connecting?.catch(() => undefined);
    await this.#begin(() => this.#restart());
  }

  get status(): ServerStatus {
    if (this.isReleased) return 'closed';
    if (this.#connecting && this.#connection === undefined) return 'connecting';
    if (this.#problem !== undefined) return 'failed';
    return this.#connection?.status ?? 'closed';
  }

  get error(): string | undefined {
    if (this.isReleased) return undefined;
    return this.#problem ?? this.#connection?.error;
  }

  get tools(): readonly ToolDefinition[] {
    return this.#connection?.tools ?? [];
  }

  get view(): ServerView {
    const { error } = this;
    const prefix = `mcp__${this.name}__`;
    const tools = this.tools.map(({ name }) => (name.startsWith(prefix) ? name.slice(prefix.length) : name));
    return { name: this.name, transport: transportOf(this.#config), status: this.status, tools, ...(error !== undefined && { error: whyWords(this.name, error) }) };
  }

  /** See `McpConnection.release`. */
  async release(options?: { readonly immediately?: boolean }): Promise<void> {
    this.#released.abort();
    await this.#connecting?.catch(() => undefined);
    this.#watching?.dispose();
    await this.#connection?.release(options);
  }

  #begin(connect: () => Promise<void>): Promise<void> {
    this.#connecting ??= connect().finally(() => {
      this.#connecting = undefined;
      this.#wasTried = true;
      this.#changed();
    });
    return this.#connecting;
  }

  async #connect(signal: AbortSignal | undefined): Promise<void> {
    const { resolve, acquire, onProcess } = this.#options;
    const stop = signal ? AbortSignal.any([signal, this.#released.signal]) : this.#released.signal;
    const before = this.#connection;
    this.#connection = undefined;
    this.#problem = undefined;
    this.#watching?.dispose();
    // Told once this promise is known to be the one that connects.
    await Promise.resolve();
    this.#changed();
    try {
      // May wait for a person.
      const config = await abortable(resolve(this.name, this.#config), stop);
      // Nothing is lost if it fails again: the share before had failed.
      await before?.release();
      this.#connection = await acquire(this.name, config, { signal: stop, ...(onProcess && { onProcess }) });
      this.#resolved = canonicalJson(config);
      this.#watching = this.#connection.onDidChange(() => this.#changed());
    } catch (error) {
      await before?.release();
      if (signal) throwIfAborted(signal);
      if (!this.isReleased) this.#problem = this.#problemOf(error);
    }
  }

  async #restart(): Promise<void> {
    const connection = this.#connection;
    if (!connection) return this.#connect(undefined);
    try {
      const config = await abortable(this.#options.resolve(this.name, this.#config), this.#released.signal);
      if (canonicalJson(config) === this.#resolved) return await connection.restart();
    } catch (error) {
      if (!this.isReleased) this.#problem = this.#problemOf(error);
      return;
    }
    await connection.release({ immediately: true });
    return this.#connect(undefined);
  }

  /** A configuration that makes no sense names its server itself. */
  #problemOf(error: unknown): string {
    return isAppError(error, 'invalid_input') ? error.message : unavailableWords(this.name, errorText(error));
  }

  #changed(): void {
    if (!this.isReleased) this.#options.onDidChange(this);
  }
}

/** The same for one server under one name. */
export function shareKey(name: string, config: McpServerConfig): string {
  return `${name}\n${canonicalJson(config)}`;
}

function transportOf(config: McpServerConfig): ServerView['transport'] {
  if ('command' in config) return 'stdio';
  return config.type ?? 'http';
}
