import { stripVTControlCharacters } from 'node:util';
import { deferred } from '../base/async.ts';
import type { BackgroundCommand, ToolContext } from '../domain/tools.ts';
import { OutputBuffer } from './outputBuffer.ts';
import { OutputLog } from './outputLog.ts';
import { runShell, type ShellEnd } from './shellProcess.ts';

/** In characters. */
export interface OutputLimits {
  /** Kept in memory until somebody asks for it; of more, the beginning and the end. */
  readonly unread: number;
  /** Kept in the file. */
  readonly file: number;
  /** Past this the command is ended: it writes without end, and reading that keeps the host busy. */
  readonly total: number;
}

export const OUTPUT_LIMITS: OutputLimits = { unread: 200_000, file: 20_000_000, total: 1_000_000_000 };

export interface BackgroundShellOptions {
  readonly id: string;
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Absolute; its output goes into a file there. */
  readonly folder: string;
  readonly limits: OutputLimits;
  readonly noteProcess: ToolContext['noteProcess'];
}

/** One command in a session of its own that runs until it ends, or is ended, with all that it started. */
export class BackgroundShell {
  readonly #options: BackgroundShellOptions;
  readonly #startedAt = Date.now();
  readonly #stop = new AbortController();
  readonly #over = deferred<void>();
  #log: OutputLog | undefined;
  #unread: OutputBuffer;
  #written = 0;
  #hasBegun = false;
  #end: ShellEnd | undefined;

  constructor(options: BackgroundShellOptions) {
    this.#options = options;
    this.#unread = this.#buffer();
  }

  /** Resolves when it runs. Rejects as `runShell`; then nothing is left of it. Called once. */
  async start(): Promise<void> {
    const { id, command, cwd, env, folder, limits, noteProcess } = this.#options;
    this.#log = await OutputLog.create(folder, id, limits.file);
    const begun = deferred<void>();
    const running = runShell({
      command,
      cwd,
      env,
      signal: this.#stop.signal,
      onOutput: (text) => this.#take(text),
      onLeader: (pid, mark) => {
        this.#hasBegun = true;
        begun.resolve();
        return noteProcess(pid, mark);
      },
    });
    void running.then((end) => (this.#end = end), (error: unknown) => {
      this.#end = { kind: 'aborted' };
      begun.reject(error);
    }).finally(() => this.#over.resolve());
    await begun.promise;
  }

  get isRunning(): boolean {
    return this.#end === undefined;
  }

  /** Resolves when it runs no more. Never rejects. */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  /** Whether it ran, and was ended before it came to its end. */
  get wasEnded(): boolean {
    return this.#hasBegun && this.#end?.kind === 'aborted';
  }

  view(): BackgroundCommand {
    const { id, command } = this.#options;
    const path = this.#log?.path;
    return { id, command, ...statusOf(this.#end), ...(path !== undefined && { outputPath: path }), startedAt: this.#startedAt };
  }

  /** What came since the last call of this. `wholeLines`: the rest of a line waits for the next one. */
  async read(wholeLines: boolean): Promise<string> {
    const text = this.#unread.toString();
    const end = wholeLines ? text.lastIndexOf('\n') + 1 : text.length;
    this.#unread = this.#buffer();
    this.#unread.append(text.slice(end));
    // The text may name the file.
    await this.#log?.flush();
    return text.slice(0, end);
  }

  /** Ends it and all that it started. Idempotent; resolves when they are gone. Never rejects. */
  async end(): Promise<void> {
    this.#stop.abort();
    await this.#over.promise;
    await this.#log?.flush();
  }

  #take(raw: string): void {
    const { total } = this.#options.limits;
    if (this.#written > total) return;
    this.#written += raw.length;
    this.#keep(stripVTControlCharacters(raw).toWellFormed());
    if (this.#written <= total) return;
    this.#keep(`\n[Ended here: it had written more than ${total} characters.]\n`);
    this.#stop.abort();
  }

  #keep(text: string): void {
    this.#unread.append(text);
    this.#log?.append(text);
  }

  #buffer(): OutputBuffer {
    return new OutputBuffer(this.#options.limits.unread, (dropped) => {
      const path = this.#log?.path;
      return `${dropped} characters left out here. ${path === undefined ? 'They could not be kept' : `All of the output is in ${path}`}`;
    });
  }
}

function statusOf(end: ShellEnd | undefined): Pick<BackgroundCommand, 'status' | 'exitCode'> {
  switch (end?.kind) {
    case undefined:
      return { status: 'running' };
    case 'exited':
      return { status: 'exited', exitCode: end.code };
    case 'timeout':
    case 'aborted':
      return { status: 'killed' };
  }
}
