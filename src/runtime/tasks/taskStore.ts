import { constants, copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError, errorText, isAppError, systemCode } from '../base/errors.ts';
import type { TrackedTask } from '../domain/trackedTasks.ts';
import { formatTaskFile, parseTaskFile } from './taskFile.ts';

/** A lock that isn't renewed for this long belongs to a dead process and is taken over: the longest that a crash blocks others. */
const STALE_MS = 5_000;
/** How long to wait for others: several crashed owners' worth. */
const WAIT_MS = 30_000;
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

  /** `dir` is absolute and made when needed. `report` hears of a damaged file that was set aside. */
  constructor(dir: string, report: (message: string) => void) {
    this.#dir = dir;
    this.#file = join(dir, 'tasks.json');
    this.#report = report;
  }

  /**
   * Applies a change to what is stored now and resolves to the new list once it is on disk. What `change` throws
   * rejects unchanged and nothing is written; a file system that fails rejects with `unavailable`.
   */
  async update(change: TaskListChange): Promise<readonly TrackedTask[]> {
    const lock = await this.#lock();
    try {
      const before = await storing(() => this.#read());
      const after = change(before);
      // A machine that slept can lose its lock; writing then would undo what the new owner did.
      if (lock.lost()) throw new AppError('unavailable', 'The task list was taken over by another process. Try again.');
      if (after !== before) await storing(() => this.#write(after));
      return after;
    } finally {
      await lock.release();
    }
  }

  async #lock(): Promise<{ lost(): boolean; release(): Promise<void> }> {
    let lost = false;
    const release = await storing(async () => {
      await mkdir(this.#dir, { recursive: true });
      return acquire(this.#file, () => {
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
    const text = await readFile(this.#file, 'utf8').catch((error: unknown) => {
      if (systemCode(error) === 'ENOENT') return undefined;
      throw error;
    });
    if (text === undefined) return [];
    const file = parseTaskFile(text);
    if (file.kind === 'newer') throw new AppError('unavailable', 'The task list was written by a newer version. Update to use it.');
    if (file.kind === 'damaged') await this.#setAside(file.tasks);
    return file.tasks;
  }

  async #write(tasks: readonly TrackedTask[]): Promise<void> {
    const { default: writeFileAtomic } = await import('write-file-atomic');
    await writeFileAtomic(this.#file, formatTaskFile(tasks), { encoding: 'utf8', mode: 0o600 });
  }

  /** Keeps a copy of the damaged file before anything is written over it. */
  async #setAside(rest: readonly TrackedTask[]): Promise<void> {
    const time = new Date().toISOString().replace(/[:.]/g, '-');
    const copy = join(this.#dir, `tasks.corrupt-${time}.json`);
    await copyFile(this.#file, copy, constants.COPYFILE_EXCL);
    await this.#write(rest);
    this.#report(`The task list was damaged. ${rest.length} of its tasks could be read; the damaged file is kept as ${copy}.`);
  }
}

/** Waits for the lock with growing, random pauses; resolves to its release. Rejects with the last failure. */
async function acquire(file: string, onCompromised: () => void): Promise<() => Promise<void>> {
  const { default: lockfile } = await import('proper-lockfile');
  const deadline = Date.now() + WAIT_MS;
  for (let attempt = 1, failures = 0; ; attempt++) {
    try {
      return await lockfile.lock(file, { realpath: false, stale: STALE_MS, onCompromised });
    } catch (error) {
      const isHeld = systemCode(error) === 'ELOCKED';
      if (!isHeld) failures++;
      if (failures > OTHER_RETRIES || Date.now() > deadline) throw error;
    }
    await pause(Math.random() * Math.min(250, 10 * attempt));
  }
}

/** Turns the errors of the file system and of the lock into `unavailable`. */
async function storing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isAppError(error)) throw error;
    throw new AppError('unavailable', `The task list can't be stored: ${errorText(error)}`, { cause: error });
  }
}
