import { Client, SseError, type Progress } from '@modelcontextprotocol/client';
import { abortable } from '../base/abort.ts';
import { AppError, errorText } from '../base/errors.ts';
import { oneLine, truncate } from '../base/text.ts';
import type { Channel } from './channel.ts';
import { callFailure, statusOf } from './failures.ts';
import type { CallOptions, LinkEvents, ServerLink, ToolList } from './link.ts';
import { fieldsOf, MAX_TOOLS, readToolList } from './toolList.ts';

/** The run's own clock decides how long a call may take; the library can't be told that there is no limit. */
const NO_LIMIT = 2 ** 31 - 1;
const MAX_PAGES = 100;
/** Times that a list is read anew because it changed while it was read. */
const MAX_READS = 5;
/** Milliseconds for the answer to a question whether the session is still known. */
const PROBE_LIMIT = 5_000;
/** Characters of a line of progress. */
const MAX_PROGRESS = 500;

/** Takes whatever a server sends: a single tool that the protocol doesn't allow must not cost all others. */
const ANYTHING = { '~standard': { version: 1, vendor: 'subagent-panel', validate: (value: unknown) => ({ value }) } } as const;

export interface ClientLinkOptions {
  readonly channel: Channel;
  readonly events: Pick<LinkEvents, 'onList' | 'onClosed'>;
  readonly mask: (text: string) => string;
}

/** A session by the official client. It offers nothing to the server, which is refused whatever it asks for. */
export class ClientLink implements ServerLink {
  readonly #options: ClientLinkOptions;
  readonly #client = new Client({ name: 'subagent-panel', version: '1.0.0' }, { capabilities: {} });
  #list: ToolList = { tools: [] };
  #state: 'opening' | 'open' | 'over' = 'opening';
  /** The list has changed since it was last asked for. */
  #isStale = false;
  #reading: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: ClientLinkOptions) {
    this.#options = options;
    this.#client.onclose = () => this.#over();
    // Everything that matters also fails a request, or closes; but for a stream that all answers would have come by.
    this.#client.onerror = (error) => {
      if (error instanceof SseError && this.#state === 'open') void this.close().then(options.events.onClosed);
    };
    this.#client.setNotificationHandler('notifications/tools/list_changed', () => this.#refresh());
  }

  get list(): ToolList {
    return this.#list;
  }

  /** Rejects with the library's errors, or `aborted`. `close` must follow. */
  async open(signal: AbortSignal): Promise<void> {
    await abortable(this.#client.connect(this.#options.channel.transport, { signal, timeout: NO_LIMIT }), signal);
    if (this.#client.getServerCapabilities()?.tools) this.#list = await abortable(this.#readList(signal), signal);
    this.#state = 'open';
    // Told in the very moment in which the list had been read.
    if (this.#isStale) this.#refresh();
  }

  async call(tool: string, input: Readonly<Record<string, unknown>>, { signal, onProgress }: CallOptions): Promise<unknown> {
    if (this.#state !== 'open') throw new AppError('closed', 'The server has ended.');
    try {
      const params = { name: tool, arguments: { ...input } };
      return await this.#client.request({ method: 'tools/call', params }, ANYTHING, { signal, timeout: NO_LIMIT, onprogress: (progress) => onProgress(progressLine(progress)) });
    } catch (error) {
      if (statusOf(error) === 400 && !signal.aborted && (await this.#isForgotten(signal))) throw new AppError('closed', 'The server doesn\'t know this session any more.', { cause: error });
      throw callFailure(error, signal, this.#options.mask);
    }
  }

  /** Some servers say 400, as to a call that they don't like, where the protocol has 404: then they refuse anything. */
  async #isForgotten(signal: AbortSignal): Promise<boolean> {
    try {
      await this.#client.request({ method: 'ping' }, ANYTHING, { signal, timeout: PROBE_LIMIT });
      return false;
    } catch (error) {
      const status = statusOf(error);
      // Another call may have found out meanwhile, and closed it.
      return status === 400 || status === 404 || this.#state !== 'open';
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { channel } = this.#options;
    this.#state = 'over';
    await channel.leave();
    // Both: a client that never connected has no transport that it would close.
    await this.#client.close();
    await channel.transport.close();
  }

  #over(): void {
    const wasOpen = this.#state === 'open';
    this.#state = 'over';
    if (wasOpen) this.#options.events.onClosed();
  }

  /** Reads the list anew, once more for all that is told meanwhile. What can't be read leaves the earlier list, and says so. */
  #refresh(): void {
    this.#isStale = true;
    if (this.#state !== 'open') return;
    this.#reading ??= this.#readList()
      .catch((error: unknown): ToolList => ({ tools: this.#list.tools, problem: `They have changed, and the new list could not be read (${this.#options.mask(oneLine(errorText(error)))}).` }))
      .then((list) => {
        this.#reading = undefined;
        if (this.#state !== 'open') return;
        this.#list = list;
        this.#options.events.onList(list);
        if (this.#isStale) this.#refresh();
      });
  }

  /** A list that changes all the time is taken as it was at last; whoever reads it looks again. */
  async #readList(signal?: AbortSignal): Promise<ToolList> {
    let list: ToolList = { tools: [] };
    for (let reads = 0; reads === 0 || (this.#isStale && reads < MAX_READS); reads += 1) {
      this.#isStale = false;
      list = await this.#readPages(signal);
    }
    return list;
  }

  async #readPages(signal: AbortSignal | undefined): Promise<ToolList> {
    const items: unknown[] = [];
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const page = fieldsOf(await this.#client.request({ method: 'tools/list', ...(cursor !== undefined && { params: { cursor } }) }, ANYTHING, { ...(signal && { signal }), timeout: NO_LIMIT }));
      const { tools, nextCursor } = page;
      if (Array.isArray(tools)) for (const tool of tools.slice(0, MAX_TOOLS + 1)) items.push(tool);
      cursor = typeof nextCursor === 'string' && nextCursor !== '' ? nextCursor : undefined;
      // A server that sends the same page for ever, or never comes to an end.
      if (cursor !== undefined && (seen.has(cursor) || seen.size >= MAX_PAGES || items.length > MAX_TOOLS)) return readToolList(items, false);
      if (cursor !== undefined) seen.add(cursor);
    } while (cursor !== undefined);
    return readToolList(items);
  }
}

function progressLine({ progress, total, message }: Progress): string {
  const done = total === undefined ? String(progress) : `${progress} of ${total}`;
  return `${truncate(oneLine(message === undefined ? done : `${message} (${done})`), MAX_PROGRESS)}\n`;
}
