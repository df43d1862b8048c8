import { systemCode } from '../base/errors.ts';
import { processStart } from '../base/processes.ts';
import { machineName } from './machine.ts';

/** Tells a process from all others, those of other machines and later ones of the same number among them. */
export interface ProcessMark {
  readonly pid: number;
  /** When it started, as the system tells it; empty where it doesn't. */
  readonly startedAt: string;
  readonly machine: string;
}

export async function markOfThisProcess(): Promise<ProcessMark> {
  const [machine, startedAt = ''] = await Promise.all([machineName(), processStart(process.pid)]);
  return { pid: process.pid, startedAt, machine };
}

/** What became of a process, seen from this one; `unknown` for one of another machine, and where the system tells only that some process has its number. */
export async function fateOf(mark: ProcessMark, own: ProcessMark): Promise<'lives' | 'gone' | 'unknown'> {
  if (mark.machine !== own.machine) return 'unknown';
  if (mark.startedAt !== '') return (await processStart(mark.pid)) === mark.startedAt ? 'lives' : 'gone';
  return isProcess(mark.pid) ? 'unknown' : 'gone';
}

/** Whether there is a process of that number, whoever's it is. */
function isProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return systemCode(error) !== 'ESRCH';
  }
}
