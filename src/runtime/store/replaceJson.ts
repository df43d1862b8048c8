import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Replaces a small file of ours with the value as JSON, in one step; makes its folder. Rejects with the system's error, and then the old one stands. */
export async function replaceJson(path: string, value: unknown): Promise<void> {
  const { default: writeFileAtomic } = await import('write-file-atomic');
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // Without waiting for the disk: what a power cut takes away is rebuilt or only says that somebody lived.
  await writeFileAtomic(path, JSON.stringify(value), { encoding: 'utf8', mode: 0o600, fsync: false });
}
