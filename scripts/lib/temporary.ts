import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onEnd } from './cleanup.ts';

export interface TemporaryFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** Makes an empty folder in the system's temporary one. It is removed by `remove()`, or after a signal when all that was started later has ended. */
export async function temporaryFolder(purpose: string): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(await realpath(tmpdir()), `subagent-panel-${purpose}-`));
  const remove = async (): Promise<void> => {
    forget();
    await rm(path, { recursive: true, force: true, maxRetries: 5 });
  };
  const forget = onEnd(remove);
  return { path, remove };
}
