import { renameSync, symlinkSync, unlinkSync } from 'node:fs';
import { systemCode } from '../../src/runtime/base/errors.ts';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';

interface Swap {
  /** A folder, which is a link to `target` half of the time. */
  readonly folder: string;
  readonly target: string;
  readonly stop: SharedArrayBuffer;
}

/** Swaps a folder for a link and back in a thread of its own, about a thousand times a second, until it is stopped; then the folder is itself again. */
export function swapLinks(folder: string, target: string): { readonly swaps: () => number; stop(): Promise<void> } {
  const stop = new SharedArrayBuffer(8);
  const state = new Int32Array(stop);
  const worker = new Worker(new URL(import.meta.url), { workerData: { folder, target, stop } satisfies Swap });
  const ended = new Promise<void>((resolve, reject) => {
    worker.once('message', () => resolve());
    worker.once('error', reject);
  });
  // Met by `stop`; until then it is nobody's.
  ended.catch(() => undefined);
  return {
    swaps: () => Atomics.load(state, 1),
    async stop() {
      Atomics.store(state, 0, 1);
      await ended;
      await worker.terminate();
    },
  };
}

function run({ folder, target, stop }: Swap): void {
  const state = new Int32Array(stop);
  const aside = `${folder}.aside`;
  const pause = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.random());
  while (Atomics.load(state, 0) === 0) {
    renameSync(folder, aside);
    const swaps = Atomics.add(state, 1, 1);
    if (linked(folder, target)) {
      pause();
      unlinkSync(folder);
    }
    // Somebody made the folder anew while it was away.
    else renameSync(folder, `${folder}.made-${swaps}`);
    renameBack(aside, folder, `${folder}.made-again-${swaps}`);
    pause();
  }
  parentPort?.postMessage('ended');
}

function linked(folder: string, target: string): boolean {
  return unlessThere(() => symlinkSync(target, folder));
}

function renameBack(aside: string, folder: string, elsewhere: string): void {
  if (!unlessThere(() => renameSync(aside, folder))) {
    renameSync(folder, elsewhere);
    renameSync(aside, folder);
  }
}

/** False where something is in the way. */
function unlessThere(act: () => void): boolean {
  try {
    act();
    return true;
  } catch (error) {
    const code = systemCode(error);
    if (code !== 'EEXIST' && code !== 'ENOTEMPTY') throw error;
    return false;
  }
}

if (!isMainThread) run(workerData as Swap);
