import { spawnSync, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { waitFor } from './wait.ts';

const windows = process.platform === 'win32';
const politeMs = 5_000;

/** Ends a child that leads its own process group, with all its children: asks first, forces after five seconds, and returns when all are gone. */
export async function endTree(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  if (windows) {
    spawnSync('taskkill', ['/pid', String(pid), '/t', '/f']);
    return;
  }
  if (!signalGroup(pid, 'SIGTERM')) return;
  try {
    await groupGone(pid, politeMs);
  } catch {
    signalGroup(pid, 'SIGKILL');
    await groupGone(pid, politeMs);
  }
}

/** Forces the end of a child's process group at once, for use when this process can't wait. */
export function killTreeNow(child: ChildProcess): void {
  if (child.pid === undefined) return;
  if (windows) spawnSync('taskkill', ['/pid', String(child.pid), '/t', '/f']);
  else signalGroup(child.pid, 'SIGKILL');
}

function groupGone(pid: number, timeoutMs: number): Promise<true> {
  return waitFor(`the end of process group ${pid}`, timeoutMs, () => (groupLives(pid) ? undefined : true));
}

/** Ended processes that nobody has collected yet (in a container without init, for good) don't count. */
function groupLives(group: number): boolean {
  if (!signalGroup(group, 0)) return false;
  if (process.platform !== 'linux') return true;
  return readdirSync('/proc').some((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const [state, , pgrp] = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '').split(' ');
      return Number(pgrp) === group && state !== 'Z' && state !== 'X';
    } catch {
      return false;
    }
  });
}

/** False when there is no such group any more. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
