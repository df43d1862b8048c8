import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, systemCode } from '../base/errors.ts';
import type { WorktreePlan } from '../domain/worktrees.ts';
import { replaceJson } from '../store/replaceJson.ts';

/**
 * What is known of a child's worktree. `creating`: the child hasn't had it yet, whatever of it is there. `removed`:
 * nothing in it is of any worth, whatever of it is left.
 */
export interface WorktreeRecord extends Pick<WorktreePlan, 'top' | 'within' | 'commonDir' | 'base'> {
  readonly agentId: string;
  readonly state: 'creating' | 'ready' | 'removed';
}

/** An id as the runtime makes them, and no path. */
const ID = /^[\w-]{1,100}$/;
const TEXTS = ['agentId', 'top', 'within', 'commonDir', 'base'] as const;
const ENDING = '.json';

/** Keeps a small file for each worktree beside it. */
export class WorktreeRecords {
  readonly #folder: string;

  /** @param folder absolute; made on first use */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Nothing for an unknown child. Rejects with `corrupt` for one that can't be read, and with the system's error. */
  async read(agentId: string): Promise<WorktreeRecord | undefined> {
    if (!ID.test(agentId)) return undefined;
    const path = this.#path(agentId);
    try {
      const value: unknown = JSON.parse(await readFile(path, 'utf8'));
      if (isRecord(value) && value.agentId === agentId) return value;
      throw new SyntaxError('it is no record.');
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return undefined;
      if (!(error instanceof SyntaxError)) throw error;
      throw new AppError('corrupt', `What is known of the worktree of ${agentId} can't be read (${path}). Take what you need from its folder beside it, and remove it with \`git worktree remove\`.`, { cause: error });
    }
  }

  /** Rejects with the system's error; then the old one stands. */
  write(record: WorktreeRecord): Promise<void> {
    return replaceJson(this.#path(record.agentId), record);
  }

  /** The children of which there is a record. */
  async ids(): Promise<readonly string[]> {
    const names = await readdir(this.#folder).catch((error: unknown) => {
      if (systemCode(error) === 'ENOENT') return [];
      throw error;
    });
    return names.filter((name) => name.endsWith(ENDING)).map((name) => name.slice(0, -ENDING.length)).filter((id) => ID.test(id));
  }

  #path(agentId: string): string {
    return join(this.#folder, `${agentId}${ENDING}`);
  }
}

function isRecord(value: unknown): value is WorktreeRecord {
  if (typeof value !== 'object' || value === null) return false;
  const fields: Readonly<Record<string, unknown>> = { ...value };
  return TEXTS.every((name) => typeof fields[name] === 'string') && ['creating', 'ready', 'removed'].includes(String(fields['state']));
}
