import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import lockfile from 'proper-lockfile';
import { cacheDir } from './paths.ts';

/** Runs `work` while no other process of this project holds the lock of that name. */
export async function withLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  await mkdir(cacheDir, { recursive: true });
  // Each lock has a subject of its own: the library takes two locks of one file for the same.
  const release = await lockfile.lock(join(cacheDir, name), {
    realpath: false,
    stale: 20_000,
    update: 2_000,
    retries: { forever: true, minTimeout: 100, maxTimeout: 500, factor: 1.5 },
  });
  try {
    return await work();
  } finally {
    await release();
  }
}
