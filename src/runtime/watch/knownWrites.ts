import type { Checkpoints, FilePort } from '../domain/ports.ts';
import type { FileState } from '../domain/tools.ts';

/** A write that has ended. */
export interface KnownWrite {
  readonly path: string;
  readonly after: FileState;
}

/** What is written to files while commands run, by others than them. */
export class KnownWrites {
  readonly #checkpoints: Checkpoints;
  readonly #isWatched: (path: string) => boolean;
  readonly #latest = new Map<string, KnownWrite>();
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
      write: (path, bytes, options) => this.#note(path, files.write(path, bytes, options), (written) => written.bytes),
      remove: (path, options) => this.#note(path, files.remove(path, options), () => undefined),
    };
  }

  /** Resolves when all that is being written now is noted. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#underWay]);
  }

  /** The latest write of each of these files. */
  where(isMeant: (path: string) => boolean): ReadonlyMap<string, KnownWrite> {
    return new Map([...this.#latest].filter(([path]) => isMeant(path)));
  }

  /** Forgets these, where no later one of the same file has come. */
  forget(writes: Iterable<KnownWrite>): void {
    for (const write of writes) if (this.#latest.get(write.path) === write) this.#latest.delete(write.path);
  }

  async #note<T>(path: string, writing: Promise<T>, contentAfter: (result: T) => Uint8Array | undefined): Promise<T> {
    const noted = writing.then(async (result) => {
      if (this.#isWatched(path)) this.#latest.set(path, { path, after: await this.#checkpoints.keep(contentAfter(result)) });
    });
    this.#underWay.add(noted);
    try {
      // Its own failure is its caller's.
      await noted;
    } finally {
      this.#underWay.delete(noted);
    }
    return writing;
  }
}
