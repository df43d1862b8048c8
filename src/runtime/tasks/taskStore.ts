import { constants, copyFile, mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, errorText, isAppError, systemCode } from '../base/errors.ts';
import { randomId } from '../base/ids.ts';
import type { TrackedTask } from '../domain/trackedTasks.ts';
import { lockFile, type FileLock } from '../base/fileLock.ts';
import { formatTaskFile, parseTaskFile, type TaskFile } from './taskFile.ts';

/** How long to wait for others: several crashed owners' worth. */
const WAIT_MS = 30_000;
/** The same where the host ends. */
const LAST_WAIT_MS = 1_000;

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
      const before = await this.#storing(() => this.#read(lock));
      const after = change(before);
      if (after !== before) await this.#storing(() => this.#write(after, lock));
      return after;
    } finally {
      // The work under the lock is done or has failed already: a lock that can't be removed only goes stale.
      await lock.release().catch((error: unknown) => this.#report(`The lock of the task list was not released: ${errorText(error)}`));
    }
  }

  async #lock(): Promise<FileLock> {
    return this.#storing(async () => {
      await mkdir(this.#dir, { recursive: true });
      return lockFile(this.#file, () => this.#patience);
    });
  }

  async #read(lock: FileLock): Promise<readonly TrackedTask[]> {
    const file = await this.#parse();
    if (file.kind === 'damaged') await this.#setAside(file.tasks, lock);
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

  /** Not where the lock was lost meanwhile: that would undo what the new owner did. */
  async #write(tasks: readonly TrackedTask[], lock: FileLock): Promise<void> {
    await replaceFile(this.#file, formatTaskFile(tasks), async () => {
      if (!(await lock.isOurs())) throw new AppError('unavailable', 'The task list was taken over by another process. Try again.');
    });
  }

  /** Keeps what is damaged before anything is written over it. */
  async #setAside(rest: readonly TrackedTask[], lock: FileLock): Promise<void> {
    const time = new Date().toISOString().replace(/[:.]/g, '-');
    const kept = join(this.#dir, `tasks.corrupt-${time}.json`);
    if (await this.#isFolder()) await rename(this.#file, kept);
    else await copyFile(this.#file, kept, constants.COPYFILE_EXCL);
    await this.#write(rest, lock);
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
