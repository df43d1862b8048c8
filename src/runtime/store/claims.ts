import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../base/errors.ts';

/** Milliseconds after which a claim without a name in it was left by a crash rather than being written just now. */
const UNNAMED_FOR = 60_000;

/** What may be done by one living host only: whoever creates the file first does it. */
export class Claims {
  readonly #folder: string;
  readonly #hostId: string;
  readonly #isAlive: (hostId: string) => Promise<boolean>;

  /** @param folder absolute path; made on first use */
  constructor(folder: string, hostId: string, isAlive: (hostId: string) => Promise<boolean>) {
    this.#folder = folder;
    this.#hostId = hostId;
    this.#isAlive = isAlive;
  }

  /**
   * True for one living host at a time: `subject` is what is claimed, `from` who or what it is taken over from. A
   * claimer that died is succeeded in the same way. Rejects with the system's error.
   */
  async take(subject: string, from: string): Promise<boolean> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    for (let predecessor = from; ; ) {
      const holder = await this.#createOrRead(join(this.#folder, `${subject}.${predecessor}`));
      if (holder === this.#hostId) return true;
      if (holder === undefined || (holder !== 'unnamed' && (await this.#isAlive(holder)))) return false;
      predecessor = holder;
    }
  }

  /** Gives up what was taken: by then its outcome stands where everyone looks before acting. Rejects with the system's error. */
  async release(subject: string, from: string): Promise<void> {
    for (let predecessor = from; ; ) {
      const path = join(this.#folder, `${subject}.${predecessor}`);
      const holder = await readName(path);
      await rm(path, { force: true });
      if (holder === undefined || holder === this.#hostId) return;
      predecessor = holder;
    }
  }

  /** Who has the claim after this call; nothing while somebody is just writing it. */
  async #createOrRead(path: string): Promise<string | undefined> {
    try {
      await writeFile(path, this.#hostId, { flag: 'wx', mode: 0o600 });
      return this.#hostId;
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
    }
    const holder = await readName(path);
    if (holder !== '') return holder;
    // It may have been released just now.
    const file = await stat(path).catch(() => undefined);
    return file !== undefined && Date.now() - file.mtimeMs > UNNAMED_FOR ? 'unnamed' : undefined;
  }
}

async function readName(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
