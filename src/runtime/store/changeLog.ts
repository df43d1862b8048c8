import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, errorText } from '../base/errors.ts';
import type { EventOf, RuntimeEvent } from '../domain/events.ts';
import { lockFile } from './fileLock.ts';
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

/** What is kept of a child, oldest first. */
export interface ChangeRecord {
  readonly events: readonly ChangeEvent[];
  /** How many of the events stand before the last one that is lost, since its line is damaged. Absent where none is. */
  readonly damagedAt?: number;
}

/** Milliseconds for which another process may be deciding. */
const PATIENCE = 60_000;
/** An id as the runtime makes them, and no path. */
const ID = /^[\w-]{1,100}$/;

/** Keeps what children change, and what is decided on it, in a file for each child, for good. The root's changes are the user's own business. */
export class ChangeLog {
  readonly #options: ChangeLogOptions;
  /** Of the children of whom something is being written, or the last could not be. */
  readonly #damaged = new Set<string>();
  /** Why decisions could not be written, until whoever made them asks. */
  readonly #failed = new Map<string, unknown>();
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
    const key = event.type === 'review.decided' ? keyOf(agentId, event.decision.id) : undefined;
    const done = file.append(event).then(
      () => {
        if (key !== undefined) this.#failed.delete(key);
      },
      (error: unknown) => {
        this.#options.report(`Could not record a change of ${agentId}: ${errorText(error)}`);
        if (key !== undefined) this.#failed.set(key, error);
      },
    );
    this.#writing.set(agentId, { file, done });
    void done.then(() => {
      if (this.#writing.get(agentId)?.done === done) this.#writing.delete(agentId);
    });
  }

  /** All that is kept of a child, also what other processes wrote. Nothing for an unknown child. That something of it is damaged is reported once. Rejects with the system's error. */
  async read(agentId: string): Promise<ChangeRecord> {
    if (!ID.test(agentId)) return { events: [] };
    await this.#writing.get(agentId)?.done;
    const { values, damagedAt } = await this.#file(agentId).readWhole(isStoredEvent);
    const isOwn = (event: RuntimeEvent): event is ChangeEvent => isChangeEvent(event) && childOf(event) === agentId;
    const events = values.filter(isOwn);
    if (damagedAt === undefined) return { events };
    if (!this.#damaged.has(agentId)) this.#options.report(`A part of the record of what ${agentId} changed is damaged: look at its changes yourself, then accept its result as a whole.`);
    this.#damaged.add(agentId);
    return { events, damagedAt: values.slice(0, damagedAt).filter(isOwn).length };
  }

  /** Resolves when all that was recorded of the child so far is written. Rejects with `unavailable` where one of these decisions could not be. */
  async stored(agentId: string, decisionIds: readonly string[]): Promise<void> {
    await this.#writing.get(agentId)?.done;
    const keys = decisionIds.map((id) => keyOf(agentId, id)).filter((key) => this.#failed.has(key));
    const [error] = keys.map((key) => this.#failed.get(key));
    for (const key of keys) this.#failed.delete(key);
    if (keys.length > 0) throw new AppError('unavailable', `It could not be kept: ${errorText(error)}`, { cause: error });
  }

  /** Runs what decides by what is kept of the child, and keeps its decisions, while no other process does so. Rejects as the work does, and with the system's error. */
  async alone<T>(agentId: string, work: () => Promise<T>): Promise<T> {
    const { folder } = this.#options;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const lock = await lockFile(join(folder, agentId), () => PATIENCE);
    try {
      return await work();
    } finally {
      // One that can't be removed goes stale.
      await lock.release().catch(() => undefined);
    }
  }

  /** Resolves when all that was recorded so far is written. Never rejects: what can't be is reported. */
  async flush(): Promise<void> {
    await Promise.all([...this.#writing.values()].map(({ done }) => done));
  }

  #file(agentId: string): JsonlFile<ChangeEvent> {
    return new JsonlFile(join(this.#options.folder, `${agentId}.jsonl`));
  }
}

function keyOf(agentId: string, decisionId: string): string {
  return `${agentId} ${decisionId}`;
}

function isChangeEvent(event: RuntimeEvent): event is ChangeEvent {
  return event.type === 'files.changed' || event.type === 'review.decided' || event.type === 'review.requested';
}

/** The child whose log an event belongs to; nothing for the root. */
function childOf(event: ChangeEvent): string | undefined {
  if (event.type !== 'files.changed') return event.agentId;
  return event.agent.kind === 'child' ? event.agent.agentId : undefined;
}
