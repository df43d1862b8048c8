import { deferred, type Deferred } from '../../src/runtime/base/async.ts';
import { onAbort } from '../../src/runtime/base/abort.ts';
import type { Disposable } from '../../src/runtime/base/lifecycle.ts';
import type { ServerTarget } from '../../src/runtime/mcp/config.ts';
import type { CallOptions, LinkEvents, OpenLink, ServerLink, ToolList } from '../../src/runtime/mcp/link.ts';

/** A session that does what a test says. */
export class FakeLink implements ServerLink {
  readonly target: ServerTarget;
  readonly events: LinkEvents;
  readonly signal: AbortSignal;
  readonly calls: string[] = [];
  list: ToolList = listOf('look');
  /** Settles a call; by default at once, with its tool's name. */
  answer: (tool: string, options: CallOptions) => Promise<unknown> = async (tool) => ({ content: [{ type: 'text', text: tool }] });
  /** Resolves when the end may be over. */
  ending: Promise<void> = Promise.resolve();
  isClosed = false;
  readonly #opening: Deferred<ServerLink>;
  #note: Disposable | undefined;

  constructor(target: ServerTarget, events: LinkEvents, signal: AbortSignal, opening: Deferred<ServerLink>) {
    this.target = target;
    this.events = events;
    this.signal = signal;
    this.#opening = opening;
    onAbort(signal, () => this.fail(signal.reason));
  }

  /** Its process runs, and the session is open. */
  ready(pid?: number): void {
    if (pid !== undefined) this.#note = this.events.onProcess(pid);
    this.#opening.resolve(this);
  }

  /** It could not be opened, and nothing is left of it. */
  fail(error: unknown): void {
    this.isClosed = true;
    this.#opening.reject(error);
  }

  /** It ends by itself. */
  crash(): void {
    this.#note?.dispose();
    this.events.onClosed();
  }

  call(tool: string, _input: Readonly<Record<string, unknown>>, options: CallOptions): Promise<unknown> {
    this.calls.push(tool);
    return this.answer(tool, options);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.ending;
    this.#note?.dispose();
  }
}

/** Opens sessions that wait for the test. */
export class FakeLinks {
  readonly opened: FakeLink[] = [];

  readonly open: OpenLink = (target, events, signal) => {
    const opening = deferred<ServerLink>();
    this.opened.push(new FakeLink(target, events, signal, opening));
    return opening.promise;
  };

  get last(): FakeLink {
    const last = this.opened.at(-1);
    if (!last) throw new Error('Nothing was opened.');
    return last;
  }
}

/** A list of read-only tools. */
export function listOf(...names: readonly string[]): ToolList {
  return { tools: names.map((name) => ({ name, description: name, inputSchema: { type: 'object' }, isReadOnly: true })) };
}
