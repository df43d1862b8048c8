import { readFileSync } from 'node:fs';
import { randomId } from './ids.ts';
import type { ProcessEntry } from './processes.ts';

/** The variable by which a process is known as one that a command started, whatever it left. */
const NAME = 'SUBAGENT_PANEL_RUN';

/** Marks all that a command starts. */
export interface RunMark {
  readonly id: string;
  readonly env: Readonly<Record<string, string>>;
}

export function newRunMark(): RunMark {
  const id = randomId();
  return { id, env: { [NAME]: id } };
}

/**
 * Tells which processes have this mark: those that began with it in their environment. Linux only shows that, and for
 * one's own processes; elsewhere none has. One that was looked at isn't read again, since it can't get the mark later.
 */
export function markTest(id: string): (entry: ProcessEntry) => boolean {
  if (process.platform !== 'linux') return () => false;
  const text = `\0${NAME}=${id}\0`;
  const known = new Map<string, boolean>();
  return ({ pid, startedAt }) => {
    const key = `${pid} ${startedAt}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const environment = environmentOf(pid);
    const isMarked = `\0${environment}`.includes(text);
    // Of one that is just being started nothing can be read yet.
    if (environment !== '') known.set(key, isMarked);
    return isMarked;
  };
}

/** Empty where it has none, has ended, or is another user's. */
function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    return '';
  }
}
