import { open } from 'node:fs/promises';
import { systemCode } from '../base/errors.ts';
import type { RuntimeEvent } from '../domain/events.ts';
import { parseJsonl } from './jsonl.ts';
import { isStoredEvent } from './storedEvent.ts';

const NEWLINE = 0x0a;

/** Reads the log of a group bit by bit, as it grows under the hands of whoever writes it. */
export class GroupTail {
  readonly path: string;
  #offset = 0;
  #damaged = 0;

  /** @param path absolute */
  constructor(path: string) {
    this.path = path;
  }

  /** Lines so far that were no events: torn by a crash, or damaged otherwise. They are left out. */
  get damaged(): number {
    return this.#damaged;
  }

  /**
   * The events that came since the last reading. A last line that isn't whole is left for the next one: somebody is
   * writing it, or a crash has torn it. No file is an empty one; rejects with the system's error.
   */
  async read(): Promise<readonly RuntimeEvent[]> {
    const fresh = await this.#bytes();
    const end = fresh.lastIndexOf(NEWLINE) + 1;
    const last = eventsOf(fresh.subarray(end).toString('utf8'));
    this.#offset += last.length > 0 ? fresh.length : end;
    const lines = fresh.subarray(0, end).toString('utf8').split('\n').filter((line) => line !== '');
    const events = lines.map((line) => eventsOf(line));
    this.#damaged += events.filter(({ length }) => length === 0).length;
    return [...events.flat(), ...last];
  }

  async #bytes(): Promise<Buffer> {
    try {
      const file = await open(this.path, 'r');
      try {
        const { size } = await file.stat();
        if (size <= this.#offset) return Buffer.alloc(0);
        const { buffer, bytesRead } = await file.read(Buffer.alloc(size - this.#offset), 0, size - this.#offset, this.#offset);
        return buffer.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return Buffer.alloc(0);
      throw error;
    }
  }
}

/** The event of a line; none where it isn't one. */
function eventsOf(line: string): readonly RuntimeEvent[] {
  return parseJsonl<unknown>(line).filter(isStoredEvent);
}
