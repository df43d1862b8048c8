import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { processStart } from './base/processes.ts';
import { toDisposable, type Disposable } from './base/lifecycle.ts';
import { endSession } from './base/processTree.ts';
import type { Hosts } from './store/hosts.ts';
import { JsonlFile } from './store/jsonl.ts';

/** The leader of a shell's session that began, or that ended. */
type ProcessNote =
  | { readonly pid: number; readonly startedAt: string; readonly mark?: string }
  | { readonly ended: number };

/** Notes the shells of this host while they run, for whoever comes after a crash. */
export class ProcessNotes {
  readonly #file: JsonlFile<ProcessNote>;
  readonly #report: (error: unknown) => void;
  #writing: Promise<void> = Promise.resolve();

  /** @param path absolute; made on first use */
  constructor(path: string, report: (error: unknown) => void) {
    this.#file = new JsonlFile(path);
    this.#report = report;
  }

  /** Dispose when the session has ended. A note that can't be written costs nothing but this precaution. */
  add(pid: number, mark?: string): Disposable {
    this.#append(async () => {
      const startedAt = await processStart(pid);
      return startedAt === undefined ? undefined : { pid, startedAt, ...(mark !== undefined && { mark }) };
    });
    return toDisposable(() => this.#append(async () => ({ ended: pid })));
  }

  /** Resolves when everything so far is written. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  #append(note: () => Promise<ProcessNote | undefined>): void {
    this.#writing = this.#writing
      .then(note)
      .then((value) => (value ? this.#file.append(value) : undefined))
      .catch((error: unknown) => this.#report(error));
  }
}

/** Where a host keeps what it needs only as long as it lives to see what commands change. Absolute. */
export function watchFolder(storageDir: string, hostId: string): string {
  return join(storageDir, 'watch', hostId);
}

/** Ends what dead hosts left running on this machine, and forgets them. Rejects with system errors. */
export async function endLeftovers(hosts: Pick<Hosts, 'dead' | 'processesPath' | 'forget'>, storageDir: string): Promise<void> {
  for (const { hostId, isHere } of await hosts.dead()) {
    if (isHere) await endProcesses(await new JsonlFile<ProcessNote>(hosts.processesPath(hostId)).read());
    await rm(watchFolder(storageDir, hostId), { recursive: true, force: true });
    await hosts.forget(hostId);
  }
}

async function endProcesses(notes: readonly ProcessNote[]): Promise<void> {
  const left = new Map<number, Exclude<ProcessNote, { readonly ended: number }>>();
  for (const note of notes) {
    if ('ended' in note) left.delete(note.ended);
    else left.set(note.pid, note);
  }
  await Promise.all([...left.values()].map(async ({ pid, startedAt, mark }) => {
    // The same number may be anybody's by now; a mark is nobody else's.
    const isLeader = (await processStart(pid)) === startedAt;
    await endSession({ ...(isLeader && { leader: pid }), ...(typeof mark === 'string' && { mark }) }, new Set());
  }));
}
