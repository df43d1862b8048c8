import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { systemCode } from '../base/errors.ts';

/** Milliseconds from the polite signal to the final one. */
const KILL_AFTER = 2000;
/** Milliseconds until a process that even the final signal doesn't end (a hung disk) is given up. */
const GIVE_UP_AFTER = 2000;
const FIRST_POLL = 5;
const LAST_POLL = 100;

/**
 * Ends the processes of a session: SIGTERM, SIGKILL after two seconds; resolves when they are gone.
 * @param leader pid of the session's leader. On Linux every process of its session counts, elsewhere those of its group.
 * @param spared pids that are left alone by SIGKILL and not waited for.
 * @param gentle false: SIGKILL at once.
 */
export async function endSession(leader: number, spared: ReadonlySet<number>, gentle = true): Promise<void> {
  const others = async (): Promise<number[]> => (await sessionMembers(leader)).filter((pid) => !spared.has(pid));
  if (gentle) {
    for (const pid of await others()) signal(pid, 'SIGTERM');
    if (await gone(others, KILL_AFTER, () => undefined)) return;
  }
  await gone(others, GIVE_UP_AFTER, (pid) => signal(pid, 'SIGKILL'));
}

/** Sends a signal to a process, or to a group by its negative number. One that is gone already is what was wanted. */
export function signal(pid: number, name: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (systemCode(error) !== 'ESRCH' && systemCode(error) !== 'EPERM') throw error;
  }
}

/** Waits until none is left, calling back for each that is; false when that took longer than allowed. */
async function gone(members: () => Promise<number[]>, within: number, act: (pid: number) => void): Promise<boolean> {
  const deadline = performance.now() + within;
  for (let pause = FIRST_POLL; ; pause = Math.min(pause * 2, LAST_POLL)) {
    const left = await members();
    if (left.length === 0) return true;
    if (performance.now() > deadline) return false;
    left.forEach(act);
    await delay(pause);
  }
}

/** Living processes of the session; zombies, which only wait to be collected, don't count. */
async function sessionMembers(leader: number): Promise<number[]> {
  const names = process.platform === 'linux' ? await readdir('/proc').catch(() => undefined) : undefined;
  if (!names) return groupMembers(leader);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const inSession = await Promise.all(pids.map((pid) => isInSession(pid, leader)));
  return pids.filter((_, index) => inSession[index]);
}

async function isInSession(pid: number, leader: number): Promise<boolean> {
  const line = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  // The name before it may hold anything, also spaces and parentheses.
  const [state, , , session] = line.slice(line.lastIndexOf(') ') + 2).split(' ');
  return session === String(leader) && state !== 'Z' && state !== 'X';
}

async function groupMembers(group: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)('/bin/ps', ['-A', '-o', 'pid=,pgid=,stat='], { env: {} }).catch(() => ({ stdout: '' }));
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .flatMap(([pid, pgid, state]) => (pgid === String(group) && state?.startsWith('Z') === false ? [Number(pid)] : []));
}
