import { abortable } from '../base/abort.ts';
import type { ChangeWatch, FilePort } from '../domain/ports.ts';
import type { BackgroundCommands, FileChange, ToolDefinition } from '../domain/tools.ts';
import type { CallClock } from './stepClock.ts';

/** What finds out what the calls of one agent changed. */
export interface CallWatch extends ChangeWatch {
  /** What a watched call reads and writes files with. */
  readonly files: FilePort;
  /** Hears why something may have changed that nobody can know of, in a sentence. */
  tellUnseen(sentence: string): void;
}

export interface WatchedCall<T> {
  readonly folders: readonly string[];
  readonly clock: CallClock;
  readonly run: () => Promise<T>;
  /** Hears of what changed before the call settles, however it does. */
  readonly tell: (changes: readonly FileChange[]) => void;
}

/** Whether a call of the tool may change files and doesn't say itself which. */
export function changesUnsaid({ isReadOnly, actsOnRun, reportsChanges }: ToolDefinition): boolean {
  return !isReadOnly && actsOnRun !== true && reportsChanges !== true;
}

/** Runs a call between two looks at the folders and settles as it does. Rejects with the abort error where the signal aborts before it began. */
export async function watchCall<T>(watch: CallWatch, { folders, clock, run, tell }: WatchedCall<T>): Promise<T> {
  const beginning = watch.begin(folders);
  const look = await abortable(beginning, clock.signal).catch((error: unknown) => {
    // Whoever cancels doesn't wait for it; it never rejects.
    void beginning.then((late) => late.end());
    throw error;
  });
  try {
    return await run();
  } finally {
    await clock.unlessStuck(look.end()).then(
      ({ changes, unseen }) => {
        if (changes.length > 0) tell(changes);
        if (unseen !== undefined) watch.tellUnseen(unseen);
      },
      () => watch.tellUnseen('What the last call changed in files is not known: the run ended before it could be looked at.'),
    );
  }
}

/** Commands that run on after their call, whose changes are then seen by nobody, or by whoever is looked at meanwhile. */
export function unwatched(commands: BackgroundCommands, watch: Pick<CallWatch, 'tellUnseen'>): BackgroundCommands {
  return {
    start: async (command) => {
      const started = await commands.start(command);
      watch.tellUnseen("Changes that its background commands make to files aren't attributed to it.");
      return started;
    },
    list: () => commands.list(),
    output: (id, options) => commands.output(id, options),
    kill: (id) => commands.kill(id),
  };
}
