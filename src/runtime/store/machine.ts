import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';

/**
 * Names the place in which a process id means something: the machine since it was started and, in containers, their
 * own table of processes.
 */
export async function machineName(): Promise<string> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  const table = await readlink('/proc/self/ns/pid').catch(() => '');
  return [hostname(), boot.trim(), table].filter((part) => part !== '').join(' ');
}
