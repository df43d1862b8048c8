import { abortable, throwIfAborted } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import { Emitter } from '../base/emitter.ts';
import { errorText } from '../base/errors.ts';
import type { Disposable } from '../base/lifecycle.ts';
import type { AcquireConnection, McpConnection, OnProcess, ServerStatus } from '../domain/mcp.ts';
import type { ToolDefinition } from '../domain/tools.ts';
import { keyOf, readTarget, type ServerTarget } from './config.ts';
import type { OpenLink } from './link.ts';
import { SharedServer, type Holder } from './sharedServer.ts';

export interface ConnectionPoolOptions {
  readonly open: OpenLink;
  readonly clock: Clock;
}

/** All servers of this process, each once, by how they are reached and not by name. */
export class ConnectionPool {
  readonly #options: ConnectionPoolOptions;
  readonly #servers = new Map<string, SharedServer>();

  constructor(options: ConnectionPoolOptions) {
    this.#options = options;
  }

  /** See `AcquireConnection`. */
  readonly acquire: AcquireConnection = async (name, config, { signal, onProcess } = {}) => {
    const target = readTarget(name, config);
    if (signal) throwIfAborted(signal);
    const key = keyOf(target);
    const server = this.#servers.get(key) ?? this.#add(key, target);
    const share = new Share(name, server, onProcess);
    try {
      await (signal ? abortable(server.connect(), signal) : server.connect());
      return share;
    } catch (error) {
      // Nobody may be left to wait for what isn't ready yet.
      await share.release({ immediately: server.status !== 'ready' });
      throw error;
    }
  };

  /** Servers that run, or that somebody holds. */
  get size(): number {
    return this.#servers.size;
  }

  #add(key: string, target: ServerTarget): SharedServer {
    const onGone = (): void => {
      // By now there may be another in its place.
      if (this.#servers.get(key) === server) this.#servers.delete(key);
    };
    const server = new SharedServer({ ...this.#options, target, onGone });
    this.#servers.set(key, server);
    return server;
  }
}

/** One holder's share. */
class Share implements McpConnection, Holder {
  readonly name: string;
  readonly onProcess?: OnProcess;
  readonly #server: SharedServer;
  readonly #changes = new Emitter<void>((error) => process.emitWarning(`A listener of an MCP server failed: ${errorText(error)}`));
  #isReleased = false;

  constructor(name: string, server: SharedServer, onProcess: OnProcess | undefined) {
    this.name = name;
    this.#server = server;
    if (onProcess) this.onProcess = onProcess;
    server.join(this);
  }

  get status(): ServerStatus {
    return this.#isReleased ? 'closed' : this.#server.status;
  }

  get error(): string | undefined {
    return this.#isReleased ? undefined : this.#server.problem(this.name);
  }

  get tools(): readonly ToolDefinition[] {
    return this.#isReleased ? [] : this.#server.tools(this.name);
  }

  onDidChange(listener: () => void): Disposable {
    return this.#changes.event(listener);
  }

  changed(): void {
    this.#changes.fire();
  }

  async restart(): Promise<void> {
    if (!this.#isReleased) await this.#server.restart();
  }

  async release({ immediately = false }: { readonly immediately?: boolean } = {}): Promise<void> {
    const wasReleased = this.#isReleased;
    this.#isReleased = true;
    this.#changes.dispose();
    if (!wasReleased || immediately) await this.#server.leave(this, immediately);
  }
}
