import { realpath } from 'node:fs/promises';
import type { Checkpoints, FilePort, SavedFile, WriteOptions } from '../domain/ports.ts';
import type { FileState } from '../domain/tools.ts';
import { stateAt } from '../git/present.ts';

/** A write that has ended. */
export interface KnownWrite {
  readonly path: string;
  readonly by: 'tool' | 'user';
  /** What stood there at the moment of writing. */
  readonly before: FileState;
  readonly after: FileState;
}

const UNKNOWN: FileState = { kind: 'unknown', why: 'It was not looked at before it was written.' };

/** What is written to files while commands run, by others than them. */
export class KnownWrites {
  readonly #checkpoints: Checkpoints;
  readonly #isWatched: (path: string) => boolean;
  readonly #writes = new Map<string, readonly KnownWrite[]>();
  readonly #underWay = new Set<Promise<unknown>>();

  /** @param isWatched whether a call is under way that could have changed the file */
  constructor(checkpoints: Checkpoints, isWatched: (path: string) => boolean) {
    this.#checkpoints = checkpoints;
    this.#isWatched = isWatched;
  }

  /** The same files, with a note of everything that is written to them through the result. */
  observe(files: FilePort): FilePort {
    return {
      stat: (path) => files.stat(path),
      read: (path) => files.read(path),
      write: (path, bytes, options) => this.#observed({ path, ...options }, files.write(path, bytes, options), (written) => written.bytes),
      remove: (path, options) => this.#observed({ path, ...options }, files.remove(path, options), () => undefined),
    };
  }

  /** Notes that the user has saved a file just now. */
  saved(file: SavedFile): void {
    void this.#during(this.#noteSave(file));
  }

  /** Resolves when all that is being written now is noted. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#underWay]);
  }

  /** The writes of each of these files, in their order. */
  where(isMeant: (path: string) => boolean): ReadonlyMap<string, readonly KnownWrite[]> {
    return new Map([...this.#writes].filter(([path]) => isMeant(path)));
  }

  /** Forgets these, and no later ones. */
  forget(writes: ReadonlyMap<string, readonly KnownWrite[]>): void {
    for (const [path, old] of writes) {
      const later = (this.#writes.get(path) ?? []).filter((write) => !old.includes(write));
      if (later.length > 0) this.#writes.set(path, later);
      else this.#writes.delete(path);
    }
  }

  async #observed<T>({ path, expected }: WriteOptions & { readonly path: string }, writing: Promise<T>, contentAfter: (result: T) => Uint8Array | undefined): Promise<T> {
    const noting = writing.then(async (result) => {
      if (!this.#isWatched(path)) return;
      const [before, after] = await Promise.all([expected ? this.#checkpoints.keep(expected.bytes) : UNKNOWN, this.#checkpoints.keep(contentAfter(result))]);
      this.#note({ path, by: 'tool', before, after });
    });
    // Its own failure is its caller's.
    await this.#during(noting);
    return writing;
  }

  async #noteSave({ path: shown, bytes }: SavedFile): Promise<void> {
    const path = await realpath(shown).catch(() => shown);
    if (this.#isWatched(path)) this.#note({ path, by: 'user', before: UNKNOWN, after: bytes ? await this.#checkpoints.keep(bytes) : await stateAt(path, this.#checkpoints) });
  }

  #note(write: KnownWrite): void {
    this.#writes.set(write.path, [...(this.#writes.get(write.path) ?? []), write]);
  }

  async #during(noting: Promise<void>): Promise<void> {
    this.#underWay.add(noting);
    try {
      await noting;
    } finally {
      this.#underWay.delete(noting);
    }
  }
}
