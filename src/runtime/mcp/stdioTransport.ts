import { deserializeMessage, serializeMessage, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { deferred } from '../base/async.ts';
import { SYSTEM_CLOCK } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { Disposable } from '../base/lifecycle.ts';
import { endSession } from '../base/processTree.ts';
import type { OnProcess } from '../domain/mcp.ts';
import { mendAnswer } from './answers.ts';
import type { ServerTarget } from './config.ts';
import { LineBuffer } from './lineBuffer.ts';

export type StdioTarget = Extract<ServerTarget, { kind: 'stdio' }>;

export interface StdioEvents {
  readonly onProcess: OnProcess;
  readonly onErrorOutput: (text: string) => void;
}

/** Milliseconds for a server to end by itself once its input has ended. */
const INPUT_GRACE = 1_000;
/** Milliseconds for what a server that has ended had still written. */
const OUTPUT_GRACE = 300;

/**
 * A server as a process that leads a session of its own, so that all that a wrapper such as `npx` or `sh` starts can
 * be found and ended with it. For systems that have sessions.
 */
export class StdioTransport implements Transport {
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  onmessage: ((message: JSONRPCMessage) => void) | undefined;
  readonly #target: StdioTarget;
  readonly #events: StdioEvents;
  readonly #buffer = new LineBuffer();
  readonly #exited = deferred<void>();
  readonly #silent = deferred<void>();
  #starting: Promise<void> | undefined;
  #child: ChildProcessWithoutNullStreams | undefined;
  #note: Disposable | undefined;
  #hasExited = false;
  #closing: Promise<void> | undefined;

  constructor(target: StdioTarget, events: StdioEvents) {
    this.#target = target;
    this.#events = events;
  }

  /** Rejects with the system's error where the process can't be started. */
  start(): Promise<void> {
    this.#starting = this.#start();
    return this.#starting;
  }

  send(message: JSONRPCMessage): Promise<void> {
    const child = this.#child;
    if (!child || this.#closing || this.#hasExited) return Promise.reject(new AppError('closed', 'The server has ended.'));
    // Whether all of it was taken says the callback; a server that doesn't read must not hold up who only tells it something.
    return new Promise((resolve, reject) => child.stdin.write(serializeMessage(message), (error) => (error ? reject(new AppError('closed', 'The server has ended.', { cause: error })) : resolve())));
  }

  /** Idempotent. Resolves when all of the session has ended. */
  close(): Promise<void> {
    // Where it could not be started there is nothing to end.
    this.#closing ??= (this.#starting ?? Promise.resolve()).then(() => this.#end(), () => undefined);
    this.#tellClosed();
    return this.#closing;
  }

  async #start(): Promise<void> {
    const { command, args, env, cwd } = this.#target;
    const child = spawn(command, args, { env: { ...getDefaultEnvironment(), ...env }, ...(cwd !== undefined && { cwd }), detached: true, stdio: 'pipe' });
    this.#listen(child);
    await once(child, 'spawn');
    this.#child = child;
    if (child.pid !== undefined) this.#note = this.#events.onProcess(child.pid);
  }

  #listen(child: ChildProcessWithoutNullStreams): void {
    const onError = (error: Error): void => this.onerror?.(error);
    for (const stream of [child, child.stdin, child.stdout, child.stderr]) stream.on('error', onError);
    child.stdout.on('data', (chunk: Buffer) => this.#read(chunk));
    child.stdout.once('close', () => this.#silent.resolve());
    child.stderr.setEncoding('utf8').on('data', this.#events.onErrorOutput);
    child.once('exit', () => {
      this.#hasExited = true;
      this.#exited.resolve();
      // What it started may hold its output open for ever.
      void within(this.#silent.promise, OUTPUT_GRACE).then(() => this.close());
    });
  }

  #read(chunk: Buffer): void {
    let lines: readonly string[];
    try {
      lines = this.#buffer.take(chunk);
    } catch (error) {
      // A message without an end.
      this.onerror?.(error as Error);
      void this.close();
      return;
    }
    for (const line of lines) {
      try {
        this.onmessage?.(deserializeMessage(mendAnswer(line)));
      } catch (error) {
        // One line that is no message; those after it may be.
        this.onerror?.(error as Error);
      }
    }
  }

  async #end(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    child.stdin.end();
    await within(this.#exited.promise, INPUT_GRACE);
    if (child.pid !== undefined) await endSession({ leader: child.pid }, new Set());
    child.stdin.destroy();
    child.stdout.destroy();
    child.stderr.destroy();
    this.#buffer.clear();
    this.#note?.dispose();
  }

  #tellClosed(): void {
    const tell = this.onclose;
    this.onclose = undefined;
    tell?.();
  }
}

/** Resolves when the promise does, or after that many milliseconds. */
function within(promise: Promise<void>, ms: number): Promise<void> {
  const late = deferred<void>();
  const timer = SYSTEM_CLOCK.after(ms, () => late.resolve());
  return Promise.race([promise, late.promise]).finally(() => timer.dispose());
}
