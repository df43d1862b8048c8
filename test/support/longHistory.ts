import { parentPort, workerData } from 'node:worker_threads';
import { replayFile } from '../../src/runtime/review/replayFile.ts';
import type { RuntimeEvent } from '../../src/runtime/domain/events.ts';

/** Replays a file with so many lines that a child has changed so often, and posts how many changes are left of it. */
const { lines, versions } = workerData as { readonly lines: number; readonly versions: number };
const contentOf = (version: number): Uint8Array => Buffer.from(Array.from({ length: lines }, (_, line) => (line < version ? `new ${line}\n` : `old ${line}\n`)).join(''));
const log = Array.from({ length: versions }, (_, at): RuntimeEvent => ({
  at,
  type: 'files.changed',
  agent: { kind: 'child', sessionId: 's', groupId: 'g', agentId: 'A', displayName: 'A' },
  callId: `call${at}`,
  changes: [{ path: '/w/file.txt', kind: 'edited', before: { kind: 'kept', hash: String(at) }, after: { kind: 'kept', hash: String(at + 1) } }],
}));
const { blocks } = await replayFile('/w/file.txt', { logs: [log], attempts: new Set() }, { kind: 'content', bytes: contentOf(versions), unsaved: false }, () => true, async (hash) => contentOf(Number(hash)));
parentPort?.postMessage(blocks.filter(({ kind }) => kind === 'change').length);
