import { constants, copyFile, mkdir, readFile, rename, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError, errorText, isAppError, systemCode } from '../base/errors.ts';
import type { TrackedTask } from '../domain/trackedTasks.ts';
import { formatTaskFile, parseTaskFile, type TaskFile } from './taskFile.ts';

/** A lock that isn't renewed for this long belongs to a dead process and is taken over: the longest that a crash blocks others. */
const STALE_MS = 5_000;
/** How long to wait for others: several crashed owners' worth. */
const WAIT_MS = 30_000;
/** The same where the host ends. */
const LAST_WAIT_MS = 1_000;
/** How often a failure that isn't another owner is tried again: Windows refuses a folder that is just being removed. */
const OTHER_RETRIES = 5;

/** What a change makes of the tasks; the same array means that there is nothing to write. */
export type TaskListChange = (tasks: readonly TrackedTask[]) => readonly TrackedTask[];

/**
 * A task list in `<dir>/tasks.json`, shared by any number of processes: every change reads, changes and writes under
 * one lock, and replaces the file in one step.
 */
export class TaskStore {
  readonly #dir: string;
  readonly #file: string;
  readonly #report: (message: string) => void;
  #patience = WAIT_MS;

  /** `dir` is absolute and made when needed. `report` hears of a damaged file that was set aside. */
  constructor(dir: string, report: (message: string) => void) {
    this.#dir = dir;
    this.#file = join(dir, 'tasks.json');
    this.#report = report;
  }

  /** From now on others are waited for about a second, and not at all any more once that was in vain. */
  hurry(): void {
    this.#patience = Math.min(this.#patience, LAST_WAIT_MS);
  }

  /**
   * Resolves to what is stored now, waiting for nobody: the file is replaced in one step. Only a damaged one is mended
   * first. Rejects with `unavailable` where it can't be read.
   */
  async read(): Promise<readonly TrackedTask[]> {
    const file = await this.#storing(() => this.#parse());
    return file.kind === 'damaged' ? this.update((tasks) => tasks) : file.tasks;
  }

  /**
   * Applies a change to what is stored now and resolves to the new list once it is on disk. What `change` throws
   * rejects unchanged and nothing is written; a file system that fails rejects with `unavailable`.
   */
  async update(change: TaskListChange): Promise<readonly TrackedTask[]> {
    const lock = await this.#lock();
    try {
      const before = await this.#storing(() => this.#read());
      const after = change(before);
      // A machine that slept can lose its lock; writing then would undo what the new owner did.
      if (lock.lost()) throw new AppError('unavailable', 'The task list was taken over by another process. Try again.');
      if (after !== before) await this.#storing(() => this.#write(after));
      return after;
    } finally {
      await lock.release();
    }
  }

  async #lock(): Promise<{ lost(): boolean; release(): Promise<void> }> {
    let lost = false;
    const release = await this.#storing(async () => {
      await mkdir(this.#dir, { recursive: true });
      return acquire(this.#file, () => this.#patience, () => {
        lost = true;
      });
    });
    return {
      lost: () => lost,
      release: async () => {
        if (lost) return;
        // The work under the lock is done or has failed already: a lock that can't be removed only goes stale.
        await release().catch((error: unknown) => this.#report(`The lock of the task list was not released: ${errorText(error)}`));
      },
    };
  }

  async #read(): Promise<readonly TrackedTask[]> {
    const file = await this.#parse();
    if (file.kind === 'damaged') await this.#setAside(file.tasks);
    return file.tasks;
  }

  async #parse(): Promise<Exclude<TaskFile, { readonly kind: 'newer' }>> {
    if (await this.#isFolder()) return { kind: 'damaged', tasks: [] };
    const text = await readFile(this.#file, 'utf8').catch((error: unknown) => {
      if (systemCode(error) === 'ENOENT') return undefined;
      throw error;
    });
    if (text === undefined) return { kind: 'read', tasks: [] };
    const file = parseTaskFile(text);
    if (file.kind === 'newer') throw new AppError('unavailable', `The task list was written by a newer version. Update to use it, or move ${this.#file} away to begin a new one.`);
    return file;
  }

  async #isFolder(): Promise<boolean> {
    return stat(this.#file).then((found) => found.isDirectory(), () => false);
  }

  async #write(tasks: readonly TrackedTask[]): Promise<void> {
    const { default: writeFileAtomic } = await import('write-file-atomic');
    await writeFileAtomic(this.#file, formatTaskFile(tasks), { encoding: 'utf8', mode: 0o600 });
  }

  /** Keeps what is damaged before anything is written over it. */
  async #setAside(rest: readonly TrackedTask[]): Promise<void> {
    const time = new Date().toISOString().replace(/[:.]/g, '-');
    const kept = join(this.#dir, `tasks.corrupt-${time}.json`);
    if (await this.#isFolder()) await rename(this.#file, kept);
    else await copyFile(this.#file, kept, constants.COPYFILE_EXCL);
    await this.#write(rest);
    this.#report(`The task list was damaged. ${rest.length} of its tasks could be read; what was damaged is kept as ${kept}.`);
  }

  /** Turns the errors of the file system and of the lock into `unavailable`. */
  async #storing<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (isAppError(error)) throw error;
      // Who ends waits once, and not once more for each change that comes after.
      if (systemCode(error) === 'ELOCKED' && this.#patience < WAIT_MS) this.#patience = 0;
      throw new AppError('unavailable', `The task list can't be read or stored (${errorText(error)}). Check ${this.#file}.`, { cause: error });
    }
  }
}

/** Waits for the lock with growing, random pauses; resolves to its release. Rejects with the last failure. `patience`: milliseconds, as they are meanwhile. */
async function acquire(file: string, patience: () => number, onCompromised: () => void): Promise<() => Promise<void>> {
  const { default: lockfile } = await import('proper-lockfile');
  const began = performance.now();
  for (let attempt = 1, failures = 0; ; attempt++) {
    try {
      return await lockfile.lock(file, { realpath: false, stale: STALE_MS, onCompromised });
    } catch (error) {
      const isHeld = systemCode(error) === 'ELOCKED';
      if (!isHeld) failures++;
      if (failures > OTHER_RETRIES || performance.now() - began > patience()) throw error;
      if (isHeld) await removeFuture(`${file}.lock`);
    }
    await pause(Math.random() * Math.min(250, 10 * attempt));
  }
}

/** Removes a lock that only gets stale some time in the future: it is from before the computer's clock was set back. A living owner renews it with the present time. */
async function removeFuture(lock: string): Promise<void> {
  try {
    const { mtimeMs } = await stat(lock);
    if (mtimeMs > Date.now() + STALE_MS) await rmdir(lock);
  } catch (error) {
    // Gone is what was wanted.
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}
