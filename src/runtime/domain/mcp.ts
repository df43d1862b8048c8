import type { Disposable } from '../base/lifecycle.ts';
import type { ToolDefinition } from './tools.ts';

/** How a server is reached. `type` may be left out where `command` or `url` tells it. */
export type McpServerConfig = StdioServer | HttpServer;

/** A process that speaks over its standard streams. It gets a few harmless variables of the environment, and `env`. */
export interface StdioServer {
  readonly type?: 'stdio';
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Absolute. Default: the runtime's. */
  readonly cwd?: string;
}

/** `http`: streamable HTTP, with SSE tried where the server knows only that. `sse`: only that. */
export interface HttpServer {
  readonly type?: 'http' | 'sse';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `closed`: nobody uses it; it starts again on next use. */
export type ServerStatus = 'connecting' | 'ready' | 'failed' | 'closed';

/** One holder's share of a connection. */
export interface McpConnection {
  readonly name: string;
  readonly status: ServerStatus;
  /** Why it failed, or what is wrong with its tools, in sentences without secrets, with what to do. */
  readonly error?: string | undefined;
  /** As the server last listed them, named `mcp__<name>__<tool>`; a new list whenever that changes. None before it was ready. A call of a tool whose server has ended starts it again. */
  readonly tools: readonly ToolDefinition[];
  /** Told when status, error or tools change. */
  onDidChange(listener: () => void): Disposable;
  /** Ends the server for all who hold it, and starts it anew; calls in flight get an error. Resolves once it is ready or has failed. */
  restart(): Promise<void>;
  /**
   * Gives the share back. The server ends once nobody has held one for the grace period (3 s), or at once with
   * `immediately`; then this resolves when it is gone. Never disturbs another holder. Idempotent; `immediately` may
   * also follow later, to cut the grace period short.
   */
  release(options?: { readonly immediately?: boolean }): Promise<void>;
}

/**
 * Connects, or joins a connection with the same configuration. Resolves once it is ready or has failed: a failure is
 * told by `status` and `error`, and not remembered. Rejects with `invalid_input` for a configuration that makes no
 * sense, and with `aborted` when the signal stops the waiting: where nobody else waits, once nothing of it is left.
 */
export type AcquireConnection = (name: string, config: McpServerConfig, options?: AcquireOptions) => Promise<McpConnection>;

export interface AcquireOptions {
  readonly signal?: AbortSignal;
  /** Hears of the server's process, whenever one starts for this share; what it gives is disposed of when that has ended. The process leads a session of its own. */
  readonly onProcess?: OnProcess;
}

export type OnProcess = (pid: number) => Disposable;

/** A server as its users see it. */
export interface ServerView {
  readonly name: string;
  readonly transport: 'stdio' | 'http' | 'sse';
  readonly status: ServerStatus;
  /** Names as the server has them. */
  readonly tools: readonly string[];
  /** What is wrong, as in a connection's, but for the words that it isn't available: these stand beside its name. */
  readonly error?: string;
}
