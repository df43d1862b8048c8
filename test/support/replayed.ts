import type { Block } from '../../src/runtime/review/blocks.ts';
import { Replay, type IsOwn, type Replayed, type Step } from '../../src/runtime/review/replay.ts';

/** All that is known after these steps. */
export function replayed(steps: readonly Step[], isOwn: IsOwn): Replayed {
  const replay = new Replay(isOwn);
  for (const step of steps) replay.add(step);
  return replay.end();
}

/** What is left of the own changes after these steps. */
export function replay(steps: readonly Step[], isOwn: IsOwn): readonly Block[] {
  return replayed(steps, isOwn).blocks;
}
