import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorText, systemCode } from '../base/errors.ts';
import { fateOf, markOfThisProcess, type ProcessMark } from './processMark.ts';
import { replaceJson } from './replaceJson.ts';

/** Milliseconds between two signs of life. */
const BEAT = 5_000;
/** The same while somebody waits for another host to go, as right after a window was reloaded. */
const WATCHFUL_BEAT = 1_000;
/** Milliseconds for which a host whose file has gone is given the time to write it anew: more than two signs of life. */
const ABSENCE = 12_000;
/** Milliseconds after which a host that can't be looked at counts as dead. */
const SILENCE = 120_000;

/** A process that runs groups, as its file tells it. */
interface HostRecord extends ProcessMark {
  readonly hostId: string;
  /** Its last sign of life, in milliseconds since the epoch. */
  readonly heartbeat: number;
  /** It said goodbye: its process may live on. */
  readonly hasLeft?: boolean;
}

/** A host that was alive when it was last looked at. `missingSince`: when its file was first found gone, on this process's own clock. */
interface KnownHost {
  readonly record: HostRecord;
  readonly missingSince?: number;
}

export interface HostsOptions {
  /** Absolute path; made on first use. */
  readonly folder: string;
  /** Of this process, or of this one of its agents. */
  readonly hostId: string;
  /** Called after each sign of life, never while an earlier call is at work. Must not reject. */
  readonly onBeat: () => Promise<void>;
  /** True while it matters when another host goes. */
  readonly isWatchful: () => boolean;
  /** Hears of a sign of life that could not be given. */
  readonly report: (message: string) => void;
  /** Default 5 s, or 1 s while watchful. */
  readonly beatMs?: number;
  /** How long a host may be without its file that was seen alive before. Default 12 s. */
  readonly absenceMs?: number;
}

/** Who is alive on a storage folder: each host keeps a file there as long as it lives. */
export class Hosts {
  readonly #options: HostsOptions;
  #own: HostRecord | undefined;
  readonly #known = new Map<string, KnownHost>();
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> = Promise.resolve();
  #isResting = false;

  constructor(options: HostsOptions) {
    this.#options = options;
  }

  /** Announces this host and goes on doing so until it leaves. Rejects with the system's error where the folder can't be written. */
  async join(): Promise<void> {
    const { hostId } = this.#options;
    this.#own = { hostId, ...(await markOfThisProcess()), heartbeat: Date.now() };
    await replaceJson(this.#path(hostId), this.#own);
    this.#beatLater();
  }

  /** Gives no more signs of life, and waits for what the last one led to. Idempotent; never rejects. */
  async rest(): Promise<void> {
    this.#isResting = true;
    clearTimeout(this.#timer);
    await this.#beating;
  }

  /** Says goodbye in the file, so that others need not find out; a later start takes it away. Idempotent; never rejects. */
  async leave(): Promise<void> {
    await this.rest();
    const own = this.#own;
    if (own === undefined) return;
    this.#own = undefined;
    await this.#remove(this.processesPath(own.hostId));
    try {
      await replaceJson(this.#path(own.hostId), { ...own, hasLeft: true });
    } catch {
      // As on a full disk. Without a file it is as gone, only others wait a little for a new one.
      await this.#remove(this.#path(own.hostId));
    }
  }

  /**
   * False only where that host is gone for certain, or has been silent for two minutes and can't be looked at from here.
   * A file may be taken away under a host that lives; where it was seen alive before, it is given the time to write another.
   */
  async isAlive(hostId: string): Promise<boolean> {
    if (hostId === this.#own?.hostId) return true;
    const record = await this.#read(hostId);
    if (record === 'unreadable') return true;
    const isAlive = record === undefined ? await this.#isOnlyMissing(hostId) : await this.#lives(record);
    if (!isAlive) this.#known.delete(hostId);
    else if (record !== undefined) this.#known.set(hostId, { record });
    return isAlive;
  }

  async #isOnlyMissing(hostId: string): Promise<boolean> {
    const known = this.#known.get(hostId);
    if (known === undefined) return false;
    const { record, missingSince = performance.now() } = known;
    this.#known.set(hostId, { record, missingSince });
    return performance.now() - missingSince < (this.#options.absenceMs ?? ABSENCE) && (await this.#lives(record));
  }

  async #lives(record: HostRecord): Promise<boolean> {
    if (record.hasLeft) return false;
    const fate = this.#own ? await fateOf(record, this.#own) : 'unknown';
    return fate === 'unknown' ? Date.now() - record.heartbeat < SILENCE : fate === 'lives';
  }

  /** Hosts that left a file and are dead. `isHere`: their processes, if any is left, are processes of this machine. */
  async dead(): Promise<readonly { readonly hostId: string; readonly isHere: boolean }[]> {
    const names = await readdir(this.#options.folder).catch(() => []);
    const ids = names.flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : []));
    const found = await Promise.all(
      ids.map(async (hostId) => {
        if (await this.isAlive(hostId)) return [];
        const record = await this.#read(hostId);
        return [{ hostId, isHere: typeof record === 'object' && record.machine === this.#own?.machine }];
      }),
    );
    return found.flat();
  }

  /** Where the processes of a host are noted that must not outlive it. Absolute. */
  processesPath(hostId: string): string {
    return join(this.#options.folder, `${hostId}.processes.jsonl`);
  }

  /** Removes what a host left behind. Never rejects: a host without a file is as dead as one with a file that stays. */
  async forget(hostId: string): Promise<void> {
    await this.#remove(this.processesPath(hostId));
    await this.#remove(this.#path(hostId));
  }

  async #remove(path: string): Promise<void> {
    await rm(path, { force: true }).catch((error: unknown) => this.#options.report(`Could not remove ${path}: ${errorText(error)}`));
  }

  #beatLater(): void {
    const { beatMs, isWatchful } = this.#options;
    const next = (): void => {
      this.#beating = this.#beat().then(() => {
        if (!this.#isResting) this.#beatLater();
      });
    };
    this.#timer = setTimeout(next, beatMs ?? (isWatchful() ? WATCHFUL_BEAT : BEAT));
    // A sign of life is no reason to live on.
    this.#timer.unref();
  }

  async #beat(): Promise<void> {
    if (this.#own === undefined) return;
    try {
      this.#own = { ...this.#own, heartbeat: Date.now() };
      await replaceJson(this.#path(this.#own.hostId), this.#own);
    } catch (error) {
      this.#options.report(`Other windows may take this one's groups for interrupted; its sign of life was not written: ${errorText(error)}`);
    }
    await this.#options.onBeat();
  }

  /** Nothing where no such host has a file, or one that never was whole. A file that can't be read says nothing about its host. */
  async #read(hostId: string): Promise<HostRecord | 'unreadable' | undefined> {
    let text: string;
    try {
      text = await readFile(this.#path(hostId), 'utf8');
    } catch (error) {
      return systemCode(error) === 'ENOENT' ? undefined : 'unreadable';
    }
    try {
      const value: unknown = JSON.parse(text);
      return isHostRecord(value) ? value : undefined;
    } catch {
      return undefined;
    }
  }

  #path(hostId: string): string {
    return join(this.#options.folder, `${hostId}.json`);
  }
}

function isHostRecord(value: unknown): value is HostRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { pid, startedAt, machine, heartbeat } = value as Partial<Record<keyof HostRecord, unknown>>;
  return typeof pid === 'number' && typeof startedAt === 'string' && typeof machine === 'string' && typeof heartbeat === 'number';
}
