import { join } from 'node:path';
import { errorText } from './base/errors.ts';
import type { Disposable } from './base/lifecycle.ts';
import type { Publish, RuntimeEvent } from './domain/events.ts';
import { endLeftovers, ProcessNotes } from './leftovers.ts';
import { maskSecrets } from './permissions/record.ts';
import { Claims } from './store/claims.ts';
import { GroupFolder } from './store/groupFolder.ts';
import { GroupLog } from './store/groupLog.ts';
import type { GroupRecord } from './store/groupRecord.ts';
import { Hosts } from './store/hosts.ts';
import type { RunProjection } from './store/projection.ts';
import { StoredGroups } from './storedGroups.ts';

export interface GroupStorageOptions {
  /** Absolute. */
  readonly storageDir: string;
  readonly hostId: string;
  readonly projection: RunProjection;
  readonly publish: Publish;
  /** Goes on with a group whose host is gone. */
  readonly adopt: (record: GroupRecord) => void;
  /** Called after each look at what other hosts did. Must not reject. */
  readonly onBeat: () => Promise<void>;
  /** See `HostsOptions`. */
  readonly beatMs?: number;
}

/** From whom a claim is taken that nobody has. */
const FREE = 'free';

/** What a storage folder holds of groups and of the hosts that run them, of this host's and of others'. */
export class GroupStorage {
  readonly #storageDir: string;
  readonly #log: GroupLog;
  readonly #hosts: Hosts;
  readonly #claims: Claims;
  readonly #report: (message: string) => void;
  readonly #groups: StoredGroups;
  readonly #processes: ProcessNotes;

  constructor({ storageDir, hostId, projection, publish, adopt, onBeat, beatMs }: GroupStorageOptions) {
    this.#storageDir = storageDir;
    const report = (message: string): void => publish({ type: 'problem', message });
    this.#report = report;
    const folder = join(storageDir, 'groups');
    const isAlive = (other: string): Promise<boolean> => this.#hosts.isAlive(other);
    this.#log = new GroupLog({ folder, mask: maskSecrets, isOurs: (groupId) => projection.group(groupId)?.isElsewhere === false, report });
    this.#claims = new Claims(join(storageDir, 'claims'), hostId, isAlive);
    this.#groups = new StoredGroups({
      folder: new GroupFolder(folder, report),
      claims: this.#claims,
      projection,
      publish,
      isAlive,
      adopt,
      stored: (groupId) => this.#log.flush(groupId),
    });
    this.#hosts = new Hosts({
      folder: join(storageDir, 'hosts'),
      hostId,
      onBeat: () => this.#groups.refresh().then(onBeat),
      isWatchful: () => this.#groups.isWatching,
      report,
      ...(beatMs !== undefined && { beatMs }),
    });
    this.#processes = new ProcessNotes(this.#hosts.processesPath(hostId), (error) => report(`A command would be left running by a crash; it could not be noted: ${errorText(error)}`));
  }

  /** Announces this host. Rejects with the system's error where the folder can't be written. */
  join(): Promise<void> {
    return this.#hosts.join();
  }

  /** See `StoredGroups.restore`. */
  restore(): Promise<void> {
    return this.#groups.restore();
  }

  /** Takes in what other hosts did. Never rejects. */
  refresh(): Promise<void> {
    return this.#groups.refresh();
  }

  /** Ends what dead hosts left running. Rejects with system errors. */
  endLeftovers(): Promise<void> {
    return endLeftovers(this.#hosts, this.#storageDir);
  }

  /** Keeps what belongs to a group; `stored` and `leave` wait for it. */
  record(event: RuntimeEvent): void {
    this.#log.record(event);
  }

  /** Resolves when all that was recorded of the group so far is written. Never rejects: what can't be is a `problem`. */
  stored(groupId: string): Promise<void> {
    return this.#log.flush(groupId);
  }

  /** See `StoredGroups.claimRound`. */
  claimRound(agentId: string, round: number): Promise<(() => Promise<void>) | undefined> {
    return this.#groups.claimRound(agentId, round);
  }

  /**
   * Makes sure that no other living host has this at the same time. Resolves to what gives it up and never rejects, or
   * to nothing where another has it. Within this host it may be had twice. Rejects with the system's error.
   */
  async claim(subject: string): Promise<(() => Promise<void>) | undefined> {
    if (!(await this.#claims.take(subject, FREE))) return undefined;
    return () => this.#claims.release(subject, FREE).catch((error: unknown) => this.#report(`A claim on ${subject} was not released: ${errorText(error)}`));
  }

  /** Nothing is left to do about the group. Never rejects. */
  putAway(groupId: string): Promise<void> {
    return this.#groups.close(groupId);
  }

  /** Notes a process that must not outlive this host, with all that has its mark, until disposed. */
  noteProcess(pid: number, mark?: string): Disposable {
    return this.#processes.add(pid, mark);
  }

  /** Looks at other hosts no more. Never rejects. */
  rest(): Promise<void> {
    return this.#hosts.rest();
  }

  /** Resolves when everything so far is written. */
  async flush(): Promise<void> {
    await Promise.all([this.#log.flush(), this.#processes.flush()]);
  }

  /** This host is gone: from here on others look after what is left. Idempotent; never rejects. */
  leave(): Promise<void> {
    return this.#hosts.leave();
  }
}
