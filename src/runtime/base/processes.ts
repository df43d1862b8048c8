import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  /** Its session where the system tells it, else its group. */
  readonly session: number;
  /** Tells it from a later process with the same number. */
  readonly startedAt: string;
}

/** Living processes; zombies, which only wait to be collected, don't count. Empty where the system doesn't tell, as on Windows. */
export async function processTable(): Promise<readonly ProcessEntry[]> {
  if (process.platform !== 'linux') return tableOfPs();
  // Without a thread for each of many tiny reads this takes a few milliseconds.
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? entryOf(Number(name)) : []));
}

/** When a living process started, in the system's own words: the same for as long as it lives. Nothing where there is none, or the system doesn't tell. */
export async function processStart(pid: number): Promise<string | undefined> {
  const entries = process.platform === 'linux' ? entryOf(pid) : await tableOfPs();
  return entries.find((entry) => entry.pid === pid)?.startedAt;
}

function entryOf(pid: number): ProcessEntry[] {
  let line: string;
  try {
    line = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return [];
  }
  // The name before it may hold anything, also spaces and parentheses.
  const fields = line.slice(line.lastIndexOf(') ') + 2).split(' ');
  const [state, parent, , session] = fields;
  return state === 'Z' || state === 'X' ? [] : [{ pid, parent: Number(parent), session: Number(session), startedAt: fields[19] ?? '' }];
}

async function tableOfPs(): Promise<ProcessEntry[]> {
  const { stdout } = await promisify(execFile)('/bin/ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart='], { env: {} }).catch(() => ({ stdout: '' }));
  return stdout.split('\n').flatMap((line) => {
    const [pid, parent, group, state, ...started] = line.trim().split(/\s+/);
    if (group === undefined || state === undefined || state.startsWith('Z')) return [];
    return [{ pid: Number(pid), parent: Number(parent), session: Number(group), startedAt: started.join(' ') }];
  });
}
