import { join } from 'node:path';
import { AppError, errorText } from '../base/errors.ts';
import type { EventOf, RuntimeEvent } from '../domain/events.ts';
import { JsonlFile } from './jsonl.ts';
import { isStoredEvent } from './storedEvent.ts';

/** What a child changed in files, and what persons made of it. */
export type ChangeEvent = EventOf<'files.changed' | 'review.decided' | 'review.requested'>;

export interface ChangeLogOptions {
  /** Absolute path; made on first use. */
  readonly folder: string;
  /** Hears of every event that could not be written. */
  readonly report: (message: string) => void;
}

/** An id as the runtime makes them, and no path. */
const ID = /^[\w-]{1,100}$/;

/** Keeps what children change, and what is decided on it, in a file for each child, for good. The root's changes are the user's own business. */
export class ChangeLog {
  readonly #options: ChangeLogOptions;
  /** Of the children of whom something is being written, or the last could not be. */
  readonly #writing = new Map<string, { readonly file: JsonlFile<ChangeEvent>; readonly done: Promise<unknown> }>();

  constructor(options: ChangeLogOptions) {
    this.#options = options;
  }

  /** Keeps an event that belongs here; others do nothing. */
  record(event: RuntimeEvent): void {
    if (!isChangeEvent(event)) return;
    const agentId = childOf(event);
    if (agentId === undefined) return;
    const file = this.#writing.get(agentId)?.file ?? this.#file(agentId);
    const done = file.append(event).then(
      () => undefined,
      (error: unknown) => {
        this.#options.report(`Could not record a change of ${agentId}: ${errorText(error)}`);
        return error;
      },
    );
    this.#writing.set(agentId, { file, done });
    void done.then((error) => {
      if (error === undefined && this.#writing.get(agentId)?.done === done) this.#writing.delete(agentId);
    });
  }

  /** All that is kept of a child, oldest first, also what other processes wrote. Nothing for an unknown child. Rejects with the system's error. */
  async read(agentId: string): Promise<readonly ChangeEvent[]> {
    if (!ID.test(agentId)) return [];
    await this.#writing.get(agentId)?.done;
    const lines: readonly unknown[] = await this.#file(agentId).read();
    return lines.filter(isStoredEvent).filter(isChangeEvent).filter((event) => childOf(event) === agentId);
  }

  /** Resolves when all that was recorded of the child so far is written. Rejects with `unavailable` where the last of it could not be. */
  async stored(agentId: string): Promise<void> {
    const error = await this.#writing.get(agentId)?.done;
    if (error !== undefined) throw new AppError('unavailable', `It could not be kept: ${errorText(error)}`, { cause: error });
  }

  /** Resolves when all that was recorded so far is written. Never rejects: what can't be is reported. */
  async flush(): Promise<void> {
    await Promise.all([...this.#writing.values()].map(({ done }) => done));
  }

  #file(agentId: string): JsonlFile<ChangeEvent> {
    return new JsonlFile(join(this.#options.folder, `${agentId}.jsonl`));
  }
}

function isChangeEvent(event: RuntimeEvent): event is ChangeEvent {
  return event.type === 'files.changed' || event.type === 'review.decided' || event.type === 'review.requested';
}

/** The child whose log an event belongs to; nothing for the root. */
function childOf(event: ChangeEvent): string | undefined {
  if (event.type !== 'files.changed') return event.agentId;
  return event.agent.kind === 'child' ? event.agent.agentId : undefined;
}
