import { setTimeout as pause } from 'node:timers/promises';
import { throwIfAborted } from './base/abort.ts';
import type { ChildView } from './domain/agents.ts';
import type { ChildArchive } from './review/subjects.ts';

/** Milliseconds between two looks at whether another window is done. */
const POLL = 50;

export interface WorktreeHoldsParts {
  /** See `GroupStorage.claim`. */
  readonly claim: (subject: string) => Promise<(() => Promise<void>) | undefined>;
  /** Takes in what other windows did. Never rejects. */
  readonly refresh: () => Promise<void>;
  readonly archive: ChildArchive;
}

/**
 * Sees to it that only one of all windows works with the worktree of a child: one for as long as the child runs in it,
 * or one that looks whether it can go. Within a window its owner takes them in turn.
 */
export class WorktreeHolds {
  readonly #parts: WorktreeHoldsParts;
  /** What gives up those of the children that run here. */
  readonly #running = new Map<string, () => Promise<void>>();

  constructor(parts: WorktreeHoldsParts) {
    this.#parts = parts;
  }

  /** Takes it for a run, until `leave`. Another window has it only for a look, since it is here that the child runs. Rejects with the abort error, and with the system's. */
  async enter(agentId: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      const release = await this.#claim(agentId);
      if (release) {
        this.#running.set(agentId, release);
        return;
      }
      throwIfAborted(signal);
      await pause(POLL);
    }
  }

  /** The run is over. Idempotent; never rejects. */
  async leave(agentId: string): Promise<void> {
    const release = this.#running.get(agentId);
    this.#running.delete(agentId);
    await release?.();
  }

  /**
   * Does the work once nobody else has it, with the child as it is by then in all windows. `mayGo` is asked before
   * and may throw; where it says no, nothing is done, and nothing waited for. Rejects as both do, and with the system's error.
   */
  async whileFree<T>(agentId: string, mayGo: (child: ChildView | undefined) => child is ChildView, work: (child: ChildView) => Promise<T>): Promise<T | undefined> {
    for (;;) {
      const release = this.#running.has(agentId) ? undefined : await this.#claim(agentId);
      try {
        await this.#parts.refresh();
        const child = this.#parts.archive.child(agentId);
        if (!mayGo(child)) return undefined;
        if (release) return await work(child);
      } finally {
        await release?.();
      }
      await pause(POLL);
    }
  }

  /** The same, but not where somebody else has it. */
  async ifFree<T>(agentId: string, work: () => Promise<T>): Promise<T | undefined> {
    const release = this.#running.has(agentId) ? undefined : await this.#claim(agentId);
    try {
      return release && (await work());
    } finally {
      await release?.();
    }
  }

  #claim(agentId: string): Promise<(() => Promise<void>) | undefined> {
    return this.#parts.claim(`${agentId}.worktree`);
  }
}
