import { join } from 'node:path';
import { AppError } from '../base/errors.ts';
import type { TranscriptEntry, TranscriptWriter } from '../domain/transcripts.ts';
import { JsonlFile } from './jsonl.ts';
import { isStoredEntry } from './storedEntry.ts';

const SAFE_ID = /^[A-Za-z0-9_-]{1,120}$/;

/** The transcripts of one storage folder: one append-only file for each run, named by its id. */
export class TranscriptStore {
  readonly folder: string;

  /** @param folder absolute path; made on first use. */
  constructor(folder: string) {
    this.folder = folder;
  }

  /** Absolute path of a run's transcript. Throws `invalid_input` for what can't be an id of ours. */
  pathOf(id: string): string {
    if (!SAFE_ID.test(id)) throw new AppError('invalid_input', `Not a run id: ${JSON.stringify(id)}.`);
    return join(this.folder, `${id}.jsonl`);
  }

  writer(id: string): TranscriptWriter {
    return new JsonlFile<TranscriptEntry>(this.pathOf(id));
  }

  /** Every whole entry of the run, in order; lines that are none are left out. Throws `not_found` where there is none. */
  async read(id: string): Promise<TranscriptEntry[]> {
    const entries = (await new JsonlFile<unknown>(this.pathOf(id)).read()).filter(isStoredEntry);
    if (entries.length === 0) throw new AppError('not_found', `There is no transcript of ${id}.`);
    return entries;
  }
}
