import { constants, copyFile, mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, errorText, isAppError, systemCode } from '../base/errors.ts';
import { randomId } from '../base/ids.ts';
import { lockFile, type FileLock } from './fileLock.ts';

/** How long to wait for others: several crashed owners' worth. */
const WAIT_MS = 30_000;
/** The same where the host ends. */
const LAST_WAIT_MS = 1_000;

/** What a file holds. `damaged`: some or all of it isn't readable; `items` is the rest. `newer`: another version's, not to be touched. */
export type ListFile<T> =
  | { readonly kind: 'read'; readonly items: readonly T[] }
  | { readonly kind: 'damaged'; readonly items: readonly T[] }
  | { readonly kind: 'newer' };

/** What a change makes of the items; the same array means that there is nothing to write. */
export type ListChange<T> = (items: readonly T[]) => readonly T[];

export interface SharedListOptions<T> {
  /** Absolute path of its folder, which is made when needed. */
  readonly dir: string;
  /** Of the file, without `.json`. */
  readonly name: string;
  /** What people call it and what is in it, such as `task list` and `tasks`. */
  readonly words: { readonly list: string; readonly items: string };
  /** Reads the text of the file. Never throws. */
  readonly parse: (text: string) => ListFile<T>;
  readonly format: (items: readonly T[]) => string;
  /** Hears of a damaged file that was set aside. */
  readonly report: (message: string) => void;
}

/**
 * A list in `<dir>/<name>.json`, shared by any number of processes: every change reads, changes and writes under one
 * lock, and replaces the file in one step.
 */
export class SharedList<T> {
  readonly #options: SharedListOptions<T>;
  readonly #file: string;
  #patience = WAIT_MS;

  constructor(options: SharedListOptions<T>) {
    this.#options = options;
    this.#file = join(options.dir, `${options.name}.json`);
  }

  /** From now on others are waited for about a second, and not at all any more once that was in vain. */
  hurry(): void {
    this.#patience = Math.min(this.#patience, LAST_WAIT_MS);
  }

  /**
   * Resolves to what is stored now, waiting for nobody: the file is replaced in one step. Only a damaged one is mended
   * first. Rejects with `unavailable` where it can't be read.
   */
  async read(): Promise<readonly T[]> {
    const file = await this.#storing(() => this.#parse());
    return file.kind === 'damaged' ? this.update((items) => items) : file.items;
  }

  /**
   * Applies a change to what is stored now and resolves to the new list once it is on disk. What `change` throws
   * rejects unchanged and nothing is written; a file system that fails rejects with `unavailable`.
   */
  async update(change: ListChange<T>): Promise<readonly T[]> {
    const lock = await this.#lock();
    try {
      const before = await this.#storing(() => this.#read(lock));
      const after = change(before);
      if (after !== before) await this.#storing(() => this.#write(after, lock));
      return after;
    } finally {
      // The work under the lock is done or has failed already: a lock that can't be removed only goes stale.
      await lock.release().catch((error: unknown) => this.#options.report(`The lock of the ${this.#options.words.list} was not released: ${errorText(error)}`));
    }
  }

  async #lock(): Promise<FileLock> {
    return this.#storing(async () => {
      await mkdir(this.#options.dir, { recursive: true });
      return lockFile(this.#file, () => this.#patience);
    });
  }

  async #read(lock: FileLock): Promise<readonly T[]> {
    const file = await this.#parse();
    if (file.kind === 'damaged') await this.#setAside(file.items, lock);
    return file.items;
  }

  async #parse(): Promise<Exclude<ListFile<T>, { readonly kind: 'newer' }>> {
    if (await this.#isFolder()) return { kind: 'damaged', items: [] };
    const text = await readFile(this.#file, 'utf8').catch((error: unknown) => {
      if (systemCode(error) === 'ENOENT') return undefined;
      throw error;
    });
    if (text === undefined) return { kind: 'read', items: [] };
    const file = this.#options.parse(text);
    if (file.kind === 'newer') throw new AppError('unavailable', `The ${this.#options.words.list} was written by a newer version. Update to use it, or move ${this.#file} away to begin a new one.`);
    return file;
  }

  async #isFolder(): Promise<boolean> {
    return stat(this.#file).then((found) => found.isDirectory(), () => false);
  }

  /** Not where the lock was lost meanwhile: that would undo what the new owner did. */
  async #write(items: readonly T[], lock: FileLock): Promise<void> {
    await replaceFile(this.#file, this.#options.format(items), async () => {
      if (!(await lock.isOurs())) throw new AppError('unavailable', `The ${this.#options.words.list} was taken over by another process. Try again.`);
    });
  }

  /** Keeps what is damaged before anything is written over it. */
  async #setAside(rest: readonly T[], lock: FileLock): Promise<void> {
    const { dir, name, words, report } = this.#options;
    const time = new Date().toISOString().replace(/[:.]/g, '-');
    const kept = join(dir, `${name}.corrupt-${time}.json`);
    if (await this.#isFolder()) await rename(this.#file, kept);
    else await copyFile(this.#file, kept, constants.COPYFILE_EXCL);
    await this.#write(rest, lock);
    report(`The ${words.list} was damaged. ${rest.length} of its ${words.items} could be read; what was damaged is kept as ${kept}.`);
  }

  /** Turns the errors of the file system and of the lock into `unavailable`. */
  async #storing<R>(work: () => Promise<R>): Promise<R> {
    try {
      return await work();
    } catch (error) {
      if (isAppError(error)) throw error;
      // Who ends waits once, and not once more for each change that comes after.
      if (systemCode(error) === 'ELOCKED' && this.#patience < WAIT_MS) this.#patience = 0;
      throw new AppError('unavailable', `The ${this.#options.words.list} can't be read or stored (${errorText(error)}). Check ${this.#file}.`, { cause: error });
    }
  }
}

/** Writes a file as a whole: a new one takes its name. `lastLook` throws to keep it from that. Rejects with what that throws, or the system's error; then the old one stands. */
async function replaceFile(path: string, text: string, lastLook: () => Promise<void>): Promise<void> {
  // A link stays one.
  const real = await realpath(path).catch(() => path);
  const temporary = `${real}.${randomId()}.tmp`;
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await lastLook();
    await rename(temporary, real);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}
