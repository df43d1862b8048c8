import { join } from 'node:path';
import type { AgentServices } from './agent/services.ts';
import type { LiteAgentOptions } from './domain/liteAgent.ts';
import type { Publish } from './domain/events.ts';
import type { Checkpoints, FilePort } from './domain/ports.ts';
import { watchFolder } from './leftovers.ts';
import { ChangeLog } from './store/changeLog.ts';
import { createCheckpoints } from './store/checkpoints.ts';
import { GitWatch } from './watch/gitWatch.ts';
import { Worktrees } from './worktrees/worktrees.ts';

/** What keeps the changes that children make in files, for a later review. */
export interface KeptChanges {
  readonly log: ChangeLog;
  readonly checkpoints: Checkpoints;
  readonly worktrees: Worktrees;
  /** What agents work with, so that their changes are seen. */
  readonly services: Pick<AgentServices, 'files'> & Required<Pick<AgentServices, 'checkpoints' | 'watch' | 'filesOfWatched'>>;
  /** Looks at no command any more. Never rejects. */
  stopWatching(): Promise<void>;
}

/** Nothing where changes aren't to be kept. `files`: those of the host. */
export function keepChanges(options: LiteAgentOptions, files: FilePort, hostId: string, publish: Publish): KeptChanges | undefined {
  if (!(options.checkpoints ?? options.tasks ?? false)) return undefined;
  const { storageDir, env = {} } = options;
  const checkpoints = createCheckpoints(join(storageDir, 'checkpoints'));
  const watch = new GitWatch({ folder: watchFolder(storageDir, hostId), checkpoints, ownFolder: storageDir, env });
  return {
    checkpoints,
    worktrees: new Worktrees({ folder: join(storageDir, 'worktrees'), env }),
    log: new ChangeLog({ folder: join(storageDir, 'changes'), report: (message) => publish({ type: 'problem', message }) }),
    services: { checkpoints, watch, filesOfWatched: files, files: watch.observe(files) },
    stopWatching: () => watch.close(),
  };
}
