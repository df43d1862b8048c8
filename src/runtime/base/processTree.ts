import { setTimeout as delay } from 'node:timers/promises';
import { systemCode } from './errors.ts';
import { processTable, type ProcessEntry } from './processes.ts';
import { markTest } from './runMark.ts';

/** Milliseconds from the polite signal to the final one. */
const KILL_AFTER = 2000;
/** Milliseconds until a process that even the final signal doesn't end (a hung disk) is given up. */
const GIVE_UP_AFTER = 2000;
const FIRST_POLL = 5;
const LAST_POLL = 100;

/** The processes of one command. */
export interface SessionRef {
  readonly leader?: number;
  readonly mark?: string;
}

/**
 * Ends a session's processes, their descendants and what has its mark: SIGTERM, SIGKILL after two seconds; resolves
 * when they are gone. What left the session and lost its parent before is found by the mark only, on Linux; elsewhere it
 * is nobody's any more and stays.
 * @param session the pid of its leader, where that is known to be its own still, and the id of its mark, if it has one.
 * @param spared pids that get no signal and aren't waited for.
 * @param gentle false: SIGKILL at once.
 */
export async function endSession({ leader, mark }: SessionRef, spared: ReadonlySet<number>, gentle = true): Promise<void> {
  const isMarked = mark === undefined ? () => false : markTest(mark);
  const isOwn = (entry: ProcessEntry): boolean => entry.session === leader || isMarked(entry);
  const known = new Map<number, string>();
  const others = async (): Promise<number[]> => {
    const found = membersOf(isOwn, await processTable(), known);
    for (const { pid, startedAt } of found) known.set(pid, startedAt);
    return found.map(({ pid }) => pid).filter((pid) => !spared.has(pid));
  };
  if (gentle) {
    for (const pid of await others()) signal(pid, 'SIGTERM');
    if (await gone(others, KILL_AFTER, () => undefined)) return;
  }
  await gone(others, GIVE_UP_AFTER, (pid) => signal(pid, 'SIGKILL'));
}

/** Sends a signal. A process that is gone already is what was wanted. */
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

/** Its own, those known from before, and all that descends from either. */
function membersOf(isOwn: (entry: ProcessEntry) => boolean, table: readonly ProcessEntry[], known: ReadonlyMap<number, string>): ProcessEntry[] {
  const members = new Map<number, ProcessEntry>();
  for (const entry of table) if (known.get(entry.pid) === entry.startedAt || isOwn(entry)) members.set(entry.pid, entry);
  for (let before = -1; before !== members.size; ) {
    before = members.size;
    for (const entry of table) if (members.has(entry.parent)) members.set(entry.pid, entry);
  }
  return [...members.values()];
}
