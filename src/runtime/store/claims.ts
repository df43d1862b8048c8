import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../base/errors.ts';

/** Milliseconds after which a claim without a name in it was left by a crash rather than being written just now. */
const UNNAMED_FOR = 60_000;
const UNNAMED = 'unnamed';
const NAME = /^[\w.-]{1,100}$/;

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
    const chain = new Chain(from);
    for (;;) {
      const holder = await this.#createOrRead(join(this.#folder, `${subject}.${chain.last}`));
      if (holder === this.#hostId) return true;
      if (holder === undefined || (holder !== UNNAMED && (await this.#isAlive(holder)))) return false;
      chain.add(holder);
    }
  }

  /** Gives up what was taken: by then its outcome stands where everyone looks before acting. Rejects with the system's error. */
  async release(subject: string, from: string): Promise<void> {
    const chain = new Chain(from);
    for (;;) {
      const path = join(this.#folder, `${subject}.${chain.last}`);
      const holder = await readHolder(path);
      await rm(path, { force: true });
      if (holder === undefined || holder === this.#hostId) return;
      chain.add(holder);
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
    const holder = await readHolder(path);
    if (holder !== UNNAMED) return holder;
    // It may have been released just now.
    const file = await stat(path).catch(() => undefined);
    return file !== undefined && Date.now() - file.mtimeMs > UNNAMED_FOR ? UNNAMED : undefined;
  }
}

/** From whom a claim went to whom, up to the one from whom it is taken next. */
class Chain {
  readonly #names = new Set<string>();
  #last: string;

  constructor(from: string) {
    this.#last = from;
    this.#names.add(from);
  }

  get last(): string {
    return this.#last;
  }

  /** A damaged file may name one who stands in the chain already; then it goes on under a name that everyone comes to. */
  add(holder: string): void {
    this.#last = this.#names.has(holder) ? `again-${this.#names.size}` : holder;
    this.#names.add(this.#last);
  }
}

/** Who a claim names: `unnamed` where that is no name, nothing where there is no such claim. */
async function readHolder(path: string): Promise<string | undefined> {
  try {
    const name = await readFile(path, 'utf8');
    return NAME.test(name) ? name : UNNAMED;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
