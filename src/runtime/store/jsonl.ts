import { appendFile, mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Batcher } from '../base/async.ts';
import { systemCode } from '../base/errors.ts';

const NEWLINE = 0x0a;
/** A line that stands behind one that a crash may have torn. */
const TORN = '\u0018';

/** What a file of JSON lines holds. */
export interface JsonLines<T> {
  readonly values: readonly T[];
  /** How many of the values stand before the last line that is damaged: no JSON, and not torn by a crash while it was written. Absent where none is. */
  readonly damagedAt?: number;
}

/**
 * Appends JSON values to a file, one a line, in the order of the calls. Opens the file for each write, so that
 * thousands of idle runs hold no handle; what is appended meanwhile goes into the next write together.
 */
export class JsonlFile<T> {
  readonly path: string;
  readonly #lines: Batcher<string>;
  #prepared = false;

  constructor(path: string) {
    this.path = path;
    this.#lines = new Batcher((lines) => this.#write(lines.join('')));
  }

  /** Resolves when the line is in the file; rejects with the system's error when it may not be. */
  append(value: T): Promise<void> {
    return this.#lines.add(`${JSON.stringify(value)}\n`);
  }

  /** All whole lines. A torn last line, as a crash leaves it, is dropped; no file is an empty one. */
  async read(): Promise<T[]> {
    await this.#lines.idle();
    return parseJsonl<T>(await readIfThere(this.path));
  }

  /** As `read`, with a word on what is damaged. `isValid`: whether a value is what is expected here. */
  async readWhole<V>(isValid: (value: unknown) => value is V): Promise<JsonLines<V>> {
    await this.#lines.idle();
    return parseLines(await readIfThere(this.path), isValid);
  }

  async #write(lines: string): Promise<void> {
    await this.#prepare();
    // Until it is whole: a full disk may have taken a part of it, which the next line must not be glued to.
    this.#prepared = false;
    await appendFile(this.path, lines, { mode: 0o600 });
    this.#prepared = true;
  }

  /** The first append after a crash must not glue itself to a torn line. */
  async #prepare(): Promise<void> {
    if (this.#prepared) return;
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    if (await endsTorn(this.path)) await appendFile(this.path, `\n${TORN}\n`);
    this.#prepared = true;
  }
}

/** The values of all lines that are whole JSON; others (torn by a crash) are left out. */
export function parseJsonl<T>(text: string): T[] {
  return text.split('\n').flatMap((line): T[] => {
    if (line === '') return [];
    try {
      return [JSON.parse(line) as T];
    } catch {
      return [];
    }
  });
}

function parseLines<T>(text: string, isValid: (value: unknown) => value is T): JsonLines<T> {
  const values: T[] = [];
  let damagedAt: number | undefined;
  const lines = text.split('\n');
  lines.forEach((line, index) => {
    if (line === '' || line === TORN) return;
    const [value] = parseJsonl<unknown>(line);
    if (isValid(value)) values.push(value);
    else if (index < lines.length - 1 && lines[index + 1] !== TORN) damagedAt = values.length;
  });
  return { values, ...(damagedAt !== undefined && { damagedAt }) };
}

async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return '';
    throw error;
  }
}

async function endsTorn(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      if (size === 0) return false;
      const last = await file.read(Buffer.alloc(1), 0, 1, size - 1);
      return last.buffer[0] !== NEWLINE;
    } finally {
      await file.close();
    }
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}
