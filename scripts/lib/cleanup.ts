import { constants } from 'node:os';

type Task = () => Promise<void>;

const tasks = new Set<Task>();
let installed = false;
let ending: Promise<void> | undefined;

/**
 * Registers work to do when this process is asked to end by a signal, or loses the process that started it.
 * Returns a function that takes the registration back.
 */
export function onEnd(task: Task): () => void {
  install();
  tasks.add(task);
  return () => tasks.delete(task);
}

/** Does all registered work, newest first; a failing task doesn't keep the others from running. */
export function cleanUp(): Promise<void> {
  ending ??= (async () => {
    for (const task of [...tasks].reverse()) {
      tasks.delete(task);
      await task().catch((error: unknown) => console.error(error));
    }
    ending = undefined;
  })();
  return ending;
}

function install(): void {
  if (installed) return;
  installed = true;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => void endWith(128 + constants.signals[signal]));
  }
  if (process.channel) {
    process.on('disconnect', () => void endWith(1));
    process.channel.unref();
  }
}

async function endWith(code: number): Promise<void> {
  await cleanUp();
  process.exit(code);
}
