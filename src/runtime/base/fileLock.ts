import fs from 'node:fs';
import { rmdir, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { systemCode } from './errors.ts';

/** A lock that isn't renewed for this long belongs to a dead process and is taken over: the longest that a crash blocks others. */
const STALE_MS = 5_000;
/** How often a failure that isn't another owner is tried again: Windows refuses a folder that is just being removed. */
const OTHER_RETRIES = 5;

/** A lock that this process took. */
export interface FileLock {
  /** False where others have it by now, or may take it at any moment: this process stood still, as while the computer sleeps. Rejects with the system's error. */
  isOurs(): Promise<boolean>;
  /** Rejects where it can't be removed; it then goes stale. One that others have is left to them. */
  release(): Promise<void>;
}

/** The times that this process last gave the locks it has: as a lock says it, and as it may say it while it is being renewed. By path. */
const renewed = new Map<string, readonly number[]>();

const RENEWING = {
  ...fs,
  utimes(path: string, accessed: Date, modified: Date, done: (error: NodeJS.ErrnoException | null) => void) {
    renewed.set(path, [...(renewed.get(path) ?? []), modified.getTime()].slice(-2));
    fs.utimes(path, accessed, modified, done);
  },
};

/**
 * Takes the lock of a file, waiting for others with growing, random pauses. Rejects with the last failure.
 * @param file absolute
 * @param patience milliseconds, as they are meanwhile
 */
export async function lockFile(file: string, patience: () => number): Promise<FileLock> {
  const { default: lockfile } = await import('proper-lockfile');
  const path = resolve(`${file}.lock`);
  const began = performance.now();
  for (let attempt = 1, failures = 0; ; attempt++) {
    const tried = Date.now();
    let isLost = false;
    try {
      const release = await lockfile.lock(file, { fs: RENEWING, realpath: false, stale: STALE_MS, onCompromised: () => (isLost = true) });
      const { ino, mtime } = await stat(path);
      renewed.set(path, [mtime.getTime()]);
      // Only so soon nobody can have found it stale, so that it is this process's own that was looked at.
      const isSure = Date.now() - tried < STALE_MS;
      return {
        isOurs: async () => isSure && !isLost && (await look(path, ino)) === 'fresh',
        release: async () => {
          if (!isLost && (await look(path, ino)) !== 'others') await release();
        },
      };
    } catch (error) {
      const isHeld = systemCode(error) === 'ELOCKED';
      if (!isHeld) failures++;
      if (failures > OTHER_RETRIES || performance.now() - began > patience()) throw error;
      if (isHeld) await removeFuture(path);
    }
    await pause(Math.random() * Math.min(250, 10 * attempt));
  }
}

/** Whether the lock is the one that this process took, saying what it was last told; `stale` where others may take it. */
async function look(path: string, ino: number): Promise<'fresh' | 'stale' | 'others'> {
  const now = await stat(path).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  const time = now?.mtime.getTime() ?? 0;
  if (now?.ino !== ino || renewed.get(path)?.includes(time) !== true) return 'others';
  return Date.now() - time < STALE_MS ? 'fresh' : 'stale';
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
