import { abortable, abortError, throwIfAborted } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import { AppError, errorText, isAppError } from '../base/errors.ts';
import type { Disposable } from '../base/lifecycle.ts';
import { durationText } from '../base/text.ts';
import type { OnProcess, ServerStatus } from '../domain/mcp.ts';
import type { ToolDefinition } from '../domain/tools.ts';
import { adaptTool, type CallTool } from './adapter.ts';
import type { ServerTarget } from './config.ts';
import type { CallOptions, OpenLink, ServerLink, ToolList } from './link.ts';
import { unavailableWords } from './problemWords.ts';
import { ProcessNotes } from './processNotes.ts';

/** Milliseconds for a server to start and to list its tools. */
export const CONNECT_LIMIT = 30_000;
/** Milliseconds that a server lives on when nobody holds it any more. */
export const GRACE = 3_000;

/** Who holds a server. */
export interface Holder {
  readonly onProcess?: OnProcess;
  /** Status, problem or tools have changed. */
  changed(): void;
}

export interface SharedServerOptions {
  readonly target: ServerTarget;
  readonly open: OpenLink;
  readonly clock: Clock;
  /** Nobody holds it, and nothing of it is left. */
  readonly onGone: () => void;
}

/** A try to connect. `done` resolves however it ends. */
interface Attempt {
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

/** One server and all who hold it: started by the first, ended a while after the last, started again on use where it ended by itself. */
export class SharedServer {
  readonly #options: SharedServerOptions;
  readonly #holders = new Set<Holder>();
  readonly #notes = new ProcessNotes();
  #status: ServerStatus = 'closed';
  /** Why it failed: sentences that go on after its name. */
  #failure: string | undefined;
  #list: ToolList = { tools: [] };
  readonly #adapted = new Map<string, readonly ToolDefinition[]>();
  #attempt: Attempt | undefined;
  #link: ServerLink | undefined;
  /** Resolves when everything that was told to end has ended. */
  #ending: Promise<void> = Promise.resolve();
  #grace: Disposable | undefined;

  constructor(options: SharedServerOptions) {
    this.#options = options;
  }

  get status(): ServerStatus {
    return this.#status;
  }

  /** What is wrong, for holders that know it by that name. */
  problem(name: string): string | undefined {
    if (this.#failure !== undefined) return unavailableWords(name, this.#failure);
    return this.#list.problem === undefined ? undefined : `Not all is well with the tools of the MCP server ${name}. ${this.#list.problem}`;
  }

  /** As listed last, for holders that know it by that name: the same objects for all of them, until there is a new list. */
  tools(name: string): readonly ToolDefinition[] {
    const known = this.#adapted.get(name);
    if (known) return known;
    const call: CallTool = (tool, input, options) => this.#call(name, tool, input, options);
    const tools = this.#list.tools.map((tool) => adaptTool(name, tool, call));
    this.#adapted.set(name, tools);
    return tools;
  }

  /** From here on it doesn't end before the holder has left. */
  join(holder: Holder): void {
    this.#grace?.dispose();
    this.#grace = undefined;
    this.#holders.add(holder);
    this.#notes.answer(this.#answering());
  }

  /** Resolves when it is ready or has failed, at once where it is ready. Never rejects. */
  async connect(): Promise<void> {
    if (!this.#link) this.#attempt ??= this.#start();
    // One that was stopped has another in its place where it was started anew.
    while (this.#attempt) await this.#attempt.done;
  }

  /** Ends what runs, for all, and starts it anew. Never rejects. */
  async restart(): Promise<void> {
    const ended = this.#stop();
    this.#change('closed');
    await Promise.all([ended, this.connect()]);
  }

  /** Idempotent. Resolves at once, or with `immediately`, where nobody else holds it, when it is gone. */
  async leave(holder: Holder, immediately: boolean): Promise<void> {
    this.#holders.delete(holder);
    if (this.#holders.size > 0) {
      this.#notes.answer(this.#answering());
      return;
    }
    const isIdle = !this.#link && !this.#attempt;
    if (immediately || isIdle) return this.#end();
    this.#grace ??= this.#options.clock.after(GRACE, () => void this.#end());
  }

  #answering(): ReadonlySet<OnProcess> {
    return new Set([...this.#holders].flatMap(({ onProcess }) => onProcess ?? []));
  }

  #start(): Attempt {
    const stop = new AbortController();
    return { stop, done: this.#open(stop) };
  }

  /** Opens a link once the one before is gone: many servers can't run twice. */
  async #open(stop: AbortController): Promise<void> {
    const { open, target, clock } = this.#options;
    const before = this.#ending;
    const isCurrent = (): boolean => this.#attempt?.stop === stop;
    const limit = clock.after(CONNECT_LIMIT, () => stop.abort(new AppError('timeout', `It did not answer within ${durationText(CONNECT_LIMIT)}. Check that it works when started by hand.`)));
    // Whoever asked must find the attempt in its place before anything is told.
    await Promise.resolve();
    if (isCurrent()) this.#change('connecting');
    let link: ServerLink | undefined;
    let failure: string | undefined;
    try {
      await before;
      throwIfAborted(stop.signal);
      const onClosed = (): void => this.#lost(link);
      const onList = (list: ToolList): void => {
        if (link !== undefined && link === this.#link) this.#listed(list);
      };
      link = await open(target, { onProcess: (pid) => this.#notes.started(pid), onList, onClosed }, stop.signal);
    } catch (error) {
      failure = errorText(error);
    }
    limit.dispose();
    if (!isCurrent()) return link?.close();
    this.#attempt = undefined;
    this.#link = link;
    if (link) this.#listed(link.list, 'ready');
    else this.#change('failed', failure);
    // Nobody may be left who would end it: then the grace period runs, or it failed and there is nothing to wait for.
    if (!link && this.#holders.size === 0) await this.#end();
  }

  async #call(name: string, tool: string, input: Readonly<Record<string, unknown>>, options: CallOptions): Promise<unknown> {
    const link = await this.#running(name, options.signal);
    try {
      return await link.call(tool, input, options);
    } catch (error) {
      // It had forgotten the session, or was gone without a word: the call didn't run.
      if (!isAppError(error, 'closed')) throw error;
      this.#lost(link);
    }
    return (await this.#running(name, options.signal)).call(tool, input, options);
  }

  async #running(name: string, signal: AbortSignal): Promise<ServerLink> {
    if (this.#holders.size === 0) throw new AppError('closed', `The MCP server ${name} isn't used by anybody any more.`);
    await abortable(this.connect(), signal);
    if (!this.#link) throw new AppError('unavailable', this.problem(name) ?? `The MCP server ${name} was ended.`);
    return this.#link;
  }

  /** The link is over by itself. */
  #lost(link: ServerLink | undefined): void {
    if (!link || link !== this.#link) return;
    void this.#stop();
    this.#change('closed');
    if (this.#holders.size === 0) void this.#end();
  }

  #end(): Promise<void> {
    this.#grace?.dispose();
    this.#grace = undefined;
    const ended = this.#stop();
    this.#change('closed');
    return ended.then(() => {
      if (this.#holders.size === 0 && !this.#link && !this.#attempt) this.#options.onGone();
    });
  }

  /** Tells what runs to end; `#ending` resolves when it has. */
  #stop(): Promise<void> {
    const attempt = this.#attempt;
    const link = this.#link;
    this.#attempt = undefined;
    this.#link = undefined;
    attempt?.stop.abort(abortError());
    this.#ending = Promise.all([this.#ending, attempt?.done, link?.close()]).then(() => undefined);
    return this.#ending;
  }

  #listed(list: ToolList, status = this.#status): void {
    this.#list = list;
    this.#adapted.clear();
    this.#change(status);
  }

  #change(status: ServerStatus, failure?: string): void {
    this.#status = status;
    this.#failure = failure;
    for (const holder of [...this.#holders]) holder.changed();
  }
}
