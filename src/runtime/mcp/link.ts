import type { OnProcess } from '../domain/mcp.ts';
import type { JsonSchema } from '../domain/tools.ts';
import type { ServerTarget } from './config.ts';

/** A tool as a server lists it, cut to what can be worked with. */
export interface ListedTool {
  /** As the server has it. */
  readonly name: string;
  /** For people. */
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly isReadOnly: boolean;
}

export interface ToolList {
  readonly tools: readonly ListedTool[];
  /** What of the server's list is missing, and why, in sentences. */
  readonly problem?: string;
}

export interface CallOptions {
  /** Aborting it tells the server, too. */
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}

/** A session with a running server. */
export interface ServerLink {
  /** As listed first; later lists come as events. */
  readonly list: ToolList;
  /**
   * Calls a tool by the name that the server has for it; resolves to the result as it came. Rejects with `aborted`;
   * `closed` where the call didn't run because the session is over; `unavailable` where it may have run; and
   * `invalid_input` for what the server itself refused. All in words for the model.
   */
  call(tool: string, input: Readonly<Record<string, unknown>>, options: CallOptions): Promise<unknown>;
  /** Ends the session. Resolves when the server's processes, if it is one, are gone. Calls in flight reject. Idempotent; never rejects. */
  close(): Promise<void>;
}

/** What happens to a session on its own. Nothing comes after `close`. */
export interface LinkEvents {
  /** Before the session is open, and at most once. What it gives is disposed of when all of the server's processes have ended. */
  readonly onProcess: OnProcess;
  readonly onList: (list: ToolList) => void;
  /** The session is over: the server ended, or forgot it. At most once. */
  readonly onClosed: () => void;
}

/**
 * Opens a session. Rejects, once nothing of the attempt is left, with `unavailable`: why, in sentences without
 * secrets that go on after the server's name ("It …"). The reason of an aborted signal is told where it is an
 * `AppError`.
 */
export type OpenLink = (target: ServerTarget, events: LinkEvents, signal: AbortSignal) => Promise<ServerLink>;
