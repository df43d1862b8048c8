import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Batcher } from '../base/async.ts';

/** Keeps one output in a file as it comes, up to a bound. */
export class OutputLog {
  readonly #path: string;
  readonly #texts: Batcher<string>;
  #left: number;
  #isBroken = false;

  private constructor(path: string, limit: number) {
    this.#path = path;
    this.#left = limit;
    this.#texts = new Batcher((texts) => appendFile(path, texts.join('')));
  }

  /**
   * Makes the file, which only its owner can read: output may hold what others must not see. Never rejects.
   * @param folder absolute; made on first use.
   * @param limit in characters; what comes after is dropped, and the file says so.
   */
  static async create(folder: string, name: string, limit: number): Promise<OutputLog> {
    const log = new OutputLog(join(folder, `${name}.txt`), limit);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(log.#path, '', { flag: 'wx', mode: 0o600 });
    } catch {
      // The command can run without it; that there is no file is told with its output.
      log.#isBroken = true;
    }
    return log;
  }

  /** Absolute. Absent where the disk took a part of the output not. */
  get path(): string | undefined {
    return this.#isBroken ? undefined : this.#path;
  }

  append(text: string): void {
    if (this.#isBroken || this.#left === 0 || text === '') return;
    const kept = text.slice(0, this.#left);
    this.#left -= kept.length;
    const end = this.#left === 0 ? '\n[… What came after this was not kept …]\n' : '';
    this.#texts.add(`${kept}${end}`).catch(() => {
      this.#isBroken = true;
    });
  }

  /** Resolves when everything so far is in the file, or can't be. Never rejects. */
  async flush(): Promise<void> {
    await this.#texts.idle();
  }
}
