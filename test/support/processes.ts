import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { systemCode } from '../../src/runtime/base/errors.ts';

/** Command lines of this machine's processes that contain the text. */
export function processesWith(text: string): string[] {
  const lines = execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line.includes(text));
}

/** Command lines of this machine's processes that work in the folder or name it. Zombies, which only wait to be collected, don't count. */
export function processesIn(folder: string): string[] {
  if (process.platform !== 'linux') return processesWith(folder);
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((pid) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return command.includes(folder) || readlinkSync(`/proc/${pid}/cwd`).startsWith(folder) ? [command] : [];
    } catch {
      // It has ended meanwhile, or is another user's.
      return [];
    }
  });
}

/** False also for a zombie, which only waits to be collected by whoever is its parent now. */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (systemCode(error) === 'ESRCH') return false;
    throw error;
  }
  const line = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined);
  return line === undefined ? process.platform !== 'linux' : !/^[ZX]/.test(line.slice(line.lastIndexOf(') ') + 2));
}
