import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TranscriptEntry } from '../../src/runtime/domain/transcripts.ts';
import { parseJsonl } from '../../src/runtime/store/jsonl.ts';

/** The transcripts of all runs that the extension has stored under a server's data folder, by the run's id. */
export async function storedTranscripts(dataDir: string): Promise<ReadonlyMap<string, readonly TranscriptEntry[]>> {
  const paths = await readdir(dataDir, { recursive: true });
  const found = paths.flatMap((path) => {
    const id = /subagent-panel[/\\]transcripts[/\\]([^/\\]+)\.jsonl$/.exec(path)?.[1];
    return id === undefined ? [] : [{ id, path }];
  });
  return new Map(await Promise.all(found.map(async ({ id, path }) => [id, parseJsonl<TranscriptEntry>(await readFile(join(dataDir, path), 'utf8'))] as const)));
}

/** How many messages with results of groups the conversations hold that name the text. */
export async function deliveries(dataDir: string, text: string): Promise<number> {
  const entries = [...(await storedTranscripts(dataDir)).values()].flat();
  return entries.filter((entry) => entry.type === 'message' && entry.message.role === 'user' && entry.message.source === 'completion' && JSON.stringify(entry.message).includes(text)).length;
}
